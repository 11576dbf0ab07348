//! The folders with histories on this machine.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::Agent;

/// The folders that hold histories. They need not exist.
#[derive(Debug, Clone, Default)]
pub struct HistoryLocations {
    /// Each with its agent. An agent can have several.
    pub roots: Vec<(Agent, PathBuf)>,
}

impl HistoryLocations {
    /// The folders that the agents' layouts name, for a home directory and environment variables.
    #[must_use]
    pub fn discover(home: &Path, variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let roots = Agent::all().flat_map(|agent| {
            let roots = agent.layout().roots(home, &variable);
            roots.into_iter().map(move |root| (agent, root))
        });
        Self {
            roots: roots.collect(),
        }
    }

    /// The folders of the user who runs this process.
    #[must_use]
    pub fn for_current_user() -> Self {
        match std::env::home_dir() {
            Some(home) => Self::discover(&home, |name| std::env::var_os(name)),
            None => Self::default(),
        }
    }
}
