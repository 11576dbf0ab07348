//! The known state of a tree, and a change of a file.

use std::collections::{BTreeMap, HashMap};

use super::super::file_state::FileState;

/// A file that changed, or that was created and removed again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    /// Relative to the root.
    pub(crate) path: String,
    /// Its state before, if it existed.
    pub(crate) before: Option<FileState>,
    /// Its state afterwards, if it exists.
    pub(crate) after: Option<FileState>,
}

/// The state of a tree at some time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Known {
    /// When it was opened.
    pub(crate) opened: i64,
    /// The files of each folder.
    pub(crate) folders: BTreeMap<String, HashMap<Box<str>, FileState>>,
}

impl Known {
    pub(crate) fn apply(&mut self, Change { path, after, .. }: Change) {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let files = self.folders.entry(folder.to_owned()).or_default();
        match after {
            Some(state) => _ = files.insert(name.into(), state),
            None => _ = files.remove(name),
        }
    }
}
