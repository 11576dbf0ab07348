//! The requirements of tool calls: the program that makes them, and the servers from the settings.

use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use baton_tools::McpServer;

/// The tools of this process. Changes apply to sessions that start afterwards.
#[derive(Clone)]
pub struct ToolRegistry {
    program: Arc<PathBuf>,
    baton: Arc<PathBuf>,
    servers: Arc<RwLock<Vec<McpServer>>>,
}

impl ToolRegistry {
    /// `program` is the path of `baton-tool`, which makes the calls; calls that act on plans go
    /// through `baton`.
    #[must_use]
    pub fn new(program: PathBuf, baton: PathBuf) -> Self {
        Self {
            program: Arc::new(program),
            baton: Arc::new(baton),
            servers: Arc::default(),
        }
    }

    /// Replaces the MCP servers, as the settings define them.
    pub fn configure(&self, servers: Vec<McpServer>) {
        *self.servers.write().unwrap_or_else(PoisonError::into_inner) = servers;
    }

    /// The MCP servers from the settings.
    #[must_use]
    pub fn servers(&self) -> Vec<McpServer> {
        self.servers
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// The path of `baton-tool`, which makes the calls.
    #[must_use]
    pub fn program(&self) -> &PathBuf {
        &self.program
    }

    /// The path of `baton`, for calls that act on plans.
    #[must_use]
    pub fn baton(&self) -> &PathBuf {
        &self.baton
    }
}
