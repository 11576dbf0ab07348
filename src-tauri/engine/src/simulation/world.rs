//! One world: a run of a plan, up to three executors, the machine with its sessions, and a user.
//! Everything follows from one seed, on one thread and in virtual time.

use std::cell::{Cell, RefCell, RefMut};
use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::channel;

use baton_model::node::{Criterion, NodeKind};
use baton_model::plan::OnTakeover;
use baton_model::run::{Command, FormerExecutor, Goal, TakeoverReason, TakeoverRecord};
use baton_model::{Epoch, ExecutorId, Plan, Run, RunId, Timestamp};
use baton_store::{Actor, Store};
use uuid::Uuid;

use super::machine::Machine;
use super::rng::SeededRng;
use super::runtime::SimulatedRuntime;
use super::worker_pool::WorkerPool;
use super::{invariants, plans, user};
use crate::agents::AgentRegistry;
use crate::dispatcher::{Dispatcher, DispatcherExit, Input, NewRunFacts, next_epoch};
use crate::job::RunContext;

/// The maximum depth of interrupted turns, each within a pause of another one.
const DEPTH: u32 = 2;

pub(super) struct World {
    pub(super) store: Store,
    pub(super) plan: Arc<Plan>,
    agents: AgentRegistry,
    state: RefCell<State>,
    calm: Cell<bool>,
    /// New plan versions are requested, and may or may not arrive.
    replans: Cell<bool>,
    /// Executors that may still run are displaced, and leave work to be verified.
    displaces: Cell<bool>,
    /// Nodes of the plan have locks.
    locks: bool,
    depth: Cell<u32>,
    trace: Option<RefCell<Vec<String>>>,
}

pub(super) struct State {
    pub(super) rng: SeededRng,
    pub(super) now: i64,
    pub(super) machine: Machine,
    pub(super) executors: Vec<Executor>,
    pub(super) run: RunId,
    /// The highest epoch of a write that the store has accepted.
    epoch: Epoch,
    /// How many consecutive writes will fail.
    disk_failures_left: u64,
    ids: u128,
    pub(super) tally: Tally,
}

/// Counts what happened, to notice a simulation without enough faults.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) crashes: u64,
    pub(super) takeovers: u64,
    pub(super) displaced: u64,
    pub(super) gave_up: u64,
    pub(super) sessions: u64,
    pub(super) user_commands: u64,
}

/// One process that executes.
#[derive(Default)]
pub(super) struct Executor {
    id: Option<ExecutorId>,
    dispatcher: Option<Dispatcher<SimulatedRuntime>>,
    /// It is in the middle of a turn.
    busy: bool,
    pub(super) inbox: VecDeque<Input>,
    pub(super) pools: Vec<WorkerPool>,
    dispatched: u32,
    /// Nodes of its run wait for permits that others hold.
    pub(super) waiting: bool,
    /// It was notified since the last write.
    nudged: bool,
}

impl Executor {
    /// Returns whether it has this id.
    pub(super) fn is(&self, id: ExecutorId) -> bool {
        self.id == Some(id)
    }
}

/// Thrown when an executor dies in the middle of an operation.
struct Crash;

impl State {
    /// The disk fails from now on, long enough for some dispatchers to give up.
    pub(super) fn start_disk_failures(&mut self) {
        self.disk_failures_left = self.rng.below(80);
    }

    /// Whether the disk fails this time.
    pub(super) fn disk_fails(&mut self) -> bool {
        let fails = self.disk_failures_left > 0;
        self.disk_failures_left = self.disk_failures_left.saturating_sub(1);
        fails
    }

    /// An id that no other world has.
    pub(super) fn new_id(&mut self) -> Uuid {
        self.ids += 1;
        Uuid::from_u128(self.ids)
    }
}

impl World {
    /// The world of a seed, with a stored plan that has not started.
    pub(super) fn of(seed: u64, store: &Store, traced: bool) -> Rc<Self> {
        Self::of_changed_plan(seed, store, traced, |_| {})
    }

