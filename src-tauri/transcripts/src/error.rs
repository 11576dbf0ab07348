//! Errors of the transcript index.

use std::io;
use std::path::{Path, PathBuf};

/// Completes the sentence "couldn't read the transcripts: …".
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the names say it")]
pub enum TranscriptsError {
    /// A file or folder cannot be used.
    #[error("{} can't be used: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    /// The index cannot be read or written.
    #[error("the transcript index is not available: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// There is no transcript with this id.
    #[error("transcript '{id}' was not found")]
    Missing { id: String },
    /// The search text is not a valid query.
    #[error("'{words}' is not a valid search query")]
    InvalidQuery { words: String },
}

impl TranscriptsError {
    /// Adds the path to an I/O error.
    pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Io { path, source }
    }
}
