//! What tool calls need: the program that makes them, and the servers that a person has named.

use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use baton_tools::McpServer;

/// The tools of this process. Changes reach the sessions that start afterwards.
#[derive(Clone)]
pub struct ToolRegistry {
    program: Arc<PathBuf>,
    baton: Arc<PathBuf>,
    servers: Arc<RwLock<Vec<McpServer>>>,
}

impl ToolRegistry {
    /// Tool calls are made by `program`, which is `baton-tool`; those that act on plans go through `baton`.
    #[must_use]
    pub fn new(program: PathBuf, baton: PathBuf) -> Self {
        Self {
            program: Arc::new(program),
            baton: Arc::new(baton),
            servers: Arc::default(),
        }
    }

    /// Takes over the servers that the settings name.
    pub fn configure(&self, servers: Vec<McpServer>) {
        *self.servers.write().unwrap_or_else(PoisonError::into_inner) = servers;
    }

    /// The servers that the settings name.
    #[must_use]
    pub fn servers(&self) -> Vec<McpServer> {
        self.servers
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// The program that makes the calls.
    #[must_use]
    pub fn program(&self) -> &PathBuf {
        &self.program
    }

    /// The program for calls that act on plans.
    #[must_use]
    pub fn baton(&self) -> &PathBuf {
        &self.baton
    }
}
