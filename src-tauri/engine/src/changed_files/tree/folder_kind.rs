//! Classifies folders as watched, compared file by file, or skipped.

use super::Tree;

/// Folders that are skipped outside of git. In git, the ignore rules decide.
pub(crate) const SKIPPED_FOLDERS: [&str; 14] = [
    ".git",
    ".hg",
    ".svn",
    ".jj",
    "node_modules",
    "target",
    ".venv",
    "venv",
    "__pycache__",
    ".cache",
    ".tox",
    ".gradle",
    ".next",
    ".turbo",
];
/// Folders that would need too many watches. If git does not ignore them, they are compared file by
/// file.
const UNWATCHED: [&str; 2] = ["node_modules", "target"];

/// How a tree handles a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Folder {
    Skipped,
    Open,
    Scanned,
    /// Depends on whether git ignores it.
    Unclear,
}

/// Returns whether a path is in a folder that is skipped outside of git.
pub(crate) fn is_skipped(path: &str) -> bool {
    path.split('/').any(|part| SKIPPED_FOLDERS.contains(&part))
}

impl Tree {
    pub(super) fn folder(&self, path: &str, name: &str) -> Folder {
        if name == ".git" || self.root.join(path) == self.data_directory {
            return Folder::Skipped;
        }
        match &self.git {
            None if SKIPPED_FOLDERS.contains(&name) => Folder::Skipped,
            None => Folder::Open,
            Some(git) if !git.tracks_at_or_below(path) => Folder::Unclear,
            Some(_) if UNWATCHED.contains(&name) && !self.is_scanned() => Folder::Scanned,
            Some(_) => Folder::Open,
        }
    }

    /// Classifies folders without tracked files.
    pub(super) fn classify_folders(&mut self, folders: Vec<String>) -> Vec<(String, Folder)> {
        let Some(git) = self.git.as_mut().filter(|_| !folders.is_empty()) else {
            return Vec::new();
        };
        let ignored = git.ignored(folders.clone());
        self.ignored.extend(ignored.iter().cloned());
        let is_scanned = self.watch.is_none();
        let kind = |path: &str| match path.rsplit('/').next() {
            _ if ignored.contains(path) => Folder::Skipped,
            Some(name) if UNWATCHED.contains(&name) && !is_scanned => Folder::Scanned,
            _ => Folder::Open,
        };
        folders
            .into_iter()
            .map(|path| {
                let kind = kind(&path);
                (path, kind)
            })
            .collect()
    }
}
