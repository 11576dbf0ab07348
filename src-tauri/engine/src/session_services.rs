//! What all sessions of a process use.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock, Weak};

use baton_keeper::SandboxProbe;

use crate::agents::AgentRegistry;
use crate::changed_files::FileLedger;
use crate::environment::Environment;
use crate::events::EventNotifier;
use crate::executor_handle::ExecutorHandle;
use crate::tools::ToolRegistry;

/// Services that all sessions share; one for the whole process.
pub(crate) struct SessionServices {
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
    pub(crate) events: EventNotifier,
    /// Who works where at the moment, and what changes there.
    pub(crate) files: FileLedger,
    /// What came of trying a sandbox, once somebody wanted to know.
    pub(crate) sandbox: OnceLock<SandboxProbe>,
    /// The executor of the sessions; it is there once the engine has started.
    pub(crate) executor: OnceLock<Weak<dyn ExecutorHandle>>,
}

impl SessionServices {
    /// The executor of the sessions; `None` when the process is ending.
    pub(crate) fn executor(&self) -> Option<Arc<dyn ExecutorHandle>> {
        self.executor.get()?.upgrade()
    }
}
