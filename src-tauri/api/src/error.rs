//! API errors: a code that clients branch on, and a sentence that says what happened.

use std::fmt;

use baton_planning::{Refusal, RefusalReason};
use baton_store::HeldCallId;
use serde::{Deserialize, Serialize};

/// Why an operation failed. Nothing was changed, unless the message says so.
///
/// Clients decide by `code`, `retryable`, and `request`, never by the text of `message` or `fix`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ApiError {
    /// What clients branch on.
    pub code: Code,
    /// What happened, in one or more sentences. If there are `faults`, it includes the first one.
    pub message: String,
    /// What a person can do about it, in one or more sentences.
    #[serde(default)]
    pub fix: Option<String>,
    /// Whether the same call may succeed later without any other change.
    #[serde(default)]
    pub retryable: bool,
    /// All faults of a plan or file, if these are the reason.
    #[serde(default)]
    pub faults: Vec<String>,
    /// The call that waits for a person, if the code is `waits_for_person`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub request: Option<HeldCallId>,
}

/// Error codes, by what the caller can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The input doesn't match what the operation accepts.
    BadInput,
    /// The named object doesn't exist.
    NotFound,
    /// The plan, or the plan of the named run or session, was deleted. It can be restored.
    Deleted,
    /// Someone else made a change in the meantime: reload and try again.
    Conflict,
    /// The current state doesn't allow it.
    Refused,
    /// A person has to approve the plan first: it was never approved, or has changed since.
    NotApproved,
    /// The caller doesn't have the permission.
    Forbidden,
    /// Only a person may do this: `request` is waiting for one.
    WaitsForPerson,
    /// The content is invalid; `faults` lists the problems.
    Invalid,
    /// The executor in charge did not answer in time.
    Busy,
    /// No coding agent is installed on this machine. If only the named agent is missing, the code
    /// is `refused`.
    NoAgent,
    /// The disk, the database, or the operating system failed.
    Unavailable,
    /// A bug in Baton.
    Internal,
}

impl ApiError {
    /// Creates an error. `message` says what happened and is turned into a sentence.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: to_sentence(message.into()),
            fix: code.fix().map(str::to_owned),
            retryable: code == Code::Busy,
            faults: Vec::new(),
            request: None,
        }
    }

    /// Creates an error for something with `faults`. The message is `prefix` followed by the first
    /// fault.
    pub fn from_faults(code: Code, prefix: &str, faults: Vec<String>) -> Self {
        let first = faults.first().map_or("", String::as_str);
        let mut message = match (prefix, first) {
            ("", only) | (only, "") => only.to_owned(),
            (prefix, first) => format!("{prefix}: {first}"),
        };
        if faults.len() > 1 {
            message = format!(
                "{} (and {} more)",
                message.trim_end_matches('.'),
                faults.len() - 1
            );
        }
        Self {
            faults,
            ..Self::new(code, message)
        }
    }

    /// Sets what a person can do about it.
    #[must_use]
    pub fn with_fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = Some(to_sentence(fix.into()));
        self
    }

    /// Message and fix in one text, for places with room for one.
    #[must_use]
    pub fn full_message(&self) -> String {
        match &self.fix {
            Some(fix) => format!("{} {fix}", self.message),
            None => self.message.clone(),
        }
    }

    /// Creates an error from one of an inner crate, which may have its own fix.
    pub(crate) fn from_cause(
        code: Code,
        error: &dyn std::error::Error,
        fix: Option<String>,
        is_transient: bool,
    ) -> Self {
        let refusal = Self::new(code, message_with_causes(error));
        Self {
            fix: fix.map(to_sentence).or(refusal.fix),
            retryable: refusal.retryable || is_transient,
            ..refusal
        }
    }
}

impl Code {
    /// A fix that applies to all errors with this code.
    fn fix(self) -> Option<&'static str> {
        match self {
            Self::Busy => Some("Try again in a moment."),
            Self::Unavailable => Some("Check Doctor for problems, then try again."),
            Self::Internal => {
                Some("This is a bug in Baton. Try again, and report it if it keeps happening.")
            }
            Self::BadInput
            | Self::NotFound
            | Self::Deleted
            | Self::Conflict
            | Self::Refused
            | Self::NotApproved
            | Self::Forbidden
            | Self::WaitsForPerson
            | Self::Invalid
            | Self::NoAgent => None,
        }
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
            Store::PlanDeleted { .. } => Code::Deleted,
            Store::Conflict { .. }
            | Store::StaleProposal { .. }
            | Store::Exists { .. }
            | Store::StaleHistory { .. } => Code::Conflict,
            // Another request with the key is in progress.
            Store::KeyUsed => Code::Busy,
            Store::PlanIsRunning { .. }
            | Store::PlanNotDeleted { .. }
            | Store::NotEmpty
            | Store::Review(_) => Code::Refused,
            Store::Locked { .. } | Store::StaleEpoch { .. } => Code::Busy,
            Store::Encode(_) | Store::WriteInQuery => Code::Internal,
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
        Self::from_cause(
            code,
            &error,
            error.fix().map(str::to_owned),
            error.is_transient(),
        )
    }
}

