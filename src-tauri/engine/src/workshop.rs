//! What all sessions of a process use.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use baton_keeper::SandboxProbe;

use crate::agents::AgentRegistry;
use crate::changed_files::FileLedger;
use crate::engine::{Engine, WeakEngine};
use crate::environment::Environment;
use crate::news::NewsDesk;
use crate::tools::ToolRegistry;

/// The surroundings of a session; one for the whole process.
pub(crate) struct Workshop {
    /// Where everything is kept.
    pub(crate) data_directory: PathBuf,
    /// The keeper's program.
    pub(crate) keeper: PathBuf,
    /// The environment that sessions start from.
    pub(crate) environment: Arc<Environment>,
    /// The agents.
    pub(crate) agents: AgentRegistry,
    /// The tools.
    pub(crate) tools: ToolRegistry,
    /// Where news goes.
    pub(crate) news: NewsDesk,
    /// Who works where at the moment, and what changes there.
    pub(crate) files: FileLedger,
    /// What came of trying a sandbox, once somebody wanted to know.
    pub(crate) sandbox: OnceLock<SandboxProbe>,
    /// The engine, for nodes that are runs of their own; it is there once it has started.
    pub(crate) engine: OnceLock<WeakEngine>,
}

impl Workshop {
    /// The engine; `None` when the process is ending.
    pub(crate) fn engine(&self) -> Option<Engine> {
        self.engine.get()?.upgrade()
    }
}
