//! What was known of a tree, and what became of a file since.

use std::collections::{BTreeMap, HashMap};

use super::super::file_state::FileState;

/// A file that is another one than before, or that was made and removed again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    /// Where it is, relative to the root.
    pub(crate) path: String,
    /// How it was, if it was there.
    pub(crate) before: Option<FileState>,
    /// How it is, if it is there.
    pub(crate) after: Option<FileState>,
}

/// How a tree was at some time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Known {
    /// When it was opened.
    pub(crate) opened: i64,
    /// The files of each folder.
    pub(crate) folders: BTreeMap<String, HashMap<Box<str>, FileState>>,
}

impl Known {
    /// Applies one change to the tree.
    pub(crate) fn apply(&mut self, Change { path, after, .. }: Change) {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let files = self.folders.entry(folder.to_owned()).or_default();
        match after {
            Some(state) => _ = files.insert(name.into(), state),
            None => _ = files.remove(name),
        }
    }
}
