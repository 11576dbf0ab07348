//! Simulates whole executions from one seed: real dispatchers, the real model and the real store on
//! a simulated machine, with crashes, pauses, takeovers, a failing store, sessions with every
//! outcome and a user who issues any command.
//!
//! One thread, virtual time. A failure reports its seed: `BATON_SEED=n` replays that world and
//! prints its trace; `BATON_CASES=n` runs that many, starting from it. Not simulated: processes,
//! threads, sockets and the file system.
#![allow(
    clippy::print_stdout,
    reason = "seeds and traces are printed for readers of the test output"
)]

mod invariants;
mod keeper;
mod machine;
mod plans;
mod rng;
mod runtime;
mod scenarios;
mod user;
mod worker_pool;
mod world;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::time::Duration;

use baton_store::{Options, Store};
use tempfile::TempDir;

use world::{Tally, World};

const DEFAULT_CASES: u64 = 3_000;
/// A store grows with each world; replacing it keeps later worlds as fast as the first.
const WORLDS_PER_STORE: u64 = 250;

#[test]
fn worlds_settle_with_each_effect_applied_once() {
    let (first, cases) = seeds();
    run_worlds(first, cases.div_ceil(2), World::of);
}

/// The other half, so that both cores are used.
#[test]
fn more_worlds_settle_with_each_effect_applied_once() {
    let (first, cases) = seeds();
    run_worlds(first + cases.div_ceil(2), cases / 2, World::of);
}

/// Worlds with replanning requests at any time, also while an executor dies.
#[test]
fn replanned_worlds_settle() {
    let (first, cases) = seeds();
    run_worlds(first, cases.div_ceil(6), |seed, store, traced| {
        let world = World::of(seed, store, traced);
        world.begin_to_replan();
        world
    });
}

/// Worlds in which a failed run is restarted automatically.
#[test]
fn retried_worlds_settle() {
    let (first, cases) = seeds();
    run_worlds(first, cases.div_ceil(6), |seed, store, traced| {
        World::of_changed_plan(seed, store, traced, |plan| plan.settings.plan_retries = 2)
    });
}

/// Worlds in which executors that may still be running are displaced: the work they leave is
/// verified, or a person is asked.
#[test]
fn worlds_with_displaced_executors_settle() {
    let (first, cases) = seeds();
    run_worlds(first, cases.div_ceil(6), World::displacing);
}

/// Worlds in which nodes share locks: no two nodes with a common lock ever run at the same time,
/// and no node waits forever.
#[test]
fn worlds_with_locks_settle() {
    let (first, cases) = seeds();
    run_worlds(first, cases.div_ceil(6), World::with_locks);
}

/// Worlds that once failed and have been fixed since.
const REGRESSION_SEEDS: [u64; 2] = [
    // A withdrawal that was reported twice withdrew the next session of the node, which ran all the
    // same.
    1_795_437_884,
    1_795_451_550,
];

/// The same for worlds with locks.
const LOCK_REGRESSION_SEEDS: [u64; 4] = [
    // A zombie released permits with which the next executor had reserved the same node.
    431,    // One lock of a dead executor's reservation was reassigned; the others let it start.
    50_900, // The new executor mistook its predecessor's last write for its own.
    51_273, // A started session lost its locks and was not followed to its end.
    51_328,
];

#[test]
fn regression_seeds_settle() {
    let test_store = TestStore::create();
    for seed in LOCK_REGRESSION_SEEDS {
        println!("BATON_SEED={seed}");
        run_world(&World::with_locks(seed, &test_store.store, false));
    }
    for seed in REGRESSION_SEEDS {
        println!("BATON_SEED={seed}");
        run_world(&World::of(seed, &test_store.store, false));
    }
}

/// The first seed, and the number of worlds.
fn seeds() -> (u64, u64) {
    let (seed, cases) = (number("BATON_SEED"), number("BATON_CASES"));
    (
        seed.unwrap_or(1),
        cases.unwrap_or(if seed.is_some() { 1 } else { DEFAULT_CASES }),
    )
}

/// Creates the world of a seed, traced or not.
type WorldFactory = fn(u64, &Store, bool) -> Rc<World>;

fn run_worlds(first: u64, cases: u64, world_of: WorldFactory) {
    let mut test_store = TestStore::create();
    let (mut seen, mut played) = (Tally::default(), 0);
    for seed in first..first + cases {
        if seed % WORLDS_PER_STORE == 0 {
            test_store = TestStore::create();
        }
        match catch_unwind(AssertUnwindSafe(|| {
            run_world(&world_of(seed, &test_store.store, false))
        })) {
            Ok(tally) => {
                seen.add(tally);
                played += 1;
            }
            Err(_) => report_failing_seed(seed, world_of),
        }
    }
    println!("from BATON_SEED={first}: {seen:?}");
    // `cargo xtask soak` parses this line.
    println!("played: {played} worlds");
    assert!(
        cases < DEFAULT_CASES / 2 || seen.had_enough_faults(),
        "worlds without faults prove nothing: {seen:?}"
    );
}

/// Runs a world to its end; returns its tally.
fn run_world(world: &Rc<World>) -> Tally {
    let steps = 60 + world.state().rng.below(200);
    (0..steps).for_each(|_| world.step());
    world.run_until_idle();
    invariants::check_invariants(world);
    world.state().executors.clear();
    world.state().tally
}

/// Replays a failed world and prints its trace.
fn report_failing_seed(seed: u64, world_of: WorldFactory) -> ! {
    let test_store = TestStore::create();
    let world = world_of(seed, &test_store.store, true);
    let again = catch_unwind(AssertUnwindSafe(|| run_world(&world)));
    println!("{}", world.trace());
    println!("BATON_SEED={seed} replays it");
    match again {
        Err(why) => resume_unwind(why),
        Ok(_) => panic!("seed {seed} failed, but not when replayed: it depends on something else"),
    }
}

/// A temporary store, in memory where possible.
struct TestStore {
    store: Store,
    _folder: TempDir,
}

impl TestStore {
    fn create() -> Self {
        let folder = tempfile::tempdir_in("/dev/shm")
            .or_else(|_| tempfile::tempdir())
            .expect("temp dir");
        let options = Options {
            busy_timeout: Duration::from_secs(1),
            watch: false,
        };
        let store = Store::open_with(folder.path(), options).expect("new store");
        Self {
            store,
            _folder: folder,
        }
    }
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.crashes += other.crashes;
        self.takeovers += other.takeovers;
        self.displaced += other.displaced;
        self.gave_up += other.gave_up;
        self.sessions += other.sessions;
        self.user_commands += other.user_commands;
    }

    fn had_enough_faults(self) -> bool {
        let troubles = [
            self.crashes,
            self.takeovers,
            self.displaced,
            self.gave_up,
            self.sessions,
            self.user_commands,
        ];
        troubles.iter().all(|&times| times > 20)
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}
