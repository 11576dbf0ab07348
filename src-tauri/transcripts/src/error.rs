//! Why the index of transcripts cannot answer.

use std::io;
use std::path::{Path, PathBuf};

/// Fits after "failed to look into the transcripts:".
#[derive(Debug, thiserror::Error)]
pub enum TranscriptsError {
    /// A file or folder cannot be used.
    #[error("{} cannot be used: {source}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The index cannot be read or written.
    #[error("the index does not answer: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// There is no transcript of that name.
    #[error("there is no transcript '{id}'")]
    Missing {
        /// The name that was given.
        id: String,
    },
    /// The words of a search make no query.
    #[error("the words '{words}' cannot be searched for")]
    InvalidQuery {
        /// The words.
        words: String,
    },
}

impl TranscriptsError {
    /// An error of a file with its path.
    pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Io { path, source }
    }
}
