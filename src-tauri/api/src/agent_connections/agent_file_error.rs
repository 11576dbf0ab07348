//! Why a file of an agent can't be read or changed.

use std::io;
use std::path::PathBuf;

use baton_formats::agent_config::EntryError;

use crate::{ApiError, Code};

/// A file that can't be read or changed. Nothing was written to it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AgentFileError {
    #[error("couldn't read {}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{} is not a file of at most {limit} bytes", path.display())]
    NotReadable { path: PathBuf, limit: u64 },
    #[error("couldn't read {}", path.display())]
    Entry { path: PathBuf, source: EntryError },
    #[error("couldn't write {}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("{} was changed in the meantime", path.display())]
    Changed { path: PathBuf },
}

impl From<AgentFileError> for ApiError {
    fn from(error: AgentFileError) -> Self {
        let (code, fix) = match &error {
            AgentFileError::Write { .. } => (
                Code::Unavailable,
                "check the permissions of the file and its folder, then try again",
            ),
            AgentFileError::Changed { .. } => (Code::Conflict, "look at the changes again"),
            AgentFileError::Read { .. }
            | AgentFileError::NotReadable { .. }
            | AgentFileError::Entry { .. } => (Code::Refused, "repair the file, then try again"),
        };
        Self::from_cause(code, &error, Some(fix.to_owned()), false)
    }
}
