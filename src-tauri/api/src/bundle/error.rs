//! Why a bundle could not be written or read.

use std::io;
use std::path::{Path, PathBuf};

use crate::{ApiError, Code};

/// An error of an export or an import. Nothing has changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BundleError {
    /// The file is no archive, or its end is missing.
    #[error("the bundle can't be read ({0})")]
    Archive(#[from] zip::result::ZipError),
    /// The archive wasn't written by an export, or a newer Baton wrote it.
    #[error("{0}")]
    Foreign(String),
    /// A file in the archive differs from what the manifest says.
    #[error("the bundle is damaged: {path} {problem}")]
    Damaged {
        /// The path within the archive.
        path: String,
        /// A predicate: "is missing".
        problem: &'static str,
    },
    /// A path in the archive could lead out of the data directory.
    #[error("the bundle contains a file that doesn't belong in it: {0:?}")]
    UnexpectedPath(String),
    /// The content doesn't fit on the disk.
    #[error("the bundle needs {needed} bytes, and {free} are free")]
    TooLarge {
        /// The bytes that the content takes.
        needed: u64,
        /// The bytes that are free in the data directory.
        free: u64,
    },
    /// The file to write already exists.
    #[error("{} already exists", .0.display())]
    Exists(PathBuf),
    /// A file can't be read or written.
    #[error("{} can't be used: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// An error of the database.
    #[error(transparent)]
    Store(#[from] baton_store::StoreError),
    /// A run could not be interrupted.
    #[error(transparent)]
    Engine(#[from] baton_engine::EngineError),
    /// Git can't write or read commits.
    #[error("the commits of {directory} can't be added: {source}")]
    Commits {
        /// The repository.
        directory: String,
        /// What git says.
        source: baton_engine::GitError,
    },
    /// The manifest can't be written.
    #[error("the bundle's manifest can't be written: {0}")]
    Manifest(#[from] serde_json::Error),
}

/// Names the file in an error of the operating system.
pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> BundleError {
    let path = path.to_path_buf();
    move |source| BundleError::File { path, source }
}

impl From<BundleError> for ApiError {
    fn from(error: BundleError) -> Self {
        let (code, fix) = match error {
            BundleError::Store(error) => return error.into(),
            BundleError::Engine(error) => return error.into(),
            BundleError::Archive(_) | BundleError::Damaged { .. } => (
                Code::Invalid,
                "copy the file again, or export a new bundle with `baton export --all`",
            ),
            BundleError::Foreign(_) => (
                Code::Invalid,
                "choose a file that this version of `baton export --all` wrote, or update Baton",
            ),
            BundleError::UnexpectedPath(_) => (
                Code::Invalid,
                "use only bundles that `baton export --all` wrote",
            ),
            BundleError::TooLarge { .. } => (
                Code::Unavailable,
                "free some space, or set BATON_DATA_DIR to a larger disk",
            ),
            BundleError::Exists(_) => (
                Code::Conflict,
                "choose another name, or overwrite it with --force",
            ),
            BundleError::File { .. } => (
                Code::Unavailable,
                "check the path and its permissions, then try again",
            ),
            BundleError::Commits { .. } => (
                Code::Unavailable,
                "repair the repository, or leave out --with-commits",
            ),
            BundleError::Manifest(_) => (Code::Internal, "report this bug"),
        };
        Self::new(code, error.to_string()).with_fix(fix)
    }
}
