//! Errors at the border: a code that clients branch on, and a sentence that a person can act on.

use std::fmt;

use baton_store::HeldCallId;
use serde::{Deserialize, Serialize};

/// Why an operation was not carried out. Nothing has changed, unless the message says so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ApiError {
    /// What clients branch on.
    pub code: Code,
    /// What happened, why, and what to do. Not for branching.
    pub message: String,
    /// The faults of a plan or file, one each, when there are several.
    #[serde(default)]
    pub details: Vec<String>,
    /// The request that waits for a person, when the code is `waits_for_person`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub request: Option<HeldCallId>,
}

/// The kinds of refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The input does not have the form that the operation takes.
    BadInput,
    /// What was named is not there.
    NotFound,
    /// Somebody else changed it meanwhile: look again, then try again.
    Conflict,
    /// The state does not allow it.
    Refused,
    /// A person has to approve the plan first: it was not approved, or what was approved has changed since.
    NotApproved,
    /// It is not for the caller to do.
    Forbidden,
    /// Only a person may do it: `request` waits for one.
    WaitsForPerson,
    /// The content is faulty; `details` names the places.
    Invalid,
    /// Another executor works on it and did not answer in time.
    Busy,
    /// No coding agent is installed on this machine; `refused` when only the one that was named is missing.
    NoAgent,
    /// The disk, the database or the operating system failed.
    Unavailable,
    /// A fault in Baton.
    Internal,
}

impl ApiError {
    /// An error with this code and message.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            details: Vec::new(),
            request: None,
        }
    }

    /// The same with places.
    #[must_use]
    pub fn with_details(mut self, details: Vec<String>) -> Self {
        self.details = details;
        self
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ApiError {}

impl From<baton_store::StoreError> for ApiError {
    fn from(error: baton_store::StoreError) -> Self {
        use baton_store::StoreError as Store;
        let code = match &error {
            Store::NotFound { .. } => Code::NotFound,
            Store::Conflict { .. }
            | Store::ProposalMoved { .. }
            | Store::Exists { .. }
            | Store::HistoryMoved { .. } => Code::Conflict,
            Store::PlanRuns { .. } | Store::Review(_) => Code::Refused,
            Store::Locked { .. } | Store::EpochPassed { .. } => Code::Busy,
            Store::Encode(_) => Code::Internal,
            Store::NewerDatabase { .. }
            | Store::NotADatabase { .. }
            | Store::Truncated { .. }
            | Store::Corrupt { .. }
            | Store::ReadOnly { .. }
            | Store::Full { .. }
            | Store::Replay { .. }
            | Store::Unreadable(_)
            | Store::Io { .. }
            | Store::Sqlite(_) => Code::Unavailable,
        };
        Self::new(code, sentence(&error))
    }
}

impl From<baton_engine::EngineError> for ApiError {
    fn from(error: baton_engine::EngineError) -> Self {
        use baton_engine::EngineError as Engine;
        let code = match error {
            Engine::Store(error) => return error.into(),
            Engine::Refused(_) | Engine::RefusedElsewhere(_) => Code::Refused,
            Engine::Cycle(_) => Code::Invalid,
            Engine::Silent { .. }
            | Engine::Attended { .. }
            | Engine::Moved { .. }
            | Engine::Stuck { .. } => Code::Busy,
            Engine::GaveUp { .. } | Engine::NoKeeper { .. } | Engine::Io(_) => Code::Unavailable,
        };
        Self::new(code, sentence(&error))
    }
}

/// An error with its causes as one sentence for a person.
fn sentence(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let next = error.to_string();
        // Transparent errors repeat their cause.
        if !text.contains(&next) {
            text.extend([": ", &next]);
        }
        cause = error.source();
    }
    text
}
