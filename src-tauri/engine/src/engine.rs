//! The engine of one process: its dispatchers, its identity as an executor, and requests to other
//! executors.

mod executor_health;
mod heartbeat;
mod lock;
mod permits;
mod registration;
mod runtime;
mod watch;

use executor_health::Holder;
pub use executor_health::{OtherExecutor, RunExecutor};

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, Weak};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use baton_model::plan::RunDefaults;
use baton_model::run::{Caller, Command, Goal, Inheritance, TakeoverReason};
use baton_model::{Epoch, ExecutorId, NodeId, Plan, ProjectRules, Run, RunId};
use baton_store::{
    Actor, Change, ExecutorKind, ExecutorRow, ParentNode, PinnedOutputRow, RequestOutcome, RunRow,
    Store, StoreError,
};
use uuid::Uuid;

use crate::agents::AgentRegistry;
use crate::changed_files::FileLedger;
use crate::clocks::now;
use crate::copied_outputs::CopiedOutputs;
use crate::crash_point::crash_point;
use crate::dispatcher::{Dispatcher, DispatcherExit, Input, NewRunFacts, next_epoch};
use crate::environment::{Environment, LoginPath};
use crate::error::EngineError;
use crate::events::{EngineEvent, EventNotifier};
use crate::health::{Health, ProcessLiveness};
use crate::heartbeat_monitor::HeartbeatMonitor;
use crate::job::RunContext;
use crate::lease::Lease;
use crate::pool::Pool;
use crate::session_services::SessionServices;
use crate::takeover;
use crate::tools::ToolRegistry;
use runtime::EngineRuntime;

/// How long another process may take to answer a request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// How often to check while waiting: a process that dies sends no notification.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// How often a command is sent again after the run changed executors.
const MAX_COMMAND_TRIES: u32 = 8;

/// Everything needed to start an [`Engine`].
pub struct EngineConfig {
    /// The store that holds the runs.
    pub store: Store,
    /// The path of the keeper program.
    pub keeper: PathBuf,
    /// The kind of process that the engine runs in.
    pub kind: ExecutorKind,
    /// The agents that nodes can use.
    pub agents: AgentRegistry,
    /// The programs and servers for tool calls.
    pub tools: ToolRegistry,
    /// How the login shell's `PATH` is combined with this process's.
    pub login_path: LoginPath,
    /// How long an executor may be silent before it counts as unhealthy or stale.
    pub lease: Lease,
    /// Whether runs of stale executors may be taken over; called each time one is found.
    pub may_displace: Box<dyn Fn() -> bool + Send + Sync>,
    /// Receives events. Called from a thread of the engine; must return quickly.
    pub on_event: Box<dyn Fn(EngineEvent) + Send>,
}

/// Executes runs in this process and forwards commands to the processes that execute other runs.
#[derive(Clone)]
pub struct Engine {
    inner: Arc<Inner>,
}

/// A reference to an engine that may have been dropped.
pub(crate) struct WeakEngine(Weak<Inner>);

impl WeakEngine {
    pub(crate) fn upgrade(&self) -> Option<Engine> {
        self.0.upgrade().map(|inner| Engine { inner })
    }
}

struct Inner {
    store: Store,
    services: Arc<SessionServices>,
    executor: ExecutorId,
    runs: Mutex<HashMap<RunId, DispatchedRun>>,
    left: Condvar,
    /// Runs that this process dropped although they are unfinished, with the reason.
    gave_up: Mutex<HashMap<RunId, EngineError>>,
    closing: Mutex<bool>,
    close: Condvar,
    heartbeat_thread: Mutex<Option<JoinHandle<()>>>,
    lease: Lease,
    may_displace: Box<dyn Fn() -> bool + Send + Sync>,
    heartbeat_monitor: Mutex<HeartbeatMonitor>,
    /// Defaults for plans without their own settings.
    run_defaults: RwLock<RunDefaults>,
    /// What the project of a plan asks of a run.
    project_rules: OnceLock<ProjectRulesReader>,
    /// Silences of other executors that are not stored yet.
    pending_silences: Mutex<Vec<heartbeat::SilenceChange>>,
}

/// Finds the rules of a plan's project.
pub type ProjectRulesReader = Box<dyn Fn(&Plan) -> Result<ProjectRules, StoreError> + Send + Sync>;

