//! One Baton process: its store, its engine, and what it remembers while it lives.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, Weak};

use baton_engine::{
    AgentRegistry, Engine, EngineError, Lease, LeaseError, LoginPath, News, Setup, ToolRegistry,
};
use baton_keeper::Lineage;
use baton_model::{ProposalId, RunId};
use baton_planning::settings::StoredSettings;
use baton_planning::{Context, Growth, Lifetime, Shared, Turn, replans};
use baton_store::{Actor, ExecutorKind, Options, Store, StoreError};

use crate::changes::{Changes, Onlookers};
use crate::session_socket::SessionSocket;
use crate::{ApiError, data_access, origin, settings, templates};

/// What kind of Baton this process is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The window: goes on with runs whose executor died.
    Window,
    /// The server behind a browser: goes on with runs whose executor died.
    Server,
    /// A shell command: takes over only what it is asked to.
    Cli,
    /// A process that only executes: goes on with runs whose executor died.
    Worker,
}

/// An open Baton, in the hands of somebody: what is asked of it is done, held or refused by who that is.
pub struct App {
    opened: Arc<Opened>,
    context: Context,
}

/// What all who use one open Baton share.
pub struct Opened {
    planning: Context,
    me: Weak<Opened>,
    pub(crate) session_socket: SessionSocket,
    pub(crate) onlookers: Onlookers,
    adopted: OnceLock<Vec<RunId>>,
}

impl Deref for App {
    type Target = Opened;

    fn deref(&self) -> &Opened {
        &self.opened
    }
}

impl Deref for Opened {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.planning
    }
}

/// A way to an open Baton that does not keep it open. Whoever comes this way acts as Baton itself.
#[derive(Clone)]
pub(crate) struct WeakApp(Weak<Opened>);

impl WeakApp {
    /// The open Baton, if anybody still has it.
    pub(crate) fn upgrade(&self) -> Option<App> {
        self.0.upgrade().map(|opened| App {
            context: opened.planning.acting_as(Actor::Baton),
            opened,
        })
    }
}

/// Why Baton cannot start. The message is a sentence for a person.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// There is no place for data: neither `BATON_DATA_DIR` nor a home directory.
    #[error(
        "there is no place for Baton's data: neither BATON_DATA_DIR nor a home directory is set"
    )]
    NoDataDirectory,
    /// The database cannot be used.
    #[error(transparent)]
    Store(Box<StoreError>),
    /// A process of one of its own sessions asks.
    #[error(
        "Baton cannot be opened from inside one of its own sessions: only the socket of the session leads there"
    )]
    WithinSession,
    /// The environment asks for a lease that makes no sense.
    #[error(transparent)]
    Lease(#[from] LeaseError),
    /// Sessions cannot be run.
    #[error(transparent)]
    Engine(Box<EngineError>),
}

impl From<StoreError> for AppError {
    fn from(error: StoreError) -> Self {
        Self::Store(Box::new(error))
    }
}

impl From<EngineError> for AppError {
    fn from(error: EngineError) -> Self {
        Self::Engine(Box::new(error))
    }
}

/// Where data is kept unless somebody says otherwise: `BATON_DATA_DIR`, or the platform's place for data.
pub fn default_data_directory() -> Result<PathBuf, AppError> {
    if let Some(directory) = std::env::var_os("BATON_DATA_DIR").filter(|value| !value.is_empty()) {
        return Ok(PathBuf::from(directory));
    }
    let directories =
        directories::ProjectDirs::from("dev", "baton", "baton").ok_or(AppError::NoDataDirectory)?;
    Ok(directories.data_dir().to_path_buf())
}

impl App {
    /// Opens the data directory and starts the engine.
    ///
    /// At first start the examples are put in. All but a shell command go on with every run whose executor died.
    pub fn open(data_directory: PathBuf, role: Role) -> Result<Arc<Self>, AppError> {
        Self::open_with_keeper(data_directory, role, keeper())
    }

