//! What is kept of a repository in the folder of a session, so that another process can compare, and Restore can put back.
//!
//! Values are kept whole, secrets too: otherwise nothing could be put back. Sandboxed sessions do not see these files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use baton_keeper::session_file;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::GitSnapshot;
use super::comparison::RecordedChange;

/// How it was before; there as long as the attempt has not been compared.
const BEFORE_FILE: &str = "git-before.json";
/// What became different; there when something did.
const CHANGES_FILE: &str = "git-changes.json";

/// The record of one session.
#[derive(Debug)]
pub(crate) struct Record {
    folder: PathBuf,
    /// How it was, as long as the process lives that looked.
    before: Option<GitSnapshot>,
}

impl Record {
    /// Looks, before the session in `folder` starts to work in `directory`. What an earlier process found for the same
    /// session stays: its program may have begun.
    pub(crate) fn begin(folder: &Path, directory: &Path) -> io::Result<Self> {
        let earlier: Option<GitSnapshot> = read(&folder.join(BEFORE_FILE));
        let is_new = earlier.is_none();
        let before = earlier.unwrap_or_else(|| GitSnapshot::take(directory));
        if is_new && !before.is_empty() {
            write(&folder.join(BEFORE_FILE), &before)?;
        }
        Ok(Self {
            folder: folder.to_owned(),
            before: Some(before),
        })
    }

    /// The record of a session that another process began.
    pub(crate) fn adopt(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            before: read(&folder.join(BEFORE_FILE)),
        }
    }

    /// What is different in `directory` now. `join` adds what other attempts left.
    pub(crate) fn compare(
        &self,
        directory: &Path,
        join: impl FnOnce(Vec<RecordedChange>) -> Vec<RecordedChange>,
    ) -> Vec<RecordedChange> {
        let Some(before) = &self.before else {
            return Self::changes(&self.folder);
        };
        let changes = join(GitSnapshot::take(directory).changes_since(before));
        if let Err(error) = self.keep(&changes) {
            // They are told all the same; what cannot be had is Restore.
            tracing::warn!(folder = %self.folder.display(), %error, "what changed of git could not be kept");
        }
        changes
    }

    /// Once the changes are kept, or there are none, another process needs the comparison no longer.
    fn keep(&self, changes: &[RecordedChange]) -> io::Result<()> {
        if !changes.is_empty() {
            write(&self.folder.join(CHANGES_FILE), &changes)?;
        }
        match fs::remove_file(self.folder.join(BEFORE_FILE)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// What was different after the session in `folder`.
    pub(crate) fn changes(folder: &Path) -> Vec<RecordedChange> {
        read(&folder.join(CHANGES_FILE)).unwrap_or_default()
    }
}

fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&session_file::read(path).ok()?).ok()
}

fn write(path: &Path, content: &impl Serialize) -> io::Result<()> {
    session_file::write(path, serde_json::to_vec(content)?)
}