    /// The same world with a changed plan. It draws the same random numbers.
    pub(super) fn of_changed_plan(
        seed: u64,
        store: &Store,
        traced: bool,
        change: fn(&mut Plan),
    ) -> Rc<Self> {
        let mut rng = SeededRng::new(seed);
        let mut plan = plans::any(&mut rng, u128::from(seed) << 64);
        change(&mut plan);
        let count = 1 + rng.below(3);
        Self::with(plan, rng, count, store, traced)
    }

    /// A world in which executors are displaced, and whose plan has criteria to verify or a review.
    pub(super) fn displacing(seed: u64, store: &Store, traced: bool) -> Rc<Self> {
        let mut rng = SeededRng::new(seed);
        let mut plan = plans::any(&mut rng, u128::from(seed) << 64);
        for node in plan
            .nodes
            .iter_mut()
            .filter(|node| !matches!(node.kind, NodeKind::UserInput(_)))
        {
            node.acceptance_criteria = vec![Criterion::run("true")];
        }
        plan.settings.on_takeover = if seed.is_multiple_of(3) {
            OnTakeover::Review
        } else {
            OnTakeover::Verify
        };
        let count = 2 + rng.below(2);
        let world = Self::with(plan, rng, count, store, traced);
        world.displaces.set(true);
        world
    }

    /// The same world with locks shared by nodes.
    pub(super) fn with_locks(seed: u64, store: &Store, traced: bool) -> Rc<Self> {
        let mut rng = SeededRng::new(seed);
        let mut plan = plans::any(&mut rng, u128::from(seed) << 64);
        let lists: [&[&str]; 4] = [
            &["build"],
            &["build", "port:3000"],
            &["port:3000", "build"],
            &[],
        ];
        for (node, locks) in plan.nodes.iter_mut().zip(lists.iter().cycle()) {
            node.locks = locks.iter().map(|&name| name.to_owned()).collect();
        }
        let count = 1 + rng.below(3);
        Self::with(plan, rng, count, store, traced)
    }

    /// A world in which only scripted events happen: a plan, one executor, and no faults or
    /// crashes.
    pub(super) fn scripted(plan: Plan, store: &Store) -> Rc<Self> {
        let world = Self::with(plan, SeededRng::new(1), 1, store, false);
        world.calm.set(true);
        world
    }

    fn with(plan: Plan, rng: SeededRng, executors: u64, store: &Store, traced: bool) -> Rc<Self> {
        let locks = plan.nodes.iter().any(|node| !node.locks.is_empty());
        let plan = Arc::new(plan);
        let base = plan.id.0.as_u128();
        store
            .plans()
            .create(&plan, &Actor::PERSON, Timestamp(1))
            .expect("new plan");
        let is_fork = |kind: &NodeKind| matches!(kind, NodeKind::Condition(_));
        let forks = plan
            .nodes
            .iter()
            .filter(|node| is_fork(&node.kind))
            .map(|node| node.id)
            .collect();
        let state = State {
            rng,
            now: 1_000_000,
            machine: Machine::new(forks),
            executors: (0..executors).map(|_| Executor::default()).collect(),
            run: RunId(Uuid::from_u128(base)),
            epoch: Epoch(0),
            disk_failures_left: 0,
            ids: base + 1000,
            tally: Tally::default(),
        };
        Rc::new(Self {
            store: store.clone(),
            plan,
            agents: AgentRegistry::new("claude".to_owned()),
            state: RefCell::new(state),
            calm: Cell::new(false),
            replans: Cell::new(false),
            displaces: Cell::new(false),
            locks,
            depth: Cell::new(0),
            trace: traced.then(RefCell::default),
        })
    }

    /// New plan versions are requested from now on. Other worlds draw the same numbers as before.
    pub(super) fn begin_to_replan(&self) {
        self.replans.set(true);
    }

    pub(super) fn replans(&self) -> bool {
        self.replans.get()
    }