    /// Like [`App::open`], with the keeper's program at another place than usual.
    pub fn open_with_keeper(
        data_directory: PathBuf,
        role: Role,
        keeper: PathBuf,
    ) -> Result<Arc<Self>, AppError> {
        let data_directory = std::path::absolute(&data_directory).unwrap_or(data_directory);
        if origin::own_lineage(&data_directory) != Lineage::Outside {
            return Err(AppError::WithinSession);
        }
        let store = Store::open_with(&data_directory, Options::default())?;
        close_to_others(&data_directory);
        let stored = StoredSettings::read(&store)?;
        let agents = AgentRegistry::new(stored.default_agent.clone());
        agents.configure(stored.default_agent, stored.custom_agents);
        agents.guard(stored.guarded_tools);
        agents.put_teams(stored.teams);
        agents.put_limits(stored.agent_concurrency);
        let onlookers = Onlookers::default();
        let listeners = onlookers.clone();
        let tell = Box::new(move |news: News| {
            listeners.tell(match news {
                News::Session { session, run } => crate::wire::Change::Session { session, run },
                News::Attendance { run, plan } => crate::wire::Change::Run {
                    run,
                    plan,
                    nodes: Vec::new(),
                    whole: true,
                },
            });
        });
        let kind = match role {
            Role::Window | Role::Server => ExecutorKind::App,
            Role::Cli => ExecutorKind::Cli,
            Role::Worker => ExecutorKind::Worker,
        };
        let settings = store.clone();
        // A setting that cannot be read is no permission.
        let may_displace = Box::new(move || {
            StoredSettings::read(&settings).is_ok_and(|stored| stored.takeover_allowed)
        });
        let login_path = match role {
            Role::Window => LoginPath::First,
            Role::Server | Role::Cli | Role::Worker => LoginPath::of_this_process(),
        };
        let tools = ToolRegistry::new(
            program_beside(&keeper, "BATON_TOOL", "baton-tool"),
            program_beside(&keeper, "BATON_PROGRAM", "baton"),
        );
        tools.configure(stored.mcp_servers);
        let setup = Setup {
            store: store.clone(),
            keeper,
            kind,
            agents,
            tools,
            login_path,
            lease: Lease::from_environment()?,
            may_displace,
            tell,
        };
        let engine = Engine::start(setup)?;
        engine.set_run_defaults(stored.run_defaults);
        onlookers.listen_to(&store);
        let actor = origin::actor_of_this_process(&store, role)?;
        let lifetime = Lifetime {
            stays: role != Role::Cli,
            // A shell command is over before there is anything to keep.
            keeps_transcripts: matches!(role, Role::Window | Role::Server),
        };
        let listeners = onlookers.clone();
        let grown = Arc::new(move |growth: Growth| listeners.tell(growth.into()));
        let context = Context::new(store, engine, lifetime, grown, actor);
        let opened = Arc::new_cyclic(|me| Opened {
            planning: context.clone(),
            me: Weak::clone(me),
            session_socket: SessionSocket::default(),
            onlookers,
            adopted: OnceLock::new(),
        });
        let app = Arc::new(Self { opened, context });
        app.keep_transcripts();
        if let Err(error) = templates::put_examples_at_first_start(&app) {
            tracing::warn!(%error, "the examples could not be put in");
        }
        let adopts = lifetime.stays;
        if adopts {
            let adopted = app.engine.adopt_all()?;
            app.adopted.get_or_init(|| adopted);
        }
        settings::follow(&app)?;
        app.engine.watch(adopts)?;
        if adopts {
            app.follow_proposals();
            app.open_session_socket();
        }
        Ok(app)
    }

    /// The same open Baton in the hands of `actor`.
    #[must_use]
    pub fn acting_as(&self, actor: Actor) -> Self {
        Self {
            opened: Arc::clone(&self.opened),
            context: self.context.acting_as(actor),
        }
    }

    /// Replans after `run` if it has failed and its plan asks for that; the proposal that is being made or waits for
    /// a person. Processes that stay do so by themselves; a shell command asks for it before it ends.
    pub fn replan_if_asked(&self, run: RunId) -> Result<Option<ProposalId>, ApiError> {
        Ok(replans::if_asked(&self.context, run)?)
    }

    /// Lets the run that `proposal` is about know how far the proposal is.
    pub fn settle_replan(&self, proposal: ProposalId) -> Result<(), ApiError> {
        let stored = self.store.proposals().get(proposal)?.proposal;
        replans::tell_run(&self.context, &stored);
        Ok(())
    }

