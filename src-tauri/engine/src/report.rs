//! Reports of session threads to their dispatcher.

use baton_agents::Usage;
use baton_model::run::Command;
use baton_model::{Artifact, Evidence};

/// A session's report for the state of its run.
pub(crate) struct Report {
    /// The command that the run executes.
    pub(crate) command: Command,
    /// The handoff, if the session produced one.
    pub(crate) artifact: Option<Artifact>,
    /// What Baton observed of the attempt, independent of the handoff.
    pub(crate) evidence: Option<Evidence>,
    /// Facts to be stored with the session.
    pub(crate) facts: Option<SessionFacts>,
}

/// Facts to be stored with a session.
#[derive(Debug, Clone, Default)]
pub(crate) struct SessionFacts {
    /// The agent's native id of the session.
    pub(crate) native_id: Option<String>,
    pub(crate) usage: Usage,
    /// How long its program ran, in milliseconds; `None` if nobody saw its end.
    pub(crate) worked_ms: Option<u64>,
}

impl Report {
    /// A report with only a command.
    pub(crate) fn plain(command: Command) -> Self {
        Self {
            command,
            artifact: None,
            evidence: None,
            facts: None,
        }
    }
}
