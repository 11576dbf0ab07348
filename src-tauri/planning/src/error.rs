//! Why a plan, a proposal or a timeline could not be had.

use baton_engine::EngineError;
use baton_store::StoreError;
use baton_transcripts::TranscriptsError;

/// Why something was not done. Nothing was changed by the call that returns it.
#[derive(Debug, thiserror::Error)]
pub enum PlanningError {
    /// The database refused it.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The engine refused it.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The index of transcripts refused it.
    #[error(transparent)]
    Transcripts(#[from] TranscriptsError),
    /// What was asked for makes no sense, or not now.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// What was asked for makes no sense, or not now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// What kind of refusal it is.
    pub reason: Reason,
    /// What is the matter, a fragment.
    pub message: String,
    /// What to do about it, a fragment.
    pub fix: Option<String>,
    /// Everything that is wrong, where that is more than one thing.
    pub faults: Vec<String>,
}

/// What kind of refusal it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The input is not right.
    BadInput,
    /// It does not exist.
    NotFound,
    /// Somebody else changed it meanwhile.
    Conflict,
    /// It can't be done as things are.
    Refused,
    /// No person has approved it.
    NotApproved,
    /// The plan has problems.
    Invalid,
    /// No agent is installed.
    NoAgent,
    /// A file or a program can't be used.
    Unavailable,
    /// Somebody else is at it.
    Busy,
    /// A defect of Baton.
    Internal,
}

impl PlanningError {
    /// A refusal in a fragment.
    pub(crate) fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self::Refused(Refusal {
            reason,
            message: message.into(),
            fix: None,
            faults: Vec::new(),
        })
    }

    /// A refusal for several faults, led in by what they keep from happening.
    pub(crate) fn of_faults(reason: Reason, lead: &str, faults: Vec<String>) -> Self {
        Self::Refused(Refusal {
            reason,
            message: lead.to_owned(),
            fix: None,
            faults,
        })
    }

    /// The same with what to do about it; nothing changes for an error of another crate, which knows that itself.
    #[must_use]
    pub(crate) fn with_fix(mut self, fix: impl Into<String>) -> Self {
        if let Self::Refused(refusal) = &mut self {
            refusal.fix = Some(fix.into());
        }
        self
    }

    /// Whether what was asked about does not exist.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        match self {
            Self::Store(error) | Self::Engine(EngineError::Store(error)) => {
                matches!(error, StoreError::NotFound { .. })
            }
            Self::Refused(refusal) => refusal.reason == Reason::NotFound,
            Self::Engine(_) | Self::Transcripts(_) => false,
        }
    }

    /// Whether somebody else changed it meanwhile.
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        match self {
            Self::Store(error) | Self::Engine(EngineError::Store(error)) => {
                matches!(
                    error,
                    StoreError::Conflict { .. }
                        | StoreError::ProposalMoved { .. }
                        | StoreError::Exists { .. }
                        | StoreError::HistoryMoved { .. }
                )
            }
            Self::Refused(refusal) => refusal.reason == Reason::Conflict,
            Self::Engine(_) | Self::Transcripts(_) => false,
        }
    }

    /// Whether it can't be done as things are.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        match self {
            Self::Engine(error) => matches!(
                error,
                EngineError::Refused(_) | EngineError::RefusedElsewhere(_)
            ),
            Self::Store(error) => {
                matches!(error, StoreError::PlanRuns { .. } | StoreError::Review(_))
            }
            Self::Refused(refusal) => refusal.reason == Reason::Refused,
            Self::Transcripts(_) => false,
        }
    }
}
