//! One Baton process: its store, its engine, and what it remembers while it lives.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, Weak};

use baton_engine::{
    AgentRegistry, Engine, EngineError, Lease, LeaseError, LoginPath, News, Setup, ToolRegistry,
};
use baton_keeper::Lineage;
use baton_model::{ProposalId, RunId, Timestamp};
use baton_store::{Actor, ExecutorKind, Options, Store, StoreError};
use baton_transcripts::{Homes, Library};

use crate::changes::{Changes, Onlookers};
use crate::contents::Contents;
use crate::proposals::Follower;
use crate::session_socket::SessionSocket;
use crate::sessions::Timelines;
use crate::settings::StoredSettings;
use crate::transcripts::Readings;
use crate::watch::Watches;
use crate::{ApiError, data_access, origin, replans, settings, templates};

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
    actor: Actor,
}

/// What all who use one open Baton share.
pub struct Opened {
    pub(crate) store: Store,
    pub(crate) engine: Engine,
    pub(crate) contents: Contents,
    pub(crate) timelines: Mutex<Timelines>,
    pub(crate) watches: Watches,
    pub(crate) library: Library,
    pub(crate) readings: Mutex<Readings>,
    pub(crate) follower: Follower,
    me: Weak<Opened>,
    pub(crate) session_socket: SessionSocket,
    pub(crate) onlookers: Onlookers,
    adopted: OnceLock<Vec<RunId>>,
    /// It goes on with what others leave.
    pub(crate) stays: bool,
    keeps_transcripts: bool,
    transcripts_are_listed: OnceLock<()>,
    words_are_read: OnceLock<()>,
}

impl Deref for App {
    type Target = Opened;

    fn deref(&self) -> &Opened {
        &self.opened
    }
}

/// A way to an open Baton that does not keep it open. Whoever comes this way acts as Baton itself.
#[derive(Clone)]
pub(crate) struct WeakApp(Weak<Opened>);

impl WeakApp {
    /// The open Baton, if anybody still has it.
    pub(crate) fn upgrade(&self) -> Option<App> {
        self.0.upgrade().map(|opened| App {
            opened,
            actor: Actor::Baton,
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
        let opened = Arc::new_cyclic(|me| Opened {
            contents: Contents::of(&store),
            store,
            engine,
            timelines: Mutex::default(),
            watches: Watches::new(onlookers.clone()),
            library: Library::of(&data_directory, Homes::of_this_process()),
            readings: Mutex::default(),
            follower: Follower::default(),
            me: Weak::clone(me),
            session_socket: SessionSocket::default(),
            onlookers,
            adopted: OnceLock::new(),
            stays: role != Role::Cli,
            // A shell command is over before there is anything to keep.
            keeps_transcripts: matches!(role, Role::Window | Role::Server),
            transcripts_are_listed: OnceLock::new(),
            words_are_read: OnceLock::new(),
        });
        let app = Arc::new(Self { opened, actor });
        if app.keeps_transcripts {
            let onlookers = app.onlookers.clone();
            app.library
                .keep(move |ids| onlookers.tell(crate::wire::Change::Transcripts { ids }));
        }
        if let Err(error) = templates::put_examples_at_first_start(&app) {
            tracing::warn!(%error, "the examples could not be put in");
        }
        let adopts = app.stays;
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
            actor,
        }
    }

    /// Replans after `run` if it has failed and its plan asks for that; the proposal that is being made or waits for
    /// a person. Processes that stay do so by themselves; a shell command asks for it before it ends.
    pub fn replan_if_asked(&self, run: RunId) -> Result<Option<ProposalId>, ApiError> {
        replans::if_asked(self, run)
    }

    /// Lets the run that `proposal` is about know how far the proposal is.
    pub fn settle_replan(&self, proposal: ProposalId) -> Result<(), ApiError> {
        replans::tell_run(self, &self.store.proposals().get(proposal)?.proposal);
        Ok(())
    }

    /// Who acts when an operation is called.
    pub(crate) fn actor(&self) -> Actor {
        self.actor.clone()
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

    /// Goes on with proposals from now on, until the app is gone.
    pub(crate) fn follow_proposals(&self) {
        self.follower.begin(self.me());
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

    /// Where everything is kept.
    #[must_use]
    pub fn data_directory(&self) -> &Path {
        self.store.data_dir()
    }

    /// Whether this process executes `run`.
    #[must_use]
    pub fn executes(&self, run: RunId) -> bool {
        self.engine.is_here(run)
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
        let stored = settings::StoredSettings::read(&self.store)?;
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

    /// The agents' own histories. A process that does not keep their index brings it up to date once, with the words
    /// when they are asked for.
    pub(crate) fn transcripts(&self, words: bool) -> Result<&Library, ApiError> {
        let asked = if words {
            &self.words_are_read
        } else {
            &self.transcripts_are_listed
        };
        if !self.keeps_transcripts && asked.get().is_none() {
            self.library.refresh(words)?;
            asked.get_or_init(|| ());
        }
        Ok(&self.library)
    }

    /// The time.
    pub(crate) fn now(&self) -> Timestamp {
        let since = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap_or_default();
        Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
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
