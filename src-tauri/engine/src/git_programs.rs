//! What makes the person's own git run programs in a repository, and how it differs after an attempt.
//!
//! Baton's git runs nothing that a repository names (`git`); the person's does. A session may write `.git/config`, and
//! where no sandbox protects the hooks, or the folder around them was exchanged, those too. So the files that git obeys are
//! kept before an attempt and compared after it, by their bytes: git is started only to read settings that differ.
//!
//! Looked at: the repositories around the directory, with their shared and own configuration, the files that these include
//! from within, `info/attributes`, `hooks`, and the same of the submodules in `modules`. Not looked at: what a link in their
//! place leads to, files that `core.hooksPath` names, other repositories inside the work tree, and the person's global
//! configuration. What was changed and changed back meanwhile does not show.

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

/// What git obeys in the repositories around a directory, at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct GitSnapshot {
    files: BTreeMap<String, WatchedFile>,
}

/// A file that git obeys.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct WatchedFile {
    role: GitFileRole,
    state: FileState,
}

impl GitSnapshot {
    /// Reads all of it; nothing outside of git.
    pub(crate) fn take(directory: &Path) -> Self {
        Self {
            files: watched_files::collect_watched_files(directory),
        }
    }

    /// Whether there is no repository.
    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// What is in the place `file` now.
    fn state_of(&self, file: &str) -> FileState {
        match self.files.get(file) {
            Some(watched) => watched.state.clone(),
            None => FileState::read(Path::new(file)),
        }
    }
}
