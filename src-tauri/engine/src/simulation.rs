//! Whole executions from one seed: real dispatchers, the real model and the real store on a simulated machine, with
//! deaths, pauses, takeovers, a book that fails, sessions of every fate and a person who presses any button.
//!
//! One thread, virtual time. A failure names its seed: `BATON_SEED=n` plays that world again and tells its story;
//! `BATON_CASES=n` plays so many, from that one. Not simulated: processes, threads, files and the window. The suite's tests have
//! the real ones.
#![allow(
    clippy::print_stdout,
    reason = "seeds and stories are for whoever reads the test's output"
)]

mod body;
mod chance;
mod crew;
mod keeper;
mod machine;
mod person;
mod plans;
mod scripts;
mod verdict;
mod world;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::time::Duration;

use baton_store::{Options, Store};
use tempfile::TempDir;

use world::{Tally, World};

const USUAL_CASES: u64 = 3_000;
/// A store grows with each world; a new one from time to time keeps the last world as quick as the first.
const WORLDS_OF_A_STORE: u64 = 250;

#[test]
fn every_world_comes_to_rest_with_each_effect_once() {
    let (first, cases) = seeds();
    live_in_all(first, cases.div_ceil(2), World::of);
}

/// The other half: two cores are as many as there are.
#[test]
fn every_other_world_comes_to_rest_with_each_effect_once() {
    let (first, cases) = seeds();
    live_in_all(first + cases.div_ceil(2), cases / 2, World::of);
}

/// Worlds in which new versions of the plan are asked for at any time, also while an executor dies.
#[test]
fn every_world_that_is_replanned_comes_to_rest() {
    let (first, cases) = seeds();
    live_in_all(first, cases.div_ceil(6), |seed, store, traced| {
        let world = World::of(seed, store, traced);
        world.begin_to_replan();
        world
    });
}

/// Worlds in which a failed run starts again by itself.
#[test]
fn every_world_that_is_retried_comes_to_rest() {
    let (first, cases) = seeds();
    live_in_all(first, cases.div_ceil(6), |seed, store, traced| {
        World::of_changed_plan(seed, store, traced, |plan| plan.settings.plan_retries = 2)
    });
}

/// Worlds in which executors are displaced that may still be at work: what they leave is verified, or a person is asked.
#[test]
fn every_world_whose_executors_are_displaced_comes_to_rest() {
    let (first, cases) = seeds();
    live_in_all(first, cases.div_ceil(6), World::displacing);
}

/// Worlds in which nodes share locks: no two that do ever live at once, and nobody waits for ever.
#[test]
fn every_world_with_locks_comes_to_rest() {
    let (first, cases) = seeds();
    live_in_all(first, cases.div_ceil(6), World::with_locks);
}

/// Worlds in which something went wrong that has been put right since.
const SEEDS_OF_OLD: [u64; 2] = [
    // A withdrawal that was reported twice took the next session of the node along, which ran all the same.
    1_795_437_884,
    1_795_451_550,
];

/// The same, of those with locks.
const SEEDS_WITH_LOCKS: [u64; 4] = [
    // A zombie gave back what the next executor had reserved the same node with.
    431, // Of a dead executor's reservation, one lock was given away, and the others let it start.
    50_900, // Whoever took over took the last write of the one before for its own.
    51_273, // A session that had started lost its locks, and nobody followed it to its end.
    51_328,
];

#[test]
fn worlds_that_once_went_wrong_come_to_rest() {
    let ground = Ground::lay();
    for seed in SEEDS_WITH_LOCKS {
        println!("BATON_SEED={seed}");
        live(&World::with_locks(seed, &ground.store, false));
    }
    for seed in SEEDS_OF_OLD {
        println!("BATON_SEED={seed}");
        live(&World::of(seed, &ground.store, false));
    }
}

/// The first seed, and how many follow.
fn seeds() -> (u64, u64) {
    let (seed, cases) = (number("BATON_SEED"), number("BATON_CASES"));
    (
        seed.unwrap_or(1),
        cases.unwrap_or(if seed.is_some() { 1 } else { USUAL_CASES }),
    )
}

/// Makes the world of a seed, traced or not.
type Making = fn(u64, &Store, bool) -> Rc<World>;

fn live_in_all(first: u64, cases: u64, world_of: Making) {
    let mut ground = Ground::lay();
    let (mut seen, mut played) = (Tally::default(), 0);
    for seed in first..first + cases {
        if seed % WORLDS_OF_A_STORE == 0 {
            ground = Ground::lay();
        }
        match catch_unwind(AssertUnwindSafe(|| {
            live(&world_of(seed, &ground.store, false))
        })) {
            Ok(tally) => {
                seen.add(tally);
                played += 1;
            }
            Err(_) => tell(seed, world_of),
        }
    }
    println!("from BATON_SEED={first}: {seen:?}");
    // `cargo xtask soak` reads this.
    println!("played: {played} worlds");
    assert!(
        cases < USUAL_CASES / 2 || seen.was_hard(),
        "worlds without trouble prove nothing: {seen:?}"
    );
}

/// A world's whole life; what it has seen.
fn live(world: &Rc<World>) -> Tally {
    let steps = 60 + world.state().chance.below(200);
    (0..steps).for_each(|_| world.step());
    world.settle();
    verdict::judge(world);
    world.state().executors.clear();
    world.state().tally
}

/// Plays a world that went wrong again, and tells its story.
fn tell(seed: u64, world_of: Making) -> ! {
    let ground = Ground::lay();
    let world = world_of(seed, &ground.store, true);
    let again = catch_unwind(AssertUnwindSafe(|| live(&world)));
    println!("{}", world.story());
    println!("BATON_SEED={seed} plays it again");
    match again {
        Err(why) => resume_unwind(why),
        Ok(_) => panic!(
            "seed {seed} went wrong, and not when it was played again: it depends on something else"
        ),
    }
}

/// A store of its own, in memory where there is such a place.
struct Ground {
    store: Store,
    _folder: TempDir,
}

impl Ground {
    fn lay() -> Self {
        let folder = tempfile::tempdir_in("/dev/shm")
            .or_else(|_| tempfile::tempdir())
            .expect("room");
        let options = Options {
            busy_timeout: Duration::from_secs(1),
            watch: false,
        };
        let store = Store::open_with(folder.path(), options).expect("a new store");
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
        self.wishes += other.wishes;
    }

    fn was_hard(self) -> bool {
        let troubles = [
            self.crashes,
            self.takeovers,
            self.displaced,
            self.gave_up,
            self.sessions,
            self.wishes,
        ];
        troubles.iter().all(|&times| times > 20)
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}
