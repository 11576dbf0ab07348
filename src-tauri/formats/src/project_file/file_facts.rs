//! What a file says about its plan besides the content. It is for people, and decides nothing.

use baton_model::{RunId, Timestamp};

/// The times of a plan and its version, and its last run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileFacts {
    /// When the plan was created.
    pub created_at: Option<Timestamp>,
    /// When the version was saved.
    pub updated_at: Option<Timestamp>,
    /// Its last run; `None` before the first one, and for projects that don't want it.
    pub last_run: Option<LastRun>,
}

/// A run of the plan.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct LastRun {
    pub run: RunId,
    /// Its number among the runs of the plan.
    pub number: u32,
    /// The name of its state.
    pub state: String,
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
}

impl LastRun {
    /// One line, such as `#4: completed`.
    pub(super) fn summary(&self) -> String {
        format!("#{}: {}", self.number, self.state)
    }

    /// The log of its steps, relative to Baton's data directory.
    pub(super) fn session(&self) -> String {
        format!("sessions/{}.jsonl", self.run)
    }
}

/// A time in ISO 8601.
pub(super) fn iso(time: Timestamp) -> String {
    jiff::Timestamp::from_millisecond(time.0)
        .map_or_else(|_| time.0.to_string(), |time| time.to_string())
}
