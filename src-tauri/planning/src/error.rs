//! Errors of planning operations.

use baton_engine::EngineError;
use baton_store::StoreError;
use baton_transcripts::TranscriptsError;

/// Why an operation failed. The operation has changed nothing.
#[derive(Debug, thiserror::Error)]
pub enum PlanningError {
    /// An error of the store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An error of the engine.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// An error of the transcript index.
    #[error(transparent)]
    Transcripts(#[from] TranscriptsError),
    /// The operation is invalid, at least in the current state.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// The refusal of an operation that is invalid, at least in the current state.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The category, which the API maps to an error code.
    pub reason: RefusalReason,
    /// What happened, a lowercase fragment.
    pub message: String,
    /// What to do about it, a lowercase fragment.
    pub fix: Option<String>,
    /// The single faults, if there are several.
    pub faults: Vec<String>,
}

/// The category of a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefusalReason {
    /// The input is invalid.
    BadInput,
    /// The subject does not exist.
    NotFound,
    /// The subject was changed by someone else in the meantime.
    Conflict,
    /// The current state does not allow it.
    Refused,
    /// A person has to approve the plan first.
    NotApproved,
    /// The plan has problems and cannot be saved.
    Invalid,
    /// No coding agent is installed.
    NoAgent,
    /// A file or a program cannot be accessed.
    Unavailable,
    /// Another process holds the lock.
    Busy,
    /// A bug in Baton.
    Internal,
}

impl PlanningError {
    /// A refusal with a message, a lowercase fragment.
    pub(crate) fn new(reason: RefusalReason, message: impl Into<String>) -> Self {
        Self::Refused(Refusal {
            reason,
            message: message.into(),
            fix: None,
            faults: Vec::new(),
        })
    }

    /// A refusal with several faults; `lead` is what they prevent.
    pub(crate) fn with_faults(reason: RefusalReason, lead: &str, faults: Vec<String>) -> Self {
        Self::Refused(Refusal {
            reason,
            message: lead.to_owned(),
            fix: None,
            faults,
        })
    }

    /// Adds what to do about it. Has no effect on errors of other crates.
    #[must_use]
    pub(crate) fn with_fix(mut self, fix: impl Into<String>) -> Self {
        if let Self::Refused(refusal) = &mut self {
            refusal.fix = Some(fix.into());
        }
        self
    }

    /// Whether the subject of the operation does not exist.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        match self {
            Self::Store(error) | Self::Engine(EngineError::Store(error)) => {
                matches!(error, StoreError::NotFound { .. })
            }
            Self::Refused(refusal) => refusal.reason == RefusalReason::NotFound,
            Self::Engine(_) | Self::Transcripts(_) => false,
        }
    }

    /// Whether the subject was changed by someone else in the meantime.
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        match self {
            Self::Store(error) | Self::Engine(EngineError::Store(error)) => {
                matches!(
                    error,
                    StoreError::Conflict { .. }
                        | StoreError::StaleProposal { .. }
                        | StoreError::Exists { .. }
                        | StoreError::StaleHistory { .. }
                )
            }
            Self::Refused(refusal) => refusal.reason == RefusalReason::Conflict,
            Self::Engine(_) | Self::Transcripts(_) => false,
        }
    }

    /// Whether the current state does not allow the operation.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        match self {
            Self::Engine(error) => matches!(
                error,
                EngineError::Refused(_) | EngineError::RefusedElsewhere(_)
            ),
            Self::Store(error) => {
                matches!(
                    error,
                    StoreError::PlanIsRunning { .. } | StoreError::Review(_)
                )
            }
            Self::Refused(refusal) => refusal.reason == RefusalReason::Refused,
            Self::Transcripts(_) => false,
        }
    }
}
