//! What tool calls need: the program that makes them, and the servers that a person has named.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use baton_model::Plan;
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
        Self { program: Arc::new(program), baton: Arc::new(baton), servers: Arc::default() }
    }

    /// Takes over the servers that the settings name.
    pub fn configure(&self, servers: Vec<McpServer>) {
        *self.servers.write().unwrap_or_else(PoisonError::into_inner) = servers;
    }

    /// The servers that the settings name.
    #[must_use]
    pub fn servers(&self) -> Vec<McpServer> {
        self.servers.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The guarded tools of `plan`, as it names them, of which the settings say that nobody needs to be asked.
    pub(crate) fn trusted_by(&self, plan: &Plan) -> Vec<String> {
        let servers = self.servers();
        let calls = plan.nodes.iter().flat_map(|node| node.kind.tool_calls());
        let trusted = calls.filter(|call| call.is_guarded() && !baton_tools::is_guarded(call, &servers));
        let names: BTreeSet<&String> = trusted.map(|call| &call.tool_name).collect();
        names.into_iter().cloned().collect()
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