/// Where a run comes from, unless a person started it directly.
#[derive(Default)]
pub(crate) struct RunOrigin {
    /// The node that the run executes.
    pub(crate) parent: Option<ParentNode>,
    /// What the run inherits from an earlier one.
    pub(crate) inherits: Option<Inheritance>,
    /// What the run receives from the calling node.
    pub(crate) caller: Option<Arc<Caller>>,
    /// The outputs that its nodes use instead of running.
    pub(crate) pinned: Vec<PinnedOutputRow>,
    /// The plan's revision that the caller saw; the store refuses the run if there is another by
    /// then. `None` for any.
    pub(crate) base_revision: Option<u64>,
}

struct DispatchedRun {
    inbox: Sender<Input>,
    pool: Pool,
    /// Set while nodes of the run wait for permits that others hold.
    waiting: Arc<AtomicBool>,
}

impl Engine {
    /// Starts the engine and registers this process as an executor. It takes over nothing by
    /// itself, and watches no other executor before [`Engine::watch`].
    pub fn start(setup: EngineConfig) -> Result<Self, EngineError> {
        if !setup.keeper.is_file() {
            return Err(EngineError::NoKeeper { path: setup.keeper });
        }
        let executor = ExecutorId(Uuid::now_v7());
        crash_point("before registration");
        registration::register(&setup, executor)?;
        crash_point("after registration");
        let environment = Arc::new(Environment::new(setup.login_path));
        let known = Arc::clone(&environment);
        setup
            .agents
            .set_environment(Arc::new(move || known.for_agents().clone()));
        let services = SessionServices {
            data_directory: setup.store.data_dir().to_path_buf(),
            keeper: setup.keeper,
            environment,
            agents: setup.agents,
            tools: setup.tools,
            events: EventNotifier::open(setup.on_event)?,
            files: FileLedger::new(setup.store.data_dir().to_path_buf()),
            sandbox: OnceLock::new(),
            executor: OnceLock::new(),
        };
        let inner = Arc::new(Inner {
            store: setup.store,
            services: Arc::new(services),
            executor,
            runs: Mutex::default(),
            left: Condvar::new(),
            gave_up: Mutex::default(),
            pending_silences: Mutex::default(),
            closing: Mutex::new(false),
            close: Condvar::new(),
            heartbeat_thread: Mutex::default(),
            lease: setup.lease,
            may_displace: setup.may_displace,
            heartbeat_monitor: Mutex::default(),
            run_defaults: RwLock::default(),
            project_rules: OnceLock::new(),
        });
        let handle = Arc::downgrade(&inner);
        let _ = inner.services.executor.set(handle);
        let engine = Self { inner };
        engine.start_heartbeat()?;
        engine.serve_requests()?;
        engine.pass_on_permits()?;
        Ok(engine)
    }

    /// The id of this process among executors.
    #[must_use]
    pub fn executor(&self) -> ExecutorId {
        self.inner.executor
    }

    pub(crate) fn store(&self) -> &Store {
        &self.inner.store
    }

    /// The agents of this process, which settings may change later.
    #[must_use]
    pub fn agents(&self) -> &AgentRegistry {
        &self.inner.services.agents
    }

    /// The tools of this process, which settings may change later.
    #[must_use]
    pub fn tools(&self) -> &ToolRegistry {
        &self.inner.services.tools
    }

    /// Starts a small session to find out whether the sandbox keeps sessions away from Baton's
    /// data.
    pub fn probe_sandbox(&self) -> std::io::Result<baton_keeper::SandboxProbe> {
        let folder = std::env::temp_dir().join(format!(
            "baton-sandbox-probe-{}",
            uuid::Uuid::new_v4().simple()
        ));
        let probe = baton_keeper::probe_sandbox(&self.inner.services.keeper, &folder);
        if let Ok(probe) = &probe {
            let _ = self.inner.services.sandbox.set(probe.clone());
        }
        probe
    }

    /// The result of the first such probe in this process; `None` when it could not run.
    #[must_use]
    pub fn sandbox(&self) -> Option<&baton_keeper::SandboxProbe> {
        if self.inner.services.sandbox.get().is_none() {
            let _ = self.probe_sandbox();
        }
        self.inner.services.sandbox.get()
    }

    /// Replaces the defaults for plans without their own settings. Runs that have begun keep the
    /// old ones.
    pub fn set_run_defaults(&self, defaults: RunDefaults) {
        *self
            .inner
            .run_defaults
            .write()
            .unwrap_or_else(PoisonError::into_inner) = defaults;
    }

