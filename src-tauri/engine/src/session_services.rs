//! Services that all sessions of a process share.

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
    /// The root of all data that Baton stores.
    pub(crate) data_directory: PathBuf,
    /// The path of the keeper program.
    pub(crate) keeper: PathBuf,
    pub(crate) environment: Arc<Environment>,
    pub(crate) agents: AgentRegistry,
    pub(crate) tools: ToolRegistry,
    pub(crate) events: EventNotifier,
    /// Tracks which attempts work in which directories, and what changes there.
    pub(crate) files: FileLedger,
    /// The result of probing the sandbox, once someone asked for it.
    pub(crate) sandbox: OnceLock<SandboxProbe>,
    /// The executor of the sessions; set once the engine has started.
    pub(crate) executor: OnceLock<Weak<dyn ExecutorHandle>>,
}

impl SessionServices {
    /// The executor of the sessions; `None` when the process is shutting down.
    pub(crate) fn executor(&self) -> Option<Arc<dyn ExecutorHandle>> {
        self.executor.get()?.upgrade()
    }
}
