//! Why there are no notices.

use std::io;
use std::path::PathBuf;

/// Why the notices could not be made.
#[derive(Debug, thiserror::Error)]
pub enum NoticesError {
    /// Packages bring no text of their license.
    #[error(
        "these packages bring no license text: {}. Add each to COMPLETIONS in src-tauri/notices/src/completion.rs",
        .packages.join(", ")
    )]
    MissingTexts {
        /// Their names and versions.
        packages: Vec<String>,
    },
    /// Packages name no license.
    #[error("these packages name no license: {}. Replace them, or ask their authors", .packages.join(", "))]
    MissingLicenses {
        /// Their names and versions.
        packages: Vec<String>,
    },
    /// Entries of the table that complete nothing.
    #[error(
        "these packages need no entry in src-tauri/notices/src/completion.rs: {}. Remove it",
        .packages.join(", ")
    )]
    UnusedOverrides {
        /// Their names.
        packages: Vec<String>,
    },
    /// The list of crates could not be had.
    #[error("cargo could not list the crates")]
    Metadata(#[from] cargo_metadata::Error),
    /// The compiler does not say for which platform it builds.
    #[error("rustc does not name its host")]
    UnknownHost,
    /// A list of npm packages is not understood.
    #[error("{} could not be read as JSON", path.display())]
    NotUnderstood {
        /// The file.
        path: PathBuf,
        /// What is wrong in it.
        #[source]
        source: serde_json::Error,
    },
    /// A file could not be read or written.
    #[error("{} could not be read or written", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        #[source]
        source: io::Error,
    },
}

impl NoticesError {
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        |source| Self::File { path, source }
    }
}
