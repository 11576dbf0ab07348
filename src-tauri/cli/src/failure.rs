//! Why the command ends without a result.

use std::io;
use std::path::PathBuf;

use baton_api::{ApiError, AppError, Code};
use baton_server::ServerError;

use crate::exit::Exit;
use crate::lookup_error::IdLookupError;

/// Why the command ends without a result. Displays as what follows `baton: `.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// An operation was refused.
    #[error("couldn't {doing}. {error}")]
    Operation {
        /// What was to be done.
        doing: String,
        /// Why it was not.
        error: ApiError,
    },
    /// The data could not be opened.
    #[error("couldn't open Baton's data. {}", ApiError::from(&**.0))]
    Open(Box<AppError>),
    /// What was named is not there, or is not unique.
    #[error("{0}")]
    Naming(#[from] IdLookupError),
    /// A file that was given cannot be read.
    #[error("couldn't read {}: {reason}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why, for a person.
        reason: String,
    },
    /// A file cannot be written.
    #[error("couldn't write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Something has to be said first: a sentence.
    #[error("{0}")]
    Usage(String),
    /// A person said no.
    #[error("{0}")]
    Declined(String),
    /// The server does not serve.
    #[error("couldn't {0}")]
    Server(#[from] ServerError),
    /// The operating system refused a thread, a signal or the like.
    #[error("couldn't {doing}: {source}")]
    System {
        /// What was to be done.
        doing: &'static str,
        /// Why it was not.
        source: io::Error,
    },
    /// Nobody reads standard output any more, or it is full.
    #[error("couldn't write the output: {0}")]
    Output(io::Error),
}

impl From<AppError> for Failure {
    fn from(error: AppError) -> Self {
        Self::Open(Box::new(error))
    }
}

impl Failure {
    /// The exit code for it.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Operation { error, .. } => match error.code {
                Code::BadInput
                | Code::NotFound
                | Code::Conflict
                | Code::Refused
                | Code::NotApproved
                | Code::Forbidden
                | Code::Invalid => Exit::Usage,
                Code::WaitsForPerson => Exit::Waits,
                Code::Busy | Code::NoAgent | Code::Unavailable | Code::Internal => Exit::Failed,
            },
            Self::Naming(_) | Self::Read { .. } | Self::Usage(_) => Exit::Usage,
            Self::Declined(_) => Exit::Cancelled,
            Self::Output(_) if self.is_output_closed() => Exit::Done,
            Self::Open(_)
            | Self::Write { .. }
            | Self::Server(_)
            | Self::System { .. }
            | Self::Output(_) => Exit::Failed,
        }
    }

    /// Whether the reader of standard output went away, as `head` does: no reason for a message.
    pub(crate) fn is_output_closed(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// The same as data.
    pub(crate) fn to_api_error(&self) -> ApiError {
        let code = match self {
            Self::Operation { error, .. } => return error.clone(),
            Self::Open(error) => return ApiError::from(&**error),
            Self::Naming(_) => Code::NotFound,
            Self::Read { .. } | Self::Usage(_) => Code::BadInput,
            Self::Declined(_) => Code::Refused,
            Self::Write { .. } | Self::Server(_) | Self::System { .. } | Self::Output(_) => {
                Code::Unavailable
            }
        };
        // What helps with an operation of that kind is no help with a file of the caller's own.
        ApiError {
            fix: None,
            ..ApiError::new(code, self.to_string())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_code_distinguishes_refusal_from_system_error() {
        let exit = |code| {
            Failure::Operation {
                doing: "run".to_owned(),
                error: ApiError::new(code, "no"),
            }
            .exit()
        };
        assert_eq!(exit(Code::Invalid), Exit::Usage);
        assert_eq!(exit(Code::Unavailable), Exit::Failed);
        assert_eq!(Failure::Declined(String::new()).exit(), Exit::Cancelled);
    }

    #[test]
    fn only_operation_and_data_errors_have_a_fix() {
        let own = Failure::Write {
            path: "/x".into(),
            source: io::ErrorKind::PermissionDenied.into(),
        };
        assert_eq!(own.to_api_error().fix, None);
        let full = baton_api::AppError::NoDataDirectory;
        let error = Failure::from(full).to_api_error();
        assert_eq!(
            error.fix.as_deref(),
            Some("Set BATON_DATA_DIR to a directory.")
        );
    }

    #[test]
    fn closed_output_is_not_a_failure() {
        let failure = Failure::Output(io::ErrorKind::BrokenPipe.into());
        assert_eq!(failure.exit(), Exit::Done);
        assert_eq!(
            Failure::Output(io::ErrorKind::StorageFull.into()).exit(),
            Exit::Failed
        );
    }
}
