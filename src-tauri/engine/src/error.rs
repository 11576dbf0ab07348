use baton_model::RunId;
use baton_model::graph::Cycle;
use baton_model::run::{IllegalTransition, Refusal, StepError};
use baton_store::StoreError;

/// Why the engine did not execute a command or request.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The run's state does not allow the command.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The store could not be written, so nothing happened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The plan has a cycle and can never run.
    #[error(transparent)]
    Cycle(#[from] Cycle),
    /// Another process executes the run and refused the command.
    #[error("{0}")]
    RefusedElsewhere(String),
    /// Another process executes the run and does not answer.
    #[error("process {pid}, which executes run {run}, isn't responding")]
    Silent {
        /// The run that was addressed.
        run: RunId,
        /// The other executor's process id.
        pid: u32,
    },
    /// Another process executes the run, so this one must not.
    #[error("run {run} can't be taken over: process {pid} executes it")]
    Attended {
        /// The run that was addressed.
        run: RunId,
        /// The other executor's process id.
        pid: u32,
    },
    /// A Baton process is stopped in the middle of a write, which blocks all other writers.
    #[error("the stopped Baton process {pid} holds the database lock")]
    Stuck {
        /// The id of the stopped process.
        pid: u32,
    },
    /// The run changed executors, or became idle, before the command reached it. Nothing of the
    /// command happened.
    #[error("run {run} moved to another executor in the meantime")]
    Moved {
        /// The run that was addressed.
        run: RunId,
    },
    /// The run's dispatcher gave up after repeated store errors.
    #[error("run {run} can't continue: {reason}")]
    GaveUp {
        /// The run that was addressed.
        run: RunId,
        /// The store's last error.
        reason: String,
    },
    /// The run came with a bundle, and its version was only approved in another Baton.
    #[error("run {run} was imported, and the version that it executes isn't approved here")]
    NotApprovedHere {
        /// The run that was addressed.
        run: RunId,
    },
    /// A decision did not fit the run's state. Nothing was stored, and the dispatcher has ended.
    #[error("run {} was dropped because of a bug in Baton", .0.run)]
    Illegal(#[source] IllegalTransition),
    /// The keeper program is missing.
    #[error("the session keeper is not at {}", path.display())]
    NoKeeper {
        /// Where it was expected.
        path: std::path::PathBuf,
    },
    /// The operating system refused a thread or a file.
    #[error("the engine can't start")]
    Io(#[from] std::io::Error),
}

impl EngineError {
    /// What a person can do about it, if that follows from the error.
    #[must_use]
    pub fn fix(&self) -> Option<String> {
        match self {
            Self::Store(error) => error.fix().map(str::to_owned),
            Self::Stuck { pid } => Some(format!(
                "resume it with `kill -CONT {pid}`, or end it, then try again"
            )),
            Self::NoKeeper { .. } => Some("reinstall Baton".to_owned()),
            Self::NotApprovedHere { .. } => {
                Some("approve the plan, then try again, or start a new run".to_owned())
            }
            Self::Illegal(_) => Some(
                "restart Baton to continue from the stored state, and report this bug".to_owned(),
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

    /// Whether the same call may succeed later without any change.
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
            | Self::NotApprovedHere { .. }
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