    /// Who acts when an operation is called.
    pub(crate) fn actor(&self) -> Actor {
        self.context.actor()
    }

    /// The same below the border.
    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// Waits until nobody else is between looking and acting; not for ever, as that one may have been stopped there.
    pub fn turn(&self) -> Result<Turn, ApiError> {
        Ok(self.context.turn()?)
    }

    /// Stores settings, which hold from now on.
    pub(crate) fn store_settings(&self, settings: &StoredSettings) -> Result<(), ApiError> {
        settings.write(&self.store)?;
        self.reread_settings()
    }
}

impl Opened {
    /// Lets sessions of this data directory reach Baton through this process from now on.
    pub(crate) fn open_session_socket(&self) {
        self.session_socket.open(&self.store, self.me());
    }

    /// What changes from now on.
    #[must_use]
    pub fn changes(&self) -> Changes {
        self.onlookers.subscribe()
    }

    /// This app, for threads that must not keep it.
    pub(crate) fn me(&self) -> WeakApp {
        WeakApp(Weak::clone(&self.me))
    }

    /// Tells all who look on.
    pub(crate) fn tell(&self, change: crate::wire::Change) {
        self.onlookers.tell(change);
    }

    /// Waits until this process has nothing more to do for `run`.
    pub fn wait_for_run(&self, run: RunId) -> Result<(), ApiError> {
        // Whoever executes a run is there for its sessions.
        self.open_session_socket();
        self.engine.wait(run).map_err(ApiError::from)
    }

    /// Goes on with a run whose executor died. Refused while another process executes it.
    pub fn adopt(&self, run: RunId) -> Result<(), ApiError> {
        self.engine.adopt(run).map(|_| ()).map_err(ApiError::from)
    }

    /// The runs that this process took over at its start, in the order in which they began.
    #[must_use]
    pub fn adopted(&self) -> &[RunId] {
        self.adopted.get().map_or(&[], Vec::as_slice)
    }

    /// The runs that this process executes at the moment.
    #[must_use]
    pub fn executed(&self) -> Vec<RunId> {
        self.engine.executed()
    }

    /// Lets go of everything. Sessions live on, and the next start finds them.
    pub fn shut_down(&self) {
        self.session_socket.close();
        self.library.stop();
        self.engine.leave();
    }

    /// Takes over settings that another process or operation has stored.
    pub(crate) fn reread_settings(&self) -> Result<(), ApiError> {
        let stored = StoredSettings::read(&self.store)?;
        self.engine
            .agents()
            .configure(stored.default_agent, stored.custom_agents);
        self.engine.agents().guard(stored.guarded_tools);
        self.engine.agents().put_teams(stored.teams);
        self.engine.agents().put_limits(stored.agent_concurrency);
        self.engine.limits_changed();
        self.engine.set_run_defaults(stored.run_defaults);
        self.engine.tools().configure(stored.mcp_servers);
        Ok(())
    }
}

/// Keeps other users of the machine out. Where that cannot be done Baton works, and the Doctor tells it, too.
fn close_to_others(data_directory: &Path) {
    match data_access::close(data_directory) {
        Ok(exposed) if exposed.is_empty() => {}
        Ok(exposed) => tracing::warn!(
            ?exposed,
            "other users of this machine can reach Baton's data"
        ),
        Err(error) => tracing::warn!(%error, "who can reach Baton's data is not known"),
    }
}

/// A program of Baton's own: where the variable says, or beside the keeper.
fn program_beside(keeper: &Path, variable: &str, name: &str) -> PathBuf {
    let named = std::env::var_os(variable).map(PathBuf::from);
    named
        .unwrap_or_else(|| keeper.with_file_name(format!("{name}{}", std::env::consts::EXE_SUFFIX)))
}

/// The keeper's program: beside this one, or where `BATON_KEEPER` says.
fn keeper() -> PathBuf {
    if let Some(path) = std::env::var_os("BATON_KEEPER") {
        return PathBuf::from(path);
    }
    let own = std::env::current_exe().unwrap_or_default();
    own.with_file_name(format!("baton-keeper{}", std::env::consts::EXE_SUFFIX))
}
