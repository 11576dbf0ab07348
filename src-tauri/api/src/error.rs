//! Errors at the border: a code that clients branch on, and a sentence that a person can act on.

use std::fmt;

use baton_planning::{Reason, Refusal};
use baton_store::HeldCallId;
use serde::{Deserialize, Serialize};

/// Why an operation was not carried out. Nothing has changed, unless the message says so.
///
/// Clients decide by `code`, `retryable` and `request`, never by the text of `message` or `fix`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ApiError {
    /// What clients branch on.
    pub code: Code,
    /// What happened: a sentence, or several. With `faults`, it tells the first of them.
    pub message: String,
    /// What a person can do about it: a sentence, or several.
    #[serde(default)]
    pub fix: Option<String>,
    /// Whether the same call may succeed later, although nobody changes anything.
    #[serde(default)]
    pub retryable: bool,
    /// All faults of a plan or file, one each, when these are the reason.
    #[serde(default)]
    pub faults: Vec<String>,
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
    /// The content is faulty; `faults` names the places.
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
    /// An error with this code; `message` says what happened, and becomes a sentence.
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

    /// An error with this code for something that has `faults`. The message tells the first one, after `lead`.
    pub fn of_faults(code: Code, lead: &str, faults: Vec<String>) -> Self {
        let first = faults.first().map_or("", String::as_str);
        let mut message = match (lead, first) {
            ("", told) | (told, "") => told.to_owned(),
            (lead, first) => format!("{lead}: {first}"),
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

    /// The same with what a person can do about it.
    #[must_use]
    pub fn with_fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = Some(to_sentence(fix.into()));
        self
    }

    /// Message and fix, one after the other, for places that have room for one text.
    #[must_use]
    pub fn in_full(&self) -> String {
        match &self.fix {
            Some(fix) => format!("{} {fix}", self.message),
            None => self.message.clone(),
        }
    }

    /// The refusal of an error of a crate below, which knows its own fix.
    fn of_cause(
        code: Code,
        error: &dyn std::error::Error,
        fix: Option<String>,
        may_pass: bool,
    ) -> Self {
        let refusal = Self::new(code, with_causes(error));
        Self {
            fix: fix.map(to_sentence).or(refusal.fix),
            retryable: refusal.retryable || may_pass,
            ..refusal
        }
    }
}

impl Code {
    /// What helps with everything of this kind.
    fn fix(self) -> Option<&'static str> {
        match self {
            Self::Busy => Some("Try again in a moment."),
            Self::Unavailable => Some("Look into Doctor, then try again."),
            Self::Internal => {
                Some("This is a fault in Baton. Try again, and report it if it stays.")
            }
            Self::BadInput
            | Self::NotFound
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
            Store::Conflict { .. }
            | Store::ProposalMoved { .. }
            | Store::Exists { .. }
            | Store::HistoryMoved { .. } => Code::Conflict,
            Store::PlanRuns { .. } | Store::Review(_) => Code::Refused,
            Store::Locked { .. } | Store::EpochPassed { .. } => Code::Busy,
            Store::Encode(_) | Store::WriteByQuery => Code::Internal,
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
        Self::of_cause(
            code,
            &error,
            error.fix().map(str::to_owned),
            error.may_pass(),
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
            Engine::Silent { .. }
            | Engine::Attended { .. }
            | Engine::Moved { .. }
            | Engine::Stuck { .. } => Code::Busy,
            Engine::GaveUp { .. } | Engine::NoKeeper { .. } | Engine::Io(_) => Code::Unavailable,
            Engine::Illegal(_) => Code::Internal,
        };
        Self::of_cause(code, &error, error.fix(), error.may_pass())
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
            false => Self::of_faults(code, &refusal.message, refusal.faults),
        };
        match refusal.fix {
            Some(fix) => error.with_fix(fix),
            None => error,
        }
    }
}

impl From<Reason> for Code {
    fn from(reason: Reason) -> Self {
        match reason {
            Reason::BadInput => Self::BadInput,
            Reason::NotFound => Self::NotFound,
            Reason::Conflict => Self::Conflict,
            Reason::Refused => Self::Refused,
            Reason::NotApproved => Self::NotApproved,
            Reason::Invalid => Self::Invalid,
            Reason::NoAgent => Self::NoAgent,
            Reason::Unavailable => Self::Unavailable,
            Reason::Busy => Self::Busy,
            Reason::Internal => Self::Internal,
        }
    }
}

impl From<&crate::AppError> for ApiError {
    fn from(error: &crate::AppError) -> Self {
        use crate::AppError as App;
        let (fix, may_pass) = match error {
            App::NoDataDirectory => (Some("set BATON_DATA_DIR to a directory".to_owned()), false),
            App::Store(error) => (error.fix().map(str::to_owned), error.may_pass()),
            App::Engine(error) => (error.fix(), error.may_pass()),
            App::WithinSession | App::Lease(_) => (None, false),
        };
        Self::of_cause(Code::Unavailable, error, fix, may_pass)
    }
}

/// An error with its causes, one after the other.
fn with_causes(error: &dyn std::error::Error) -> String {
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

/// `text` with a capital letter and a full stop, unless it begins with a name that has none, such as `plan_save`.
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
    fn a_message_is_a_sentence_and_keeps_names_as_they_are() {
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
    fn the_message_tells_the_first_fault_and_how_many_follow() {
        let told = |lead, faults: &[&str]| {
            let faults = faults.iter().map(|&fault| fault.to_owned()).collect();
            ApiError::of_faults(Code::Invalid, lead, faults).message
        };
        assert_eq!(
            told("the plan can't be saved", &["no title"]),
            "The plan can't be saved: no title."
        );
        assert_eq!(
            told("it can't run", &["no agent.", "no git"]),
            "It can't run: no agent (and 1 more)."
        );
        assert_eq!(told("", &["a.yaml:1:2: no title"]), "a.yaml:1:2: no title.");
    }

    #[test]
    fn an_error_of_the_store_brings_its_fix() {
        let full = baton_store::StoreError::Full {
            path: "/d/baton.db".into(),
        };
        let error = ApiError::from(full);
        assert_eq!(
            error.in_full(),
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
