//! What a session thread tells its dispatcher.

use baton_agents::Usage;
use baton_model::run::Command;
use baton_model::{Artifact, Evidence};

/// News of a session, for the state of its run.
pub(crate) struct Report {
    /// What it means for the run.
    pub(crate) command: Command,
    /// The handoff, when the session left one.
    pub(crate) artifact: Option<Artifact>,
    /// What is known of the attempt, whatever the handoff says.
    pub(crate) evidence: Option<Evidence>,
    /// What is worth keeping of the session itself.
    pub(crate) facts: Option<SessionFacts>,
}

/// What is worth keeping of a session.
#[derive(Debug, Clone, Default)]
pub(crate) struct SessionFacts {
    /// The agent's own name for the session.
    pub(crate) native_id: Option<String>,
    /// What it used.
    pub(crate) usage: Usage,
}

impl Report {
    /// A report that is nothing but a command.
    pub(crate) fn plain(command: Command) -> Self {
        Self {
            command,
            artifact: None,
            evidence: None,
            facts: None,
        }
    }
}
