//! Errors that end a command, and their exit codes.

use std::io;
use std::path::PathBuf;

use baton_api::{ApiError, AppError, Code};
use baton_mcp::StdioError;
use baton_server::ServerError;

use crate::exit::Exit;
use crate::lookup_error::IdLookupError;

/// An error that ends the command. Displays as the text after `baton: `.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// An operation failed or was refused.
    #[error("couldn't {doing}. {error}")]
    Operation {
        /// Completes "couldn't …".
        doing: String,
        error: ApiError,
    },
    /// The data directory could not be opened.
    #[error("couldn't open Baton's data. {}", ApiError::from(&**.0))]
    Open(Box<AppError>),
    /// An ID or title matches nothing, or several things.
    #[error("{0}")]
    Naming(#[from] IdLookupError),
    /// A file from the command line can't be read.
    #[error("couldn't read {}: {reason}", path.display())]
    Read { path: PathBuf, reason: String },
    /// An output file can't be written.
    #[error("couldn't write {}: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    /// The command line, or its combination with the current state, is invalid.
    #[error("{0}")]
    Usage(String),
    /// The user declined a prompt.
    #[error("{0}")]
    Declined(String),
    /// The HTTP server could not start.
    #[error("couldn't {0}")]
    Server(#[from] ServerError),
    /// The server for an agent's tools ended early.
    #[error("couldn't {0}")]
    Tools(#[from] StdioError),
    /// A system call failed, such as starting a thread or handling a signal.
    #[error("couldn't {doing}: {source}")]
    System {
        /// Completes "couldn't …".
        doing: &'static str,
        source: io::Error,
    },
    /// Writing to standard output failed, for example because its reader is gone.
    #[error("couldn't write the output: {0}")]
    Output(io::Error),
}

impl From<AppError> for Failure {
    fn from(error: AppError) -> Self {
        Self::Open(Box::new(error))
    }
}

impl Failure {
    /// Returns the exit code for the error.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Operation { error, .. } => match error.code {
                Code::BadInput
                | Code::NotFound
                | Code::Deleted
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
            | Self::Tools(_)
            | Self::System { .. }
            | Self::Output(_) => Exit::Failed,
        }
    }

    /// Whether the reader of standard output is gone, as with `head`. That needs no error message.
    pub(crate) fn is_output_closed(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// Converts the error for `--json`.
    pub(crate) fn to_api_error(&self) -> ApiError {
        let code = match self {
            Self::Operation { error, .. } => return error.clone(),
            Self::Open(error) => return ApiError::from(&**error),
            Self::Naming(_) => Code::NotFound,
            Self::Read { .. } | Self::Usage(_) => Code::BadInput,
            Self::Declined(_) => Code::Refused,
            Self::Write { .. }
            | Self::Server(_)
            | Self::Tools(_)
            | Self::System { .. }
            | Self::Output(_) => Code::Unavailable,
        };
        // The default fix of the error code is about operations, so it does not apply.
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
