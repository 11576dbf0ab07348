//! Why the engine did not do what it was asked.

use baton_model::RunId;
use baton_model::graph::Cycle;
use baton_model::run::{IllegalTransition, Refusal, StepError};
use baton_store::StoreError;

/// Why the engine did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The run's state does not allow it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The store could not keep it, so it did not happen.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The plan can never run.
    #[error(transparent)]
    Cycle(#[from] Cycle),
    /// Another process executes the run and said no.
    #[error("{0}")]
    RefusedElsewhere(String),
    /// Another process executes the run and does not answer.
    #[error("process {pid}, which executes run {run}, doesn't answer")]
    Silent {
        /// The run.
        run: RunId,
        /// The process.
        pid: u32,
    },
    /// Another process executes the run, so this one must not.
    #[error("run {run} can't be taken over: process {pid} executes it")]
    Attended {
        /// The run.
        run: RunId,
        /// The process.
        pid: u32,
    },
    /// A Baton stands still in the middle of a write, and nobody else can write meanwhile.
    #[error("process {pid}, a Baton that was stopped, keeps the data locked")]
    Stuck {
        /// The process.
        pid: u32,
    },
    /// The run changed hands, or came to rest, before the wish reached it: nothing of the wish has happened.
    #[error("run {run} changed hands meanwhile")]
    Moved {
        /// The run.
        run: RunId,
    },
    /// The dispatcher of the run gave up.
    #[error("run {run} can't continue: {reason}")]
    GaveUp {
        /// The run.
        run: RunId,
        /// Why.
        reason: String,
    },
    /// What was decided for a run doesn't fit its state. Nothing of it was stored, and its dispatcher is gone.
    #[error("run {} was dropped because of a fault in Baton", .0.run)]
    Illegal(#[source] IllegalTransition),
    /// The keeper's program is not where it should be.
    #[error("the session keeper is not at {}", path.display())]
    NoKeeper {
        /// Where it was looked for.
        path: std::path::PathBuf,
    },
    /// The operating system refused a thread or a file.
    #[error("the engine can't start")]
    Io(#[from] std::io::Error),
}

impl EngineError {
    /// What a person can do about it, where that follows from the error.
    #[must_use]
    pub fn fix(&self) -> Option<String> {
        match self {
            Self::Store(error) => error.fix().map(str::to_owned),
            Self::Stuck { pid } => Some(format!(
                "let it continue (kill -CONT {pid}) or end it, then try again"
            )),
            Self::NoKeeper { .. } => Some("reinstall Baton".to_owned()),
            Self::Illegal(_) => Some(
                "restart Baton to continue from what is stored, and report this fault".to_owned(),
            ),
            Self::Refused(_)
            | Self::Cycle(_)
            | Self::RefusedElsewhere(_)
            | Self::Silent { .. }
            | Self::Attended { .. }
            | Self::Moved { .. }
            | Self::GaveUp { .. }
            | Self::Io(_) => None,
        }
    }

    /// Whether the same may succeed later, although nobody changes anything about it.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Store(error) => error.is_transient(),
            Self::Silent { .. } | Self::Attended { .. } | Self::Moved { .. } => true,
            Self::Stuck { .. } | Self::GaveUp { .. } | Self::Io(_) => true,
            Self::Refused(_)
            | Self::Cycle(_)
            | Self::RefusedElsewhere(_)
            | Self::Illegal(_)
            | Self::NoKeeper { .. } => false,
        }
    }
}

impl From<StepError> for EngineError {
    fn from(error: StepError) -> Self {
        match error {
            StepError::Refused(refusal) => Self::Refused(refusal),
            StepError::Illegal(illegal) => Self::Illegal(illegal),
        }
    }
}
