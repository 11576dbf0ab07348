//! The open Baton: its store, its engine, and state that lives as long as the process.

use std::ops::Deref;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock, Weak};

use baton_model::{ProposalId, RunId};
use baton_planning::settings::StoredSettings;
use baton_planning::{Context, InterprocessLock, Shared, error_handlers, proposals, replans};
use baton_store::Actor;

use crate::changes::{ChangeSubscribers, Changes};
use crate::housekeeping_thread::HousekeepingThread;
use crate::open_terminals::OpenTerminals;
use crate::wire::Change;
use crate::{ApiError, Role};

/// A handle to the open Baton on behalf of an actor. Whether a call is carried out, held, or
/// refused depends on the actor.
pub struct App {
    inner: Arc<AppInner>,
    context: Context,
}

/// State shared by all handles of one open Baton.
pub struct AppInner {
    planning: Context,
    me: Weak<AppInner>,
    /// The socket for sessions, once opened; `Some(None)` if it couldn't be opened.
    pub(crate) session_socket: OnceLock<Option<PathBuf>>,
    pub(crate) subscribers: ChangeSubscribers,
    adopted: OnceLock<Vec<RunId>>,
    pub(crate) housekeeping: HousekeepingThread,
    pub(crate) role: Role,
    pub(crate) terminals: OpenTerminals,
}

impl Deref for App {
    type Target = AppInner;

    fn deref(&self) -> &AppInner {
        &self.inner
    }
}

impl Deref for AppInner {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.planning
    }
}

/// A weak handle that doesn't keep Baton open. It acts as Baton itself.
#[derive(Clone)]
pub(crate) struct WeakApp(Weak<AppInner>);

impl WeakApp {
    /// Returns a strong handle if Baton is still open.
    pub(crate) fn upgrade(&self) -> Option<App> {
        self.0.upgrade().map(|inner| App {
            context: inner.planning.acting_as(Actor::Baton),
            inner,
        })
    }
}

impl App {
    /// Builds a handle from the opened parts, acting as `context`'s actor.
    pub(crate) fn assemble(context: Context, subscribers: ChangeSubscribers, role: Role) -> Self {
        let inner = Arc::new_cyclic(|me| AppInner {
            planning: context.clone(),
            me: Weak::clone(me),
            session_socket: OnceLock::new(),
            subscribers,
            adopted: OnceLock::new(),
            housekeeping: HousekeepingThread::default(),
            role,
            terminals: OpenTerminals::default(),
        });
        Self { inner, context }
    }

    /// The same open Baton on behalf of `actor`.
    #[must_use]
    pub fn acting_as(&self, actor: Actor) -> Self {
        Self {
            inner: Arc::clone(&self.inner),
            context: self.context.acting_as(actor),
        }
    }

    /// The same open Baton on behalf of an agent: the caller itself if it is one or a program,
    /// otherwise an agent called `name`. For callers that are programs of agents even when a person
    /// started them.
    #[must_use]
    pub fn on_behalf_of_agent(&self, name: &str) -> Self {
        match self.actor() {
            Actor::Person(_) | Actor::Baton => self.acting_as(Actor::Agent(name.to_owned())),
            other => self.acting_as(other),
        }
    }

    /// Replans after `run` if it failed and its plan is set to replan; returns the proposal, which
    /// may already exist. Long-running processes do this automatically; a shell command calls it
    /// before it exits.
    pub fn replan_if_configured(&self, run: RunId) -> Result<Option<ProposalId>, ApiError> {
        Ok(proposals::propose_if_enabled(&self.context, run)?)
    }

    /// Starts the error handler of `run` if it has failed and its plan names one; returns the
    /// handler's run. Long-running processes do this automatically; a shell command calls it before
    /// it exits.
    pub fn start_error_handler(&self, run: RunId) -> Result<Option<RunId>, ApiError> {
        Ok(error_handlers::start_if_due(&self.context, run)?)
    }

    /// Updates the run that `proposal` is about with the proposal's progress.
    pub fn update_replanning_run(&self, proposal: ProposalId) -> Result<(), ApiError> {
        let stored = self.store.proposals().get(proposal)?.proposal;
        replans::notify_run(&self.context, &stored);
        Ok(())
    }

    /// The actor on whose behalf operations are called.
    #[must_use]
    pub fn actor(&self) -> Actor {
        self.context.actor()
    }

    /// The context that the inner crates need.
    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// Waits for the lock that makes check-then-act sequences atomic across processes. Times out,
    /// because its holder may be suspended.
    pub fn interprocess_lock(&self) -> Result<InterprocessLock, ApiError> {
        Ok(self.context.interprocess_lock()?)
    }

    /// Stores settings, which take effect immediately.
    pub(crate) fn store_settings(&self, settings: &StoredSettings) -> Result<(), ApiError> {
        settings.write(&self.store)?;
        self.reread_settings()
    }
}

impl AppInner {
    /// Subscribes to changes from now on.
    #[must_use]
    pub fn changes(&self) -> Changes {
        self.subscribers.subscribe()
    }

    /// A weak handle for threads that must not keep Baton open.
    pub(crate) fn downgrade(&self) -> WeakApp {
        WeakApp(Weak::clone(&self.me))
    }

    /// Sends a change to all subscribers.
    pub(crate) fn publish(&self, change: Change) {
        self.subscribers.send(change);
    }

    /// Resumes a run whose executor died. Refused while another process executes it.
    pub fn adopt(&self, run: RunId) -> Result<(), ApiError> {
        self.engine.adopt(run).map(|_| ()).map_err(ApiError::from)
    }

    pub(crate) fn remember_adopted(&self, runs: Vec<RunId>) {
        self.adopted.get_or_init(|| runs);
    }

    /// Runs that this process took over when it started, in the order in which they were created.
    #[must_use]
    pub fn adopted(&self) -> &[RunId] {
        self.adopted.get().map_or(&[], Vec::as_slice)
    }

    /// Runs that this process is executing.
    #[must_use]
    pub fn executing_runs(&self) -> Vec<RunId> {
        self.engine.executing_runs()
    }

    /// Applies settings that another process or operation stored.
    pub(crate) fn reread_settings(&self) -> Result<(), ApiError> {
        let stored = StoredSettings::read(&self.store)?;
        self.engine
            .agents()
            .configure(stored.default_agent, stored.custom_agents);
        self.engine.agents().set_guarded_tools(stored.guarded_tools);
        self.engine.agents().set_teams(stored.teams);
        self.engine.agents().set_limits(stored.agent_concurrency);
        self.engine.limits_changed();
        self.engine.set_run_defaults(stored.run_defaults);
        self.engine.tools().configure(stored.mcp_servers);
        Ok(())
    }
}
