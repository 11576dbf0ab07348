//! Notifications of output that grew outside of the store.

use std::sync::Arc;

use baton_model::{RunId, SessionId};

/// A log that grew. Changes of stored rows are reported by the store instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogUpdate {
    /// The files of a session.
    Session {
        /// The session whose output grew.
        session: SessionId,
        /// The run that the session belongs to.
        run: RunId,
    },
    /// Transcripts in an agent's own history.
    Transcripts {
        /// Ids in the transcript index; empty when any of them may have grown.
        ids: Vec<String>,
    },
}

/// Called from any thread when a log grew.
pub type LogUpdateListener = Arc<dyn Fn(LogUpdate) + Send + Sync>;
