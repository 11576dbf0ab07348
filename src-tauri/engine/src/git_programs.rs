//! Detects changes to the files that make the person's own git run programs in a repository.
//!
//! Baton's git runs nothing that a repository configures (`git`); the person's does. A session may
//! write `.git/config` and, where no sandbox protects the hooks or the folder around them was
//! replaced, the hooks too. So the files that control git are saved before an attempt and compared
//! by content after it; git is started only to read settings that differ.
//!
//! Covered: the repositories around the directory, with their shared and own configuration, the
//! files that these include from within, `info/attributes`, `hooks`, and the same for the
//! submodules in `modules`. Not covered: the targets of links in place of these, files that
//! `core.hooksPath` names, other repositories inside the work tree, and the person's global
//! configuration. A change that was reverted before the comparison is not detected.

mod comparison;
mod file_state;
mod masked;
mod record;
mod restoration;
mod settings;
#[cfg(test)]
mod tests;
mod watched_files;

use std::collections::BTreeMap;
use std::path::Path;

use baton_model::evidence::GitFileRole;
use serde::{Deserialize, Serialize};

pub(crate) use comparison::{RecordedChange, with_earlier};
use file_state::FileState;
pub(crate) use record::Record;
pub use restoration::{GitRestoration, GitRestoreError, NotRestored, restore as restore_git};

/// The files that control git in the repositories around a directory, at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct GitSnapshot {
    files: BTreeMap<String, WatchedFile>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct WatchedFile {
    role: GitFileRole,
    state: FileState,
}

impl GitSnapshot {
    /// Reads all files; empty outside of git.
    pub(crate) fn take(directory: &Path) -> Self {
        Self {
            files: watched_files::collect_watched_files(directory),
        }
    }

    /// Whether there is no repository.
    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The current state of `file`.
    fn state_of(&self, file: &str) -> FileState {
        match self.files.get(file) {
            Some(watched) => watched.state.clone(),
            None => FileState::read(Path::new(file)),
        }
    }
}