    pub(super) fn state(&self) -> RefMut<'_, State> {
        self.state.borrow_mut()
    }

    pub(super) fn is_calm(&self) -> bool {
        self.calm.get()
    }

    /// Records an event, if the world is traced.
    pub(super) fn log(&self, what: impl FnOnce() -> String) {
        if let Some(trace) = &self.trace {
            let now = self.state().now;
            trace.borrow_mut().push(format!("{now} {}", what()));
        }
    }

    pub(super) fn trace(&self) -> String {
        let nodes = self.plan.nodes.iter().map(|node| format!("{node:?}\n"));
        let edges = self.plan.edges.iter().map(|edge| format!("{edge:?}\n"));
        let trace = self
            .trace
            .as_ref()
            .map(|trace| trace.borrow().join("\n"))
            .unwrap_or_default();
        nodes.chain(edges).collect::<String>() + &trace
    }

    /// The store accepted a write of this epoch, so none of an older one may follow.
    pub(super) fn accepted(&self, epoch: Epoch) {
        let mut state = self.state();
        assert!(
            epoch >= state.epoch,
            "a late write of {epoch:?} was accepted in {:?}",
            state.epoch
        );
        state.epoch = epoch;
        state
            .executors
            .iter_mut()
            .for_each(|executor| executor.nudged = false);
    }

    /// In the middle of a turn of `who`: others advance, or it dies.
    pub(super) fn interleave(self: &Rc<Self>, who: usize, place: &str) {
        if self.is_calm() {
            return;
        }
        let drawn = self.state().rng.below(1000);
        if drawn < 12 {
            self.log(|| format!("{who} dies {place}"));
            // Not a panic, so no message: this is how the world kills an executor.
            resume_unwind(Box::new(Crash));
        }
        if drawn < 90 && self.depth.get() < DEPTH {
            self.depth.set(self.depth.get() + 1);
            self.log(|| format!("{who} is suspended {place}"));
            let steps = 1 + self.state().rng.below(25);
            (0..steps).for_each(|_| self.step());
            self.log(|| format!("{who} resumes {place}"));
            self.depth.set(self.depth.get() - 1);
        }
    }

    /// Makes one random event happen.
    pub(super) fn step(self: &Rc<Self>) {
        let (drawn, who) = {
            let mut state = self.state();
            state.now += i64::try_from(state.rng.below(300)).expect("fits in i64");
            let count = state.executors.len() as u64;
            (
                state.rng.below(100),
                usize::try_from(state.rng.below(count)).expect("fits in usize"),
            )
        };
        match drawn {
            0..38 => self.turn(who),
            38..68 => self.follow(who),
            68..86 => self.step_machine(),
            86..88 => self.kill_a_keeper(),
            88..90 => self.crash(who, "idly"),
            90..93 => self.ring(who),
            93..96 => self.adopt(who),
            _ => self.run_user_command(who),
        }
        if self.locks {
            if self.state().rng.per_mille(200) {
                self.notify_if_waiting(who);
            }
            invariants::check_the_locks(self);
        }
    }

    /// Notifies an executor that a permit may be free; returns whether it waits for one.
    fn notify_if_waiting(&self, who: usize) -> bool {
        let mut state = self.state();
        let executor = &mut state.executors[who];
        let waits = executor.dispatcher.is_some() && executor.waiting && !executor.nudged;
        if waits {
            executor.nudged = true;
            executor.inbox.push_back(Input::PermitsFreed);
        }
        waits
    }

    /// Runs without faults, crashes and random commands, until nothing can progress.
    pub(super) fn run_until_idle(self: &Rc<Self>) {
        self.calm.set(true);
        self.state().disk_failures_left = 0;
        self.log(|| "calm".to_owned());
        for _ in 0..5_000 {
            if !self.settle_step() {
                return;
            }
        }
        panic!("it does not become idle");
    }

    fn settle_step(self: &Rc<Self>) -> bool {
        self.state().now += 10;
        let count = self.state().executors.len();
        if let Some(who) = (0..count).find(|&who| self.has_turn(who)) {
            self.turn(who);
        } else if let Some(who) = (0..count).find(|&who| self.has_news(who)) {
            self.follow(who);
        } else if self.state().machine.can_progress() {
            self.step_machine();
        } else if !self.run_is_there() || (self.run_is_running() && !self.owner_is_there()) {
            self.adopt_or_begin(0);
        } else if let Some((who, at)) = self.next_alarm() {
            self.sleep_until(at);
            self.ring(who);
        } else if !(0..count).any(|who| self.notify_if_waiting(who)) {
            return user::unblock_run(self);
        }
        if self.locks {
            invariants::check_the_locks(self);
        }
        true
    }

    fn sleep_until(&self, at: i64) {
        let mut state = self.state();
        state.now = state.now.max(at);
    }

    fn has_turn(&self, who: usize) -> bool {
        let state = self.state();
        let executor = &state.executors[who];
        executor.dispatcher.is_some() && !executor.inbox.is_empty()
    }

    fn has_news(&self, who: usize) -> bool {
        let state = self.state();
        state.executors[who]
            .pools
            .iter()
            .any(|pool| pool.can_progress(&state.machine))
    }

    fn run_is_there(&self) -> bool {
        let run = self.state().run;
        self.store.runs().get(run).is_ok()
    }

    fn run_is_running(&self) -> bool {
        let run = self.state().run;
        self.store
            .runs()
            .get(run)
            .is_ok_and(|row| row.state.is_running())
    }

    /// The executor that the run names, if it is executing the run.
    pub(super) fn owner(&self) -> Option<usize> {
        let run = self.state().run;
        let owner = self.store.runs().get(run).ok()?.executor;
        let state = self.state();
        state
            .executors
            .iter()
            .position(|executor| executor.id == Some(owner) && executor.dispatcher.is_some())
    }

    fn owner_is_there(&self) -> bool {
        self.owner().is_some()
    }

    fn next_alarm(&self) -> Option<(usize, i64)> {
        let owner = self.owner()?;
        let at = self.state().executors[owner].dispatcher.as_ref()?.alarm()?;
        Some((owner, at.0))
    }

    /// One turn of a dispatcher, with a part of its inbox.
    fn turn(self: &Rc<Self>, who: usize) {
        let inputs: Vec<Input> = {
            let mut state = self.state();
            let state = &mut *state;
            let executor = &mut state.executors[who];
            if executor.busy || executor.inbox.is_empty() || executor.dispatcher.is_none() {
                return;
            }
            let most = executor.inbox.len() as u64;
            let count = 1 + usize::try_from(state.rng.below(most)).expect("fits in usize");
            executor.inbox.drain(..count).collect()
        };
        self.turn_with(who, inputs);
    }

    /// One turn of a dispatcher that is not in the middle of one.
    pub(super) fn turn_with(self: &Rc<Self>, who: usize, inputs: Vec<Input>) {
        let mut dispatcher = {
            let mut state = self.state();
            let executor = &mut state.executors[who];
            let Some(dispatcher) = executor.dispatcher.take() else {
                return;
            };
            executor.busy = true;
            dispatcher
        };
        let number = self.state().executors[who].dispatched;
        let turned = catch_unwind(AssertUnwindSafe(move || {
            dispatcher.turn(inputs).map(|()| dispatcher)
        }));
        self.state().executors[who].busy = false;
        match turned {
            Err(payload) if payload.is::<Crash>() => self.crash(who, "in its turn"),
            Err(payload) => resume_unwind(payload),
            Ok(Ok(dispatcher)) => {
                let mut state = self.state();
                let executor = &mut state.executors[who];
                debug_assert_eq!(
                    executor.dispatched, number,
                    "a busy process has one dispatcher at a time"
                );
                if !dispatcher.is_at_rest() || !executor.inbox.is_empty() {
                    executor.dispatcher = Some(dispatcher);
                }
            }
            Ok(Err(leaving)) => {
                self.log(|| format!("{who} leaves: {leaving:?}"));
                let mut state = self.state();
                match leaving {
                    DispatcherExit::Displaced => state.tally.displaced += 1,
                    DispatcherExit::GaveUp(_) => state.tally.gave_up += 1,
                    DispatcherExit::Illegal(illegal) => panic!("{illegal:?}"),
                    DispatcherExit::Shutdown
                    | DispatcherExit::AtRest
                    | DispatcherExit::PlanChanged => {}
                }
                state.executors[who].inbox.clear();
            }
        }
    }

    /// A follower of `who` checks a session and reports.
    fn follow(self: &Rc<Self>, who: usize) {
        let mut state = self.state();
        let state = &mut *state;
        let executor = &mut state.executors[who];
        let listening = executor.dispatcher.is_some() || executor.busy;
        for pool in &mut executor.pools {
            let reports = pool.step(&mut state.machine, &mut state.rng);
            // Nobody reads the inbox of a dispatcher that has ended.
            if listening && pool.number == executor.dispatched {
                let reports = reports.into_iter();
                executor
                    .inbox
                    .extend(reports.map(|(session, report)| Input::Report {
                        session,
                        report: Box::new(report),
                    }));
            }
        }
        let current = executor.dispatched;
        executor
            .pools
            .retain(|pool| pool.number == current || !pool.is_idle());
    }

    fn step_machine(&self) {
        let mut state = self.state();
        let state = &mut *state;
        state.machine.step(&mut state.rng);
    }

    fn kill_a_keeper(&self) {
        let mut state = self.state();
        let state = &mut *state;
        if state.rng.per_mille(300) {
            state.machine.kill_one(&mut state.rng);
        }
    }

    /// A process dies. Its sessions, and starting keepers, stay.
    fn crash(&self, who: usize, place: &str) {
        let mut state = self.state();
        if state.executors[who].busy {
            return;
        }
        state.tally.crashes += 1;
        let dead = std::mem::take(&mut state.executors[who]);
        drop(state);
        drop(dead);
        self.log(|| format!("{who} is dead, {place}"));
    }

    fn ring(&self, who: usize) {
        let mut state = self.state();
        let now = Timestamp(state.now);
        let executor = &mut state.executors[who];
        if let Some(dispatcher) = executor
            .dispatcher
            .as_mut()
            .filter(|one| one.alarm().is_some_and(|at| at <= now))
        {
            executor.inbox.extend(dispatcher.pop_timer());
        }
    }

    /// An idle executor takes the run over, mostly when it has no executor.
    fn adopt(self: &Rc<Self>, who: usize) {
        let idle = {
            let state = self.state();
            !state.executors[who].busy && state.executors[who].dispatcher.is_none()
        };
        let rashly = self.state().rng.per_mille(500);
        if idle && (rashly || !self.owner_is_there()) {
            self.adopt_or_begin(who);
        }
    }

    fn adopt_or_begin(self: &Rc<Self>, who: usize) {
        if !self.run_is_there() {
            if !self.starts_run() {
                self.begin(who);
            }
        } else if self.run_is_running() {
            self.take_over(who);
        }
    }

    /// Only one process at a time starts a plan; the real ones hold a file lock for that.
    fn starts_run(&self) -> bool {
        self.state()
            .executors
            .iter()
            .any(|executor| executor.busy || executor.dispatcher.is_some())
    }

    pub(super) fn begin(self: &Rc<Self>, who: usize) {
        let executor = self.identify(who);
        let id = RunId(self.state().new_id());
        self.state().run = id;
        self.state().epoch = Epoch(0);
        let run = Run::new(id, Arc::clone(&self.plan)).expect("no cycle");
        let new = NewRunFacts {
            version: 1,
            base_revision: None,
            executor,
            parent: None,
            pinned: Vec::new(),
        };
        self.dispatch(who, run, 0, Some(new), HashMap::new());
        let default_agent = Some("claude".to_owned());
        let start = Command::Start {
            version: 1,
            goal: Goal::All,
            limit: None,
            executor,
            default_agent,
            inherits: None,
            grants: Vec::new(),
            caller: None,
            pinned: Vec::new(),
        };
        self.enqueue_command(who, start, Actor::PERSON);
    }

    /// As in the engine: replay, then the command to take over.
    pub(super) fn take_over(self: &Rc<Self>, who: usize) {
        let executor = self.identify(who);
        let run = self.state().run;
        let (replayed, last_seq) = self
            .store
            .runs()
            .replay(run)
            .expect("stored history is valid");
        let artifacts = self
            .store
            .artifacts()
            .latest_for_run(run)
            .expect("readable")
            .rows;
        let artifacts = artifacts
            .into_iter()
            .map(|row| (row.node, Arc::new(row.content)))
            .collect();
        let record = self.record_of(&replayed);
        let command = Command::TakeOver {
            executor,
            epoch: next_epoch(replayed.epoch()),
            record,
        };
        self.dispatch(who, replayed, last_seq, None, artifacts);
        self.state().tally.takeovers += 1;
        self.enqueue_command(who, command, Actor::Baton);
    }

    /// The record of a takeover of an unfinished run, in worlds with displaced executors.
    fn record_of(&self, run: &Run) -> Option<Box<TakeoverRecord>> {
        if !self.displaces.get() || !run.state().is_running() {
            return None;
        }
        let mut state = self.state();
        let displaced = !self.is_calm() && state.rng.per_mille(600);
        let reason = if displaced {
            TakeoverReason::Silent { silence_ms: 1 }
        } else {
            TakeoverReason::Left
        };
        let executor = ExecutorId(state.new_id());
        let former = FormerExecutor {
            executor,
            pid: None,
            kind: None,
            host: None,
            last_beat: None,
        };
        Some(Box::new(run.takeover_record(
            former,
            reason,
            Timestamp(state.now),
        )))
    }

    fn identify(&self, who: usize) -> ExecutorId {
        let id = ExecutorId(self.state().new_id());
        *self.state().executors[who].id.get_or_insert(id)
    }

    /// The id of an executor.
    pub(super) fn executor_of(&self, who: usize) -> ExecutorId {
        self.identify(who)
    }

    fn dispatch(
        self: &Rc<Self>,
        who: usize,
        mut run: Run,
        last_seq: u64,
        new: Option<NewRunFacts>,
        artifacts: HashMap<baton_model::NodeId, Arc<baton_model::Artifact>>,
    ) {
        drop(run.take_changed_nodes());
        let number = self.state().executors[who].dispatched + 1;
        let pool = WorkerPool::new(number, run.concurrency_limit());
        let context = RunContext::new(
            run.id(),
            Arc::clone(run.plan()),
            run.graph().clone(),
            artifacts,
        );
        let body = SimulatedRuntime {
            world: Rc::clone(self),
            who,
            number,
        };
        let dispatcher = Dispatcher::new(
            run,
            last_seq,
            new,
            body,
            Arc::new(context),
            self.agents.clone(),
        );
        let mut state = self.state();
        let executor = &mut state.executors[who];
        executor.dispatched = number;
        executor.inbox.clear();
        executor.pools.push(pool);
        executor.dispatcher = Some(dispatcher);
    }

    /// Puts a command into an inbox without waiting for the answer.
    pub(super) fn enqueue_command(&self, who: usize, command: Command, actor: Actor) {
        self.log(|| format!("to {who}: {command:?}"));
        let reply = channel().0;
        self.state().executors[who].inbox.push_back(Input::Command {
            command,
            actor,
            reply,
        });
    }

    /// The user issues a command in the process `who`, which takes over an idle run.
    fn run_user_command(self: &Rc<Self>, who: usize) {
        let Some(command) = user::random_command(self) else {
            return;
        };
        let (busy, dispatches) = {
            let state = self.state();
            (
                state.executors[who].busy,
                state.executors[who].dispatcher.is_some(),
            )
        };
        self.state().tally.user_commands += 1;
        if dispatches || busy {
            self.enqueue_command(who, command, Actor::PERSON);
        } else if self.run_is_there() && !self.run_is_running() {
            self.take_over(who);
            self.enqueue_command(who, command, Actor::PERSON);
        }
    }
}