    /// Sets how the rules of a plan's project are found. Each run keeps those at its start.
    pub fn set_project_rules(&self, read: ProjectRulesReader) {
        // They are set once, when Baton opens.
        let _ = self.inner.project_rules.set(read);
    }

    /// The defaults for plans without their own settings.
    #[must_use]
    pub fn run_defaults(&self) -> RunDefaults {
        *self
            .inner
            .run_defaults
            .read()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The environment of everything except commands: agents, tools and checks.
    #[must_use]
    pub fn environment(&self) -> BTreeMap<String, String> {
        self.inner.services.environment.for_agents().clone()
    }

    /// The environment of commands.
    #[must_use]
    pub fn command_environment(&self) -> BTreeMap<String, String> {
        self.inner.services.environment.for_commands().clone()
    }

    /// Begins a run of version `version` of `plan`; returns when its first events are stored.
    ///
    /// `goal` is called with the run before anything is stored or executed. If it fails, no run
    /// begins. Nor does one if the plan has another revision than `base_revision` by then.
    pub fn begin<E: From<EngineError>>(
        &self,
        plan: Arc<Plan>,
        (version, base_revision): (u32, Option<u64>),
        goal: impl FnOnce(&Run) -> Result<Goal, E>,
        limit: Option<u32>,
        actor: Actor,
    ) -> Result<RunId, E> {
        let id = RunId(Uuid::now_v7());
        let origin = RunOrigin {
            base_revision,
            ..RunOrigin::default()
        };
        self.begin_run(id, plan, version, goal, limit, origin, actor)?;
        Ok(id)
    }

    /// Begins a run like [`begin`](Self::begin), in which nodes use their pinned outputs instead of
    /// running. The run keeps copies of them.
    pub fn begin_with_pinned_outputs(
        &self,
        plan: Arc<Plan>,
        version: u32,
        pinned: Vec<PinnedOutputRow>,
        limit: Option<u32>,
        actor: Actor,
    ) -> Result<RunId, EngineError> {
        let id = RunId(Uuid::now_v7());
        let origin = RunOrigin {
            pinned,
            ..RunOrigin::default()
        };
        self.begin_as(id, plan, version, Goal::All, limit, origin, actor)?;
        Ok(id)
    }

    /// Begins the run `id` of a planner; fails if the run exists already.
    pub fn begin_named(
        &self,
        id: RunId,
        plan: Arc<Plan>,
        version: u32,
        actor: Actor,
    ) -> Result<(), EngineError> {
        self.begin_as(
            id,
            plan,
            version,
            Goal::All,
            None,
            RunOrigin::default(),
            actor,
        )
    }

    /// Begins the run `id`, which continues an earlier one with a changed plan.
    pub fn begin_after(
        &self,
        id: RunId,
        plan: Arc<Plan>,
        version: u32,
        inherits: Inheritance,
        actor: Actor,
    ) -> Result<(), EngineError> {
        let beginning = RunOrigin {
            inherits: Some(inherits),
            ..RunOrigin::default()
        };
        self.begin_as(id, plan, version, Goal::All, None, beginning, actor)
    }

    /// Begins the run `id` of an error handler with what it receives about the failure. Fails if the
    /// run exists already, or if the failure no longer waits for its handler.
    pub fn begin_handler(
        &self,
        id: RunId,
        plan: Arc<Plan>,
        version: u32,
        received: Caller,
    ) -> Result<(), EngineError> {
        let origin = RunOrigin {
            caller: Some(Arc::new(received)),
            ..RunOrigin::default()
        };
        self.begin_as(id, plan, version, Goal::All, None, origin, Actor::Baton)
    }

    /// Begins the run `id`, which may execute a node of another run.
    #[expect(
        clippy::too_many_arguments,
        reason = "each is a fact of the run, and callers are few"
    )]
    pub(crate) fn begin_as(
        &self,
        id: RunId,
        plan: Arc<Plan>,
        version: u32,
        goal: Goal,
        limit: Option<u32>,
        origin: RunOrigin,
        actor: Actor,
    ) -> Result<(), EngineError> {
        self.begin_run(id, plan, version, |_| Ok(goal), limit, origin, actor)
    }

    /// Begins the run `id` with the goal that `goal` returns.
    #[expect(
        clippy::too_many_arguments,
        reason = "each is a fact of the run, and callers are few"
    )]
    fn begin_run<E: From<EngineError>>(
        &self,
        id: RunId,
        plan: Arc<Plan>,
        version: u32,
        goal: impl FnOnce(&Run) -> Result<Goal, E>,
        limit: Option<u32>,
        RunOrigin {
            parent,
            inherits,
            caller,
            pinned,
            base_revision,
        }: RunOrigin,
        actor: Actor,
    ) -> Result<(), E> {
        let granted = self.inner.store.grants().list_effective(&plan);
        let granted = granted.map_err(EngineError::from)?;
        let grants = granted.into_iter().map(|row| row.grant).collect();
        let filled = self.run_defaults().apply_to(&plan);
        let rules = self.inner.project_rules.get().map(|read| read(&plan));
        let rules = rules.transpose().map_err(EngineError::from)?;
        let filled = rules.unwrap_or_default().tighten(filled);
        let plan = Arc::new(
            caller
                .as_ref()
                .map(|caller| caller.restrict(&filled))
                .unwrap_or(filled),
        );
        let run = Run::new(id, Arc::clone(&plan)).map_err(EngineError::from)?;
        let goal = goal(&run)?;
        let executor = self.inner.executor;
        let places = limit.unwrap_or(plan.settings.effective_concurrency());
        let pinned = CopiedOutputs::new(pinned, &run);
        let facts = NewRunFacts {
            version,
            base_revision,
            executor,
            parent,
            pinned: pinned.artifacts(),
        };
        let mut artifacts = inherits
            .as_ref()
            .map(|inherits| self.inherited_artifacts(inherits))
            .transpose()?
            .unwrap_or_default();
        artifacts.extend(pinned.by_node());
        self.dispatch(run, (0, Some(facts)), places, artifacts, caller.clone())?;
        let default_agent = Some(self.inner.services.agents.default_name());
        let start = Command::Start {
            version,
            goal,
            limit,
            executor,
            default_agent,
            inherits,
            grants,
            caller,
            pinned: pinned.into_nodes(),
        };
        Ok(self.send_command(id, start, actor)?)
    }

    /// The handoffs of the nodes that a run inherits.
    fn inherited_artifacts(
        &self,
        inherits: &Inheritance,
    ) -> Result<HashMap<NodeId, Arc<baton_model::Artifact>>, EngineError> {
        let named = inherits
            .nodes
            .iter()
            .filter_map(|inherited| Some((inherited.node, inherited.artifact?)));
        let read = |(node, artifact)| {
            Ok((
                node,
                Arc::new(self.inner.store.artifacts().get(artifact)?.content),
            ))
        };
        named.map(read).collect()
    }

    /// Sends `command` to the executor of `run`; when there is none, this process takes the run
    /// over first.
    ///
    /// Returns when the result of the command is stored.
    pub fn command(&self, run: RunId, command: Command, actor: Actor) -> Result<(), EngineError> {
        let cancels = command == Command::Cancel;
        if continues_work(&command) && self.inner.store.runs().lacks_approval_after_import(run)? {
            return Err(EngineError::NotApprovedHere { run });
        }
        self.route_command(run, &command, &actor)?;
        if cancels {
            self.cancel_resting_children(run);
        }
        Ok(())
    }

    /// Nested runs of a paused run have no other way to learn that it was canceled.
    fn cancel_resting_children(&self, run: RunId) {
        let children = self
            .inner
            .store
            .runs()
            .children(run)
            .map(|listing| listing.rows)
            .unwrap_or_default();
        let rests = |row: &RunRow| !row.state.has_ended() && !row.state.is_running();
        self.cancel_all(children.into_iter().filter(rests));
    }

    /// Cancels nested runs whose parent run has ended without them.
    pub(crate) fn cancel_abandoned(&self) {
        match self.inner.store.runs().orphaned() {
            Ok(listing) => {
                let events = self.inner.store.run_events();
                // A nested run that a person resumed after the parent's end stays.
                let rests = |row: &RunRow| !row.state.is_running();
                let is_ours = |row: &RunRow| {
                    rests(row) && matches!(events.paused_by(row.id), Ok(Some(Actor::Baton)))
                };
                self.cancel_all(listing.rows.into_iter().filter(is_ours));
            }
            Err(error) => tracing::warn!(%error, "couldn't read abandoned runs"),
        }
    }

    fn cancel_all(&self, runs: impl Iterator<Item = RunRow>) {
        for row in runs {
            if let Err(error) = self.command(row.id, Command::Cancel, Actor::Baton) {
                // The run has already ended.
                tracing::debug!(run = %row.id, %error, "couldn't cancel a nested run");
            }
        }
    }

    fn route_command(
        &self,
        run: RunId,
        command: &Command,
        actor: &Actor,
    ) -> Result<(), EngineError> {
        self.retry_while_moving(|| {
            if self.is_executing(run) {
                return self.send_command(run, command.clone(), actor.clone());
            }
            match self.holder(run)? {
                Holder::Other(other) => {
                    self.request_from_executor(run, command, actor, &other.executor)
                }
                Holder::Nobody {
                    executor, epoch, ..
                } => self.take_over(run, executor, epoch, Some((command.clone(), actor.clone()))),
            }
        })
    }

    /// Takes over a run whose executor is dead, or silent for so long that it may be displaced.
    /// Refused while another process executes it; does nothing when this process does, or when the
    /// run is idle. Returns whether it was taken over.
    pub fn adopt(&self, run: RunId) -> Result<bool, EngineError> {
        let mut taken = false;
        self.retry_while_moving(|| {
            if self.is_executing(run) {
                return Ok(());
            }
            match self.holder(run)? {
                Holder::Other(other) => Err(EngineError::Attended {
                    run,
                    pid: other.executor.pid,
                }),
                Holder::Nobody {
                    is_running: false, ..
                } => Ok(()),
                Holder::Nobody {
                    executor, epoch, ..
                } => {
                    self.take_over(run, executor, epoch, None)?;
                    taken = true;
                    Ok(())
                }
            }
        })?;
        if taken {
            // Answers requests that the previous executor left open.
            self.answer_requests();
        }
        Ok(taken)
    }

    /// Retries when the run became idle, or moved to another process, between the check and the
    /// command.
    fn retry_while_moving(
        &self,
        mut attempt: impl FnMut() -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        let mut tries = 0;
        loop {
            match attempt() {
                Err(EngineError::Moved { .. })
                    if tries < MAX_COMMAND_TRIES && !*lock(&self.inner.closing) =>
                {
                    tries += 1
                }
                answer => return answer,
            }
        }
    }

    /// Takes over every unfinished run without an active executor; returns the runs that were taken
    /// over.
    pub fn adopt_all(&self) -> Result<Vec<RunId>, EngineError> {
        let mut adopted = Vec::new();
        for active in self.inner.store.executors().active_runs()?.rows {
            let run = active.run;
            match self.adopt(run) {
                Ok(true) => adopted.push(run),
                Ok(false) => {}
                // Another process executes it, or was quicker.
                Err(EngineError::Attended { .. } | EngineError::Moved { .. }) => {}
                Err(error) => tracing::error!(%run, %error, "couldn't take over a run"),
            }
        }
        self.cancel_abandoned();
        Ok(adopted)
    }

    /// Returns whether this process executes `run` at the moment.
    #[must_use]
    pub fn is_executing(&self, run: RunId) -> bool {
        self.inner.runs().contains_key(&run)
    }

    /// The runs that this process executes at the moment.
    #[must_use]
    pub fn executing_runs(&self) -> Vec<RunId> {
        self.inner.runs().keys().copied().collect()
    }

    /// Returns whether an executor may be active: its process runs, or cannot be seen from here and
    /// has not been silent for too long.
    #[must_use]
    pub fn may_be_active(&self, executor: &ExecutorRow) -> bool {
        match executor_health::process_liveness(executor) {
            ProcessLiveness::Alive => true,
            ProcessLiveness::Gone => false,
            ProcessLiveness::Unknown => self.executor_health(executor).0 != Health::Stale,
        }
    }

    /// Returns what the session of an attempt is doing at the moment, if this process executes it.
    #[must_use]
    pub fn activity(
        &self,
        run: RunId,
        node: NodeId,
        attempt: baton_model::Attempt,
    ) -> Option<String> {
        let pool = self.inner.runs().get(&run)?.pool.clone();
        pool.activity(node, attempt)
    }

    /// Waits until this process has nothing more to do for `run`; an error says why it gave up.
    pub fn wait(&self, run: RunId) -> Result<(), EngineError> {
        let mut runs = self.inner.runs();
        while runs.contains_key(&run) {
            runs = self
                .inner
                .left
                .wait(runs)
                .unwrap_or_else(PoisonError::into_inner);
        }
        drop(runs);
        match lock(&self.inner.gave_up).remove(&run) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Ends all dispatchers. Sessions keep running, and another process or the next start of Baton
    /// continues their runs.
    pub fn shut_down(&self) {
        if std::mem::replace(&mut *lock(&self.inner.closing), true) {
            return;
        }
        self.inner.close.notify_all();
        if let Some(heartbeat_thread) = lock(&self.inner.heartbeat_thread).take() {
            // A heartbeat thread that panicked has stopped as well.
            let _ = heartbeat_thread.join();
        }
        for run in self.inner.runs().values() {
            // The dispatcher may have ended already.
            let _ = run.inbox.send(Input::Shutdown);
        }
        let mut runs = self.inner.runs();
        let deadline = Instant::now() + Duration::from_secs(2);
        while !runs.is_empty() && Instant::now() < deadline {
            let waited = self
                .inner
                .left
                .wait_timeout(runs, Duration::from_millis(200));
            runs = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        drop(runs);
        crash_point("before leave");
        if let Err(error) = self
            .inner
            .store
            .executors()
            .mark_ended(self.inner.executor, now())
        {
            tracing::warn!(%error, "couldn't store the executor's shutdown");
        }
        crash_point("after leave");
    }

    /// Makes this process the executor of `run`, which `before` has or had since `epoch`, and sends
    /// it `commands`. Fails when the epoch has changed: then the executor that was judged no longer
    /// has the run.
    ///
    /// Everything goes into the inbox together: an idle run is dropped as soon as its inbox is
    /// empty.
    fn take_over(
        &self,
        run: RunId,
        before: ExecutorId,
        epoch: Epoch,
        person_command: Option<(Command, Actor)>,
    ) -> Result<(), EngineError> {
        let former = self.inner.store.executors().get(before).ok();
        let reason = self.reason_to_take_over(former.as_ref());
        if let Some(former) = &former {
            lock::kill_lock_holder(former, self.inner.store.data_dir());
        }
        let (replayed, last_seq) = self.inner.store.runs().replay(run)?;
        if replayed.epoch() != epoch {
            return Err(EngineError::Moved { run });
        }
        let artifacts = self.inner.store.artifacts().latest_for_run(run)?;
        let artifacts = artifacts
            .rows
            .into_iter()
            .map(|row| (row.node, Arc::new(row.content)))
            .collect();
        let executor = self.inner.executor;
        // An idle run had no executor to displace, and a run that this process dropped for a moment
        // had no other executor.
        let is_taken = replayed.state().is_running() && before != executor;
        let record = is_taken.then(|| {
            let here = (&self.inner.services.agents, self.inner.store.data_dir());
            Box::new(takeover::record(
                &replayed,
                (before, former.as_ref()),
                reason,
                now(),
                here,
            ))
        });
        let command = Command::TakeOver {
            executor,
            epoch: next_epoch(replayed.epoch()),
            record,
        };
        let places = replayed.concurrency_limit();
        let caller = replayed.caller().cloned();
        self.dispatch(replayed, (last_seq, None), places, artifacts, caller)?;
        let commands = std::iter::once((command, Actor::Baton)).chain(person_command);
        self.send_commands(run, commands)
    }

    fn reason_to_take_over(&self, former: Option<&ExecutorRow>) -> TakeoverReason {
        let (health, silence) = former.map_or((Health::Gone, Duration::ZERO), |former| {
            self.executor_health(former)
        });
        let silence_ms = u64::try_from(silence.as_millis()).unwrap_or(u64::MAX);
        takeover::reason(former, health, silence_ms, &crate::identity::host())
    }

    fn dispatch(
        &self,
        mut run: Run,
        (last_seq, new): (u64, Option<NewRunFacts>),
        places: u32,
        artifacts: HashMap<NodeId, Arc<baton_model::Artifact>>,
        caller: Option<Arc<Caller>>,
    ) -> Result<(), EngineError> {
        // Replayed changes are in the store already.
        drop(run.take_changed_nodes());
        let id = run.id();
        let (inbox, incoming) = channel();
        let pool = Pool::new(
            Arc::clone(&self.inner.services),
            WeakEngine(Arc::downgrade(&self.inner)),
            places,
            new.is_none(),
            inbox.clone(),
        );
        let waiting = Arc::new(AtomicBool::new(false));
        let context = RunContext::new(id, Arc::clone(run.plan()), run.graph().clone(), artifacts)
            .called_by(caller);
        let dispatcher = Dispatcher::new(
            run,
            last_seq,
            new,
            EngineRuntime {
                store: self.inner.store.clone(),
                pool: pool.clone(),
                engine: WeakEngine(Arc::downgrade(&self.inner)),
                executor: self.inner.executor,
                waiting: Arc::clone(&waiting),
            },
            Arc::new(context),
            self.inner.services.agents.clone(),
        );
        let mut runs = self.inner.runs();
        if runs.contains_key(&id) {
            return Ok(());
        }
        lock(&self.inner.gave_up).remove(&id);
        let inner = Arc::clone(&self.inner);
        thread::Builder::new()
            .name("dispatcher".to_owned())
            .spawn(move || inner.run_dispatcher(id, dispatcher, &incoming))?;
        runs.insert(
            id,
            DispatchedRun {
                inbox,
                pool,
                waiting,
            },
        );
        Ok(())
    }

    /// Sends `command` to this process's dispatcher of `run` and waits for the answer.
    fn send_command(&self, run: RunId, command: Command, actor: Actor) -> Result<(), EngineError> {
        self.send_commands(run, std::iter::once((command, actor)))
    }

    /// Sends commands to the dispatcher without a pause in between, and waits for all answers;
    /// returns the first refusal.
    fn send_commands(
        &self,
        run: RunId,
        commands: impl Iterator<Item = (Command, Actor)>,
    ) -> Result<(), EngineError> {
        let gone = || EngineError::Moved { run };
        let mut answers = Vec::new();
        let pool = {
            let runs = self.inner.runs();
            let dispatched = runs.get(&run).ok_or_else(gone)?;
            for (command, actor) in commands {
                let (reply, answer) = channel();
                // A dispatcher that has ended sends no answer.
                dispatched
                    .inbox
                    .send(Input::Command {
                        command,
                        actor,
                        reply,
                    })
                    .unwrap_or_default();
                answers.push(answer);
            }
            dispatched.pool.clone()
        };
        let answered =
            answers
                .into_iter()
                .try_for_each(|answer: Receiver<Result<(), EngineError>>| {
                    answer.recv().map_err(|_| gone())?
                });
        if let Err(EngineError::Moved { .. }) = answered {
            self.inner.wait_until_removed(run, &pool);
        }
        answered
    }

    fn request_from_executor(
        &self,
        run: RunId,
        command: &Command,
        actor: &Actor,
        other: &ExecutorRow,
    ) -> Result<(), EngineError> {
        let changes = self.inner.store.subscribe();
        let id = self
            .inner
            .store
            .requests()
            .add(run, command, actor, now())?;
        let deadline = Instant::now() + REQUEST_TIMEOUT;
        loop {
            match self.inner.store.requests().outcome(id)? {
                Some(RequestOutcome::Granted) => return Ok(()),
                Some(RequestOutcome::Refused { message }) => {
                    return Err(EngineError::RefusedElsewhere(message));
                }
                None => {}
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let dead = match changes.recv_timeout(left.min(POLL_INTERVAL)) {
                Ok(_) => continue,
                Err(RecvTimeoutError::Timeout) => {
                    !matches!(self.holder(run)?, Holder::Other(holder) if holder.executor.id == other.id)
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(EngineError::Silent {
                        run,
                        pid: other.pid,
                    });
                }
            };
            if dead || left.is_zero() {
                let message = "the caller stopped waiting".to_owned();
                self.inner.store.requests().answer(
                    id,
                    &RequestOutcome::Refused { message },
                    now(),
                )?;
                // Unless it was answered at this very moment, the request is withdrawn and cannot
                // be executed later.
                return match self.inner.store.requests().outcome(id)? {
                    Some(RequestOutcome::Granted) => Ok(()),
                    _ if dead => Err(EngineError::Moved { run }),
                    _ => Err(EngineError::Silent {
                        run,
                        pid: other.pid,
                    }),
                };
            }
        }
    }

    fn serve_requests(&self) -> Result<(), EngineError> {
        let changes: Receiver<Change> = self.inner.store.subscribe();
        // A strong reference would keep the store open forever; with a weak one, the events end
        // with the store.
        let engine = Arc::downgrade(&self.inner);
        thread::Builder::new()
            .name("requests".to_owned())
            .spawn(move || {
                for change in changes {
                    // Also for a run that has become idle here meanwhile: no other executor would
                    // answer.
                    if matches!(change, Change::RequestAdded { .. } | Change::Everything) {
                        let Some(inner) = engine.upgrade() else {
                            return;
                        };
                        Self { inner }.answer_requests();
                    }
                }
            })?;
        Ok(())
    }

    /// Executes a request that was sent to this executor, unless the run belongs to another one by
    /// now.
    fn execute_request(
        &self,
        run: RunId,
        command: &Command,
        actor: &Actor,
    ) -> Result<(), EngineError> {
        self.retry_while_moving(|| {
            if self.is_executing(run) {
                return self.send_command(run, command.clone(), actor.clone());
            }
            let row = self.inner.store.runs().get(run)?;
            if row.executor != self.inner.executor {
                return Err(EngineError::Moved { run });
            }
            self.take_over(
                run,
                row.executor,
                row.epoch,
                Some((command.clone(), actor.clone())),
            )
        })
    }

    fn answer_requests(&self) {
        let requests = match self.inner.store.requests().pending_for(self.inner.executor) {
            Ok(requests) => requests.rows,
            Err(error) => return tracing::error!(%error, "couldn't read requests"),
        };
        for request in requests {
            let outcome = match self.execute_request(request.run, &request.command, &request.actor)
            {
                Ok(()) => RequestOutcome::Granted,
                // The new executor finds the request, or the caller no longer waits.
                Err(EngineError::Moved { .. }) => continue,
                Err(error) => RequestOutcome::Refused {
                    message: error.to_string(),
                },
            };
            if let Err(error) = self
                .inner
                .store
                .requests()
                .answer(request.id, &outcome, now())
            {
                tracing::error!(%error, "couldn't answer a request");
            }
        }
    }
}

impl Inner {
    fn runs(&self) -> MutexGuard<'_, HashMap<RunId, DispatchedRun>> {
        lock(&self.runs)
    }

    /// Runs a dispatcher until nothing is left to do, then removes it from the list.
    fn run_dispatcher(
        self: &Arc<Self>,
        run: RunId,
        dispatcher: Dispatcher<EngineRuntime>,
        inbox: &Receiver<Input>,
    ) {
        let leaving = dispatcher.work(inbox, |inbox| {
            let mut runs = self.runs();
            // Nobody sends a command under this lock: later callers find the run off the list.
            let arrived = inbox.try_recv().ok();
            if arrived.is_none() {
                runs.remove(&run);
            }
            arrived
        });
        match &leaving {
            DispatcherExit::GaveUp(reason) => {
                tracing::error!(%run, %reason, "a run was given up; its sessions keep running");
                let reason = reason.clone();
                lock(&self.gave_up).insert(run, EngineError::GaveUp { run, reason });
            }
            DispatcherExit::Illegal(illegal) => {
                tracing::error!(%run, ?illegal, "a run was dropped; its sessions keep running");
                lock(&self.gave_up).insert(run, EngineError::Illegal(illegal.clone()));
            }
            // Before others can see that it is gone: a process that waits for nothing else exits
            // then.
            DispatcherExit::Displaced => self.handle_displacement(run),
            DispatcherExit::AtRest | DispatcherExit::PlanChanged | DispatcherExit::Shutdown => {}
        }
        // An idle one is off the list already, and the run may have its next dispatcher by now.
        if leaving != DispatcherExit::AtRest {
            let dispatched = self.runs().remove(&run);
            dispatched
                .map(|dispatched| dispatched.pool.close())
                .unwrap_or_default();
        }
        self.services.files.release(run);
        self.left.notify_all();
        if leaving == DispatcherExit::AtRest
            && self
                .store
                .runs()
                .get(run)
                .is_ok_and(|row| row.state.has_ended())
        {
            Engine {
                inner: Arc::clone(self),
            }
            .cancel_abandoned();
        }
    }

    /// Waits until the dispatcher with this pool, which is ending, is off the list.
    fn wait_until_removed(&self, run: RunId, pool: &Pool) {
        let mut runs = self.runs();
        while runs
            .get(&run)
            .is_some_and(|dispatched| dispatched.pool.ptr_eq(pool))
        {
            runs = self.left.wait(runs).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn handle_displacement(&self, run: RunId) {
        tracing::info!(%run, "another executor has the run; its sessions continue there");
        if let Err(error) = self
            .store
            .takeovers()
            .record_displaced(run, self.executor, now())
        {
            tracing::warn!(%run, %error, "couldn't store the displacement");
        }
    }
}

/// Whether the command can make a run do more than it did: everything but what ends or limits it.
fn continues_work(command: &Command) -> bool {
    !matches!(
        command,
        Command::Cancel
            | Command::Pause { .. }
            | Command::Revoke { .. }
            | Command::EndReplan { .. }
            | Command::DecideHandler { .. }
    )
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
