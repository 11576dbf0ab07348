//! Checks one file that may have changed.

use std::fs;
use std::path::PathBuf;

use super::super::file_state::{FileFacts, FileState, Touch};
use super::{Change, Tree};

impl Tree {
    /// Reads a file's state again.
    pub(super) fn refresh(&mut self, path: String, touch: Touch) -> Option<Change> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
        if path.split('/').any(|part| part == ".git") {
            return None;
        }
        let file = self.locate(&path)?;
        let meta = fs::symlink_metadata(&file)
            .ok()
            .filter(|meta| !meta.is_dir());
        let before = self
            .folders
            .get(folder)
            .and_then(|files| files.get(name))
            .copied();
        let after = meta.map(|meta| {
            let is_as_before = before
                .as_ref()
                .and_then(FileState::facts)
                .filter(|facts| facts.matches_metadata(&meta));
            is_as_before
                .copied()
                .unwrap_or_else(|| FileFacts::of(&file, &meta, true))
        });
        if after.is_some_and(|facts| facts.names > 1) {
            self.linked.insert(path.clone());
        }
        match after {
            Some(facts) => {
                let files = self.folders.entry(folder.to_owned()).or_default();
                files.insert(name.into(), FileState::Known(facts));
            }
            None => self.drop_file(folder, name, &path),
        }
        let after = after.map(FileState::Known);
        // Nothing touched it since it was listed, so its state then was the same.
        let is_old = after
            .as_ref()
            .and_then(FileState::facts)
            .is_some_and(|facts| facts.changed < self.opened);
        let before = if before == Some(FileState::Listed) && is_old {
            after
        } else {
            before
        };
        let is_passing = before.is_none() && after.is_none() && touch == Touch::Written;
        let is_change = is_passing || FileState::differs(before.as_ref(), after.as_ref(), touch);
        is_change.then_some(Change {
            path,
            before,
            after,
        })
    }

    fn drop_file(&mut self, folder: &str, name: &str, path: &str) {
        self.linked.remove(path);
        if let Some(files) = self.folders.get_mut(folder) {
            files.remove(name);
            if files.is_empty() {
                self.folders.remove(folder);
            }
        }
    }

    /// The path of a file whose name may not be valid Unicode.
    fn locate(&self, path: &str) -> Option<PathBuf> {
        if !path.contains(char::REPLACEMENT_CHARACTER) {
            return Some(self.root.join(path));
        }
        path.split('/').try_fold(self.root.clone(), |folder, name| {
            let is_named = |entry: &fs::DirEntry| entry.file_name().to_string_lossy() == name;
            let found = fs::read_dir(&folder)
                .ok()
                .and_then(|entries| entries.flatten().find(is_named));
            Some(found.map_or_else(|| folder.join(name), |entry| entry.path()))
        })
    }
}