impl From<baton_engine::EngineError> for ApiError {
    fn from(error: baton_engine::EngineError) -> Self {
        use baton_engine::EngineError as Engine;
        let code = match error {
            Engine::Store(error) => return error.into(),
            Engine::Refused(_) | Engine::RefusedElsewhere(_) => Code::Refused,
            Engine::Cycle(_) => Code::Invalid,
            Engine::NotApprovedHere { .. } => Code::NotApproved,
            Engine::Silent { .. }
            | Engine::Attended { .. }
            | Engine::Moved { .. }
            | Engine::Stuck { .. } => Code::Busy,
            Engine::GaveUp { .. } | Engine::NoKeeper { .. } | Engine::Io(_) => Code::Unavailable,
            Engine::Illegal(_) => Code::Internal,
        };
        Self::from_cause(code, &error, error.fix(), error.is_transient())
    }
}

impl From<baton_planning::PlanningError> for ApiError {
    fn from(error: baton_planning::PlanningError) -> Self {
        use baton_planning::PlanningError as Planning;
        match error {
            Planning::Store(error) => error.into(),
            Planning::Engine(error) => error.into(),
            Planning::Transcripts(error) => error.into(),
            Planning::Refused(refusal) => refusal.into(),
        }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        let code = Code::from(refusal.reason);
        let error = match refusal.faults.is_empty() {
            true => Self::new(code, refusal.message),
            false => Self::from_faults(code, &refusal.message, refusal.faults),
        };
        match refusal.fix {
            Some(fix) => error.with_fix(fix),
            None => error,
        }
    }
}

impl From<RefusalReason> for Code {
    fn from(reason: RefusalReason) -> Self {
        match reason {
            RefusalReason::BadInput => Self::BadInput,
            RefusalReason::NotFound => Self::NotFound,
            RefusalReason::Conflict => Self::Conflict,
            RefusalReason::Refused => Self::Refused,
            RefusalReason::NotApproved => Self::NotApproved,
            RefusalReason::Invalid => Self::Invalid,
            RefusalReason::NoAgent => Self::NoAgent,
            RefusalReason::Unavailable => Self::Unavailable,
            RefusalReason::Busy => Self::Busy,
            RefusalReason::Internal => Self::Internal,
        }
    }
}

/// An error message followed by the messages of its causes.
pub(crate) fn message_with_causes(error: &dyn std::error::Error) -> String {
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

/// Adds a capital letter and a period to `text`. The first word stays as it is if it isn't a plain
/// word, such as `plan_save`.
fn to_sentence(mut text: String) -> String {
    let first = text.split([' ', '\n']).next().unwrap_or_default();
    let is_word = first
        .trim_end_matches([',', ':', ';'])
        .chars()
        .all(|letter| letter.is_ascii_lowercase() || letter == '\'');
    if is_word && let Some(letter) = text.get_mut(..1) {
        letter.make_ascii_uppercase();
    }
    if !text.is_empty() && !text.ends_with(['.', '!', '?', '…', ':']) {
        text.push('.');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_becomes_a_sentence_and_keeps_names() {
        for (text, sentence) in [
            ("there is no team 'a'", "There is no team 'a'."),
            ("Version 4 was saved.", "Version 4 was saved."),
            ("plan_save needs 'write'", "plan_save needs 'write'."),
            ("baton.db is damaged", "baton.db is damaged."),
            ("'A b' is not approved", "'A b' is not approved."),
            ("über", "über."),
            ("", ""),
        ] {
            assert_eq!(to_sentence(text.to_owned()), sentence);
        }
    }

    #[test]
    fn message_names_first_fault_and_count() {
        let message = |prefix, faults: &[&str]| {
            let faults = faults.iter().map(|&fault| fault.to_owned()).collect();
            ApiError::from_faults(Code::Invalid, prefix, faults).message
        };
        assert_eq!(
            message("the plan can't be saved", &["no title"]),
            "The plan can't be saved: no title."
        );
        assert_eq!(
            message("it can't run", &["no agent.", "no git"]),
            "It can't run: no agent (and 1 more)."
        );
        assert_eq!(
            message("", &["a.yaml:1:2: no title"]),
            "a.yaml:1:2: no title."
        );
    }

    #[test]
    fn store_error_keeps_its_fix() {
        let full = baton_store::StoreError::Full {
            path: "/d/baton.db".into(),
        };
        let error = ApiError::from(full);
        assert_eq!(
            error.full_message(),
            "The disk is full, so /d/baton.db can't be written. Free some space, then try again."
        );
        assert!(error.retryable);
        let missing = baton_store::StoreError::NotFound {
            what: "the plan",
            id: "7".to_owned(),
        };
        let error = ApiError::from(baton_engine::EngineError::from(missing));
        assert_eq!(
            (error.code, error.message.as_str()),
            (Code::NotFound, "The plan 7 doesn't exist.")
        );
        assert!(!error.retryable);
    }
}
