//! The manifest of a bundle: what it contains, with a checksum of each file.

use std::collections::HashSet;

use baton_model::Timestamp;
use serde::{Deserialize, Serialize};

use super::entry_path::is_allowed;
use super::error::BundleError;

/// The name of the manifest in the archive. It is written last, because it has the checksums.
pub(super) const MANIFEST: &str = "manifest.json";
/// The name of the database in the archive, and in a data directory.
pub(super) const DATABASE: &str = "baton.db";
/// The largest manifest that is read, in bytes.
pub(super) const MANIFEST_LIMIT: u64 = 512 << 20;

const FORMAT: &str = "baton-bundle";
const VERSION: u32 = 1;

/// What a bundle contains.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Manifest {
    /// Always `baton-bundle`.
    pub(super) format: String,
    /// The version of the archive's layout.
    pub(super) version: u32,
    /// The version of the program that wrote it.
    pub(super) baton: String,
    pub(super) created_at: Timestamp,
    /// All files but the manifest.
    pub(super) files: Vec<BundledFile>,
    /// The repositories whose commits are included.
    #[serde(default)]
    pub(super) commits: Vec<BundledCommits>,
}

/// A file of the archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct BundledFile {
    /// Relative to the archive and to the data directory.
    pub(super) path: String,
    /// Its size without compression.
    pub(super) bytes: u64,
    /// The SHA-256 of its content in hexadecimal digits.
    pub(super) sha256: String,
}

/// The commits of one repository as a git bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct BundledCommits {
    /// The git bundle in the archive.
    pub(super) path: String,
    /// The repository's directory on the machine of the export.
    pub(super) directory: String,
}

impl Manifest {
    pub(super) fn new(
        created_at: Timestamp,
        files: Vec<BundledFile>,
        commits: Vec<BundledCommits>,
    ) -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            baton: env!("CARGO_PKG_VERSION").to_owned(),
            created_at,
            files,
            commits,
        }
    }

    /// Reads a manifest and checks its version and paths.
    pub(super) fn parse(text: &[u8]) -> Result<Self, BundleError> {
        let foreign = || BundleError::Foreign("the file is not a bundle of Baton".to_owned());
        let head: Head = serde_json::from_slice(text).map_err(|_| foreign())?;
        if head.format != FORMAT {
            return Err(foreign());
        }
        if head.version > VERSION {
            let message = format!(
                "a newer version of Baton wrote the bundle (version {}; this program supports up to {VERSION})",
                head.version
            );
            return Err(BundleError::Foreign(message));
        }
        let manifest: Self = serde_json::from_slice(text).map_err(|_| foreign())?;
        manifest.check_paths()?;
        Ok(manifest)
    }

    fn check_paths(&self) -> Result<(), BundleError> {
        let mut seen = HashSet::new();
        for file in &self.files {
            if !is_allowed(&file.path) || !seen.insert(file.path.as_str()) {
                return Err(BundleError::UnexpectedPath(file.path.clone()));
            }
        }
        if !seen.contains(DATABASE) {
            return Err(BundleError::Damaged {
                path: DATABASE.to_owned(),
                problem: "is missing",
            });
        }
        let unlisted = |commits: &&BundledCommits| !seen.contains(commits.path.as_str());
        match self.commits.iter().find(unlisted) {
            Some(commits) => Err(BundleError::UnexpectedPath(commits.path.clone())),
            None => Ok(()),
        }
    }

    /// The bytes that the content takes, with the rows of the database a second time: they are
    /// copied.
    pub(super) fn needed_bytes(&self) -> u64 {
        let rows = self.files.iter().filter(|file| file.path == DATABASE);
        let counted = self.files.iter().chain(rows);
        counted.fold(0, |sum: u64, file| sum.saturating_add(file.bytes))
    }
}

/// What a manifest of any version has.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: u32,
}
