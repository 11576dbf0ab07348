//! Errors of the notices.

use std::io;
use std::path::PathBuf;

/// Why the notices can't be created.
#[derive(Debug, thiserror::Error)]
pub enum NoticesError {
    /// These packages contain no license text.
    #[error(
        "these packages contain no license text: {}. Add each to LICENSE_OVERRIDES in src-tauri/notices/src/license_override.rs",
        .packages.join(", ")
    )]
    MissingTexts {
        /// Names and versions.
        packages: Vec<String>,
    },
    /// These packages declare no license.
    #[error("these packages declare no license: {}. Replace them, or ask their authors", .packages.join(", "))]
    MissingLicenses {
        /// Names and versions.
        packages: Vec<String>,
    },
    /// These entries of the table are not needed.
    #[error(
        "these packages don't need their entry in src-tauri/notices/src/license_override.rs: {}. Remove it",
        .packages.join(", ")
    )]
    UnusedOverrides {
        /// The names of the packages.
        packages: Vec<String>,
    },
    /// `cargo metadata` failed.
    #[error("cargo couldn't list the crates")]
    Metadata(#[from] cargo_metadata::Error),
    /// The output of `rustc -vV` contains no host.
    #[error("rustc doesn't report its host")]
    UnknownHost,
    /// A list of npm packages can't be parsed.
    #[error("couldn't parse {} as JSON", path.display())]
    NotUnderstood {
        /// The path of the list.
        path: PathBuf,
        /// The parser's error.
        #[source]
        source: serde_json::Error,
    },
    /// A file or folder can't be read or written.
    #[error("couldn't read or write {}", path.display())]
    File {
        /// The path of the file or folder.
        path: PathBuf,
        /// The system's error.
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
