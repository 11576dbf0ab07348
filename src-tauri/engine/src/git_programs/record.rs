//! The record of a repository in the folder of a session, so that another process can compare, and
//! changes can be restored.
//!
//! Values are stored unmasked, including secrets, since they could not be restored otherwise.
//! Sandboxed sessions cannot see these files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use baton_keeper::session_file;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::GitSnapshot;
use super::comparison::RecordedChange;

/// The earlier state; exists until the attempt was compared.
const BEFORE_FILE: &str = "git-before.json";
/// The changes; exists if there are any.
const CHANGES_FILE: &str = "git-changes.json";

/// The record of one session.
#[derive(Debug)]
pub(crate) struct Record {
    folder: PathBuf,
    /// The earlier state, in the process that read it.
    before: Option<GitSnapshot>,
}

impl Record {
    /// Reads the state before the session in `folder` starts to work in `directory`. A state that
    /// an earlier process recorded for the same session is kept: its program may have started.
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

    /// The record of a session that another process started.
    pub(crate) fn adopt(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            before: read(&folder.join(BEFORE_FILE)),
        }
    }

    /// The current changes in `directory`. `join` adds those of other attempts.
    pub(crate) fn compare(
        &self,
        directory: &Path,
        join: impl FnOnce(Vec<RecordedChange>) -> Vec<RecordedChange>,
    ) -> Vec<RecordedChange> {
        let Some(before) = &self.before else {
            return Self::changes(&self.folder);
        };
        let changes = join(GitSnapshot::take(directory).changes_since(before));
        if let Err(error) = self.save(&changes) {
            // The changes are reported all the same; they only cannot be restored.
            tracing::warn!(folder = %self.folder.display(), %error, "couldn't store the changes of git settings");
        }
        changes
    }

    /// Once the changes are saved, or there are none, the comparison need not be repeated by
    /// another process.
    fn save(&self, changes: &[RecordedChange]) -> io::Result<()> {
        if !changes.is_empty() {
            write(&self.folder.join(CHANGES_FILE), &changes)?;
        }
        match fs::remove_file(self.folder.join(BEFORE_FILE)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// The changes after the session in `folder`.
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
