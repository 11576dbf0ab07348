//! Startup and shutdown: opening the data directory and closing it again.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use baton_engine::{
    AgentRegistry, Engine, EngineConfig, EngineError, EngineEvent, Lease, LeaseError, LoginPath,
    ProjectRulesReader, ToolRegistry,
};
use baton_keeper::Lineage;
use baton_model::Plan;
use baton_planning::settings::StoredSettings;
use baton_planning::{Context, Lifetime, LogUpdate, project_files, project_rules};
use baton_store::{ExecutorKind, Options, Store, StoreError};

use crate::app::AppInner;
use crate::changes::ChangeSubscribers;
use crate::{
    ApiError, App, Code, Role, caller_identity, data_dir_permissions, housekeeping, run_requests,
    settings, templates,
};

/// Why Baton can't start, as a sentence to show to people.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// There is no data directory: neither `BATON_DATA_DIR` nor a home directory is set.
    #[error(
        "there is no folder for Baton's data: neither BATON_DATA_DIR nor a home directory is set"
    )]
    NoDataDirectory,
    /// The database can't be used.
    #[error(transparent)]
    Store(Box<StoreError>),
    /// The caller is a process of one of this data directory's sessions.
    #[error("Baton can't be opened from inside one of its own sessions: use the session's socket")]
    WithinSession,
    /// The environment sets an invalid executor lease.
    #[error(transparent)]
    Lease(#[from] LeaseError),
    /// Sessions can't be run.
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

impl From<&AppError> for ApiError {
    fn from(error: &AppError) -> Self {
        let (fix, is_transient) = match error {
            AppError::NoDataDirectory => {
                (Some("set BATON_DATA_DIR to a directory".to_owned()), false)
            }
            AppError::Store(error) => (error.fix().map(str::to_owned), error.is_transient()),
            AppError::Engine(error) => (error.fix(), error.is_transient()),
            AppError::WithinSession | AppError::Lease(_) => (None, false),
        };
        Self::from_cause(Code::Unavailable, error, fix, is_transient)
    }
}

/// The default data directory: `BATON_DATA_DIR`, or the platform's data folder.
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
    /// Adds the examples on first start. All roles except a shell command resume every run whose
    /// executor died.
    pub fn open(data_directory: PathBuf, role: Role) -> Result<Arc<Self>, AppError> {
        Self::open_with_keeper(data_directory, role, keeper_path())
    }

    /// Like [`App::open`], with the path of the keeper program.
    pub fn open_with_keeper(
        data_directory: PathBuf,
        role: Role,
        keeper: PathBuf,
    ) -> Result<Arc<Self>, AppError> {
        let data_directory = std::path::absolute(&data_directory).unwrap_or(data_directory);
        if caller_identity::own_lineage(&data_directory) != Lineage::Outside {
            return Err(AppError::WithinSession);
        }
        let store = Store::open_with(&data_directory, Options::default())?;
        restrict_data_dir(&data_directory);
        let stored = StoredSettings::read(&store)?;
        let agents = AgentRegistry::new(stored.default_agent.clone());
        agents.configure(stored.default_agent, stored.custom_agents);
        agents.set_guarded_tools(stored.guarded_tools);
        agents.set_teams(stored.teams);
        agents.set_limits(stored.agent_concurrency);
        let subscribers = ChangeSubscribers::default();
        let listeners = subscribers.clone();
        let on_event = Box::new(move |event: EngineEvent| {
            listeners.send(match event {
                EngineEvent::Session { session, run } => {
                    crate::wire::Change::Session { session, run }
                }
                EngineEvent::ExecutorHealth { run, plan } => crate::wire::Change::Run {
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
        // If the setting can't be read, don't displace other executors.
        let may_displace = Box::new(move || {
            StoredSettings::read(&settings).is_ok_and(|stored| stored.takeover_allowed)
        });
        let login_path = match role {
            Role::Window => LoginPath::First,
            Role::Server | Role::Cli | Role::Worker => LoginPath::of_this_process(),
        };
        let tools = ToolRegistry::new(
            sibling_program(&keeper, "BATON_TOOL", "baton-tool"),
            sibling_program(&keeper, "BATON_PROGRAM", "baton"),
        );
        tools.configure(stored.mcp_servers);
        let setup = EngineConfig {
            store: store.clone(),
            keeper,
            kind,
            agents,
            tools,
            login_path,
            lease: Lease::from_environment()?,
            may_displace,
            on_event,
        };
        let engine = Engine::start(setup)?;
        engine.set_run_defaults(stored.run_defaults);
        engine.set_project_rules(project_rules_reader(&store));
        subscribers.forward_store_changes(&store);
        let actor = caller_identity::actor_of_this_process(&store, role)?;
        let lifetime = Lifetime {
            is_long_running: role != Role::Cli,
            // A shell command exits before an index would pay off.
            indexes_transcripts: matches!(role, Role::Window | Role::Server),
        };
        let listeners = subscribers.clone();
        let on_log_update = Arc::new(move |update: LogUpdate| listeners.send(update.into()));
        let context = Context::new(store, engine, lifetime, on_log_update, actor);
        let app = Arc::new(Self::assemble(context, subscribers, role));
        app.start_indexing_transcripts();
        if let Err(error) = templates::add_examples_on_first_start(&app) {
            tracing::warn!(%error, "couldn't add the examples");
        }
        let adopts = lifetime.is_long_running;
        if adopts {
            let adopted = app.engine.adopt_all()?;
            app.remember_adopted(adopted);
        }
        settings::watch_changes(&app).map_err(EngineError::from)?;
        app.engine.watch(adopts)?;
        if adopts {
            app.follow_proposals();
            project_files::follow(app.context()).map_err(EngineError::from)?;
            run_requests::follow(&app).map_err(EngineError::from)?;
            housekeeping::start(&app).map_err(EngineError::from)?;
            app.open_session_socket();
        }
        Ok(app)
    }
}

/// Damaged rules stop no run; pre-flight and the state of the plan files name them.
fn project_rules_reader(store: &Store) -> ProjectRulesReader {
    let store = store.clone();
    Box::new(move |plan: &Plan| {
        let found = project_rules::of_directory(&store, plan.cwd.as_deref())?;
        for fault in &found.faults {
            tracing::warn!(plan = %plan.id, %fault, "a project's rules are damaged");
        }
        Ok(found.rules)
    })
}

impl AppInner {
    /// Releases everything. Terminals end. Sessions keep running, and the next start finds them.
    pub fn shut_down(&self) {
        self.terminals.close_all();
        self.close_session_socket();
        self.housekeeping.stop();
        self.library.stop_indexing();
        self.engine.shut_down();
    }
}

/// Removes other users' access. If that fails, Baton still works, and the diagnostics report it.
fn restrict_data_dir(data_directory: &Path) {
    match data_dir_permissions::restrict_to_owner(data_directory) {
        Ok(exposed) if exposed.is_empty() => {}
        Ok(exposed) => tracing::warn!(
            ?exposed,
            "other users of this machine can access Baton's data"
        ),
        Err(error) => tracing::warn!(%error, "couldn't check who can access Baton's data"),
    }
}

/// The path of one of Baton's programs: from the environment variable, or next to the keeper.
fn sibling_program(keeper: &Path, variable: &str, name: &str) -> PathBuf {
    let named = std::env::var_os(variable).map(PathBuf::from);
    named
        .unwrap_or_else(|| keeper.with_file_name(format!("{name}{}", std::env::consts::EXE_SUFFIX)))
}

/// The path of the keeper program: from `BATON_KEEPER`, or next to this program.
fn keeper_path() -> PathBuf {
    if let Some(path) = std::env::var_os("BATON_KEEPER") {
        return PathBuf::from(path);
    }
    let own = std::env::current_exe().unwrap_or_default();
    own.with_file_name(format!("baton-keeper{}", std::env::consts::EXE_SUFFIX))
}
