//! Which files an attempt changed, as git sees it.
//!
//! Only in git work trees: elsewhere Baton does not know, and says so. Attempts that run side by side in one
//! directory are not told apart; each is shown what changed while it ran.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::git::Git;

/// The files that differ from the last commit, each with what would change if it were written again.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Snapshot {
    head: String,
    files: BTreeMap<String, (String, i128, u64)>,
}

/// How old a snapshot may be to serve as the one before the next attempt: what changes in between is told of that attempt.
const FRESH: Duration = Duration::from_millis(500);

/// The latest snapshot of each work tree, so that a chain of short nodes asks git once for each, not twice.
pub(crate) struct Snapshots {
    /// Where Baton keeps its own files: what it writes there is no work of a node.
    data_directory: PathBuf,
    latest: Mutex<HashMap<PathBuf, (Instant, Snapshot)>>,
}

impl Snapshots {
    /// Nothing is known yet. Files below `data_directory` are never told.
    pub(crate) fn new(data_directory: PathBuf) -> Self {
        Self { data_directory, latest: Mutex::default() }
    }

    /// The state of the work tree that holds `directory`, perhaps half a second old; `None` outside of git, or when git cannot tell.
    pub(crate) fn before(&self, directory: &Path) -> Option<Snapshot> {
        let root = work_tree_of(directory)?;
        let latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner).get(&root).cloned();
        match latest {
            Some((at, snapshot)) if at.elapsed() < FRESH => Some(snapshot),
            _ => self.after(directory),
        }
    }

    /// The state of the work tree that holds `directory`, now; `None` outside of git, or when git cannot tell.
    pub(crate) fn after(&self, directory: &Path) -> Option<Snapshot> {
        let root = work_tree_of(directory)?;
        let snapshot = snapshot(&root, &self.data_directory)?;
        let taken = (Instant::now(), snapshot.clone());
        self.latest.lock().unwrap_or_else(PoisonError::into_inner).insert(root, taken);
        Some(snapshot)
    }
}

fn snapshot(root: &Path, data_directory: &Path) -> Option<Snapshot> {
    let mut arguments = vec!["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--no-renames"];
    let own = data_directory.strip_prefix(root).ok().map(|own| format!(":(exclude,literal){}", own.display()));
    if let Some(own) = own.as_deref() {
        arguments.extend(["--", ".", own]);
    }
    let status = git(root, &arguments)?;
    let mut snapshot = Snapshot::default();
    for entry in status.split('\0') {
        if let Some(head) = entry.strip_prefix("# branch.oid ") {
            snapshot.head = head.to_owned();
        } else if let Some((state, path)) = changed_path(entry) {
            let (modified, size) = fs::symlink_metadata(root.join(path)).map_or((0, 0), |meta| {
                (i128::from(meta.mtime()) * 1_000_000_000 + i128::from(meta.mtime_nsec()), meta.len())
            });
            snapshot.files.insert(path.to_owned(), (state.to_owned(), modified, size));
        }
    }
    Some(snapshot)
}

/// What git says of a path, and the path: `1 <XY> <sub> <mH> <mI> <mW> <hH> <hI> <path>`, likewise `u` with two fields
/// more, or `? <path>` (git-status, porcelain format version 2).
fn changed_path(entry: &str) -> Option<(&str, &str)> {
    let fields = match entry.get(..2)? {
        "1 " => 8,
        "u " => 10,
        "? " => 1,
        _ => return None,
    };
    let (at, _) = entry.match_indices(' ').nth(fields - 1)?;
    Some((&entry[..at], &entry[at + 1..]))
}

/// The paths that changed between two snapshots of the tree that holds `directory`, relative to its root, sorted.
pub(crate) fn between(directory: &Path, before: &Snapshot, after: &Snapshot) -> Vec<String> {
    let mut changed: Vec<String> = after
        .files
        .iter()
        .filter(|(path, state)| before.files.get(*path) != Some(state))
        .map(|(path, _)| path.clone())
        .collect();
    // What was dirty and is clean now was put back, or committed.
    changed.extend(before.files.keys().filter(|path| !after.files.contains_key(*path)).cloned());
    if before.head != after.head && !before.head.starts_with('(') {
        let range = format!("{}..{}", before.head, after.head);
        let committed = work_tree_of(directory).and_then(|root| git(&root, &["diff", "--name-only", "-z", &range]));
        changed.extend(committed.unwrap_or_default().split('\0').filter(|path| !path.is_empty()).map(str::to_owned));
    }
    changed.sort();
    changed.dedup();
    changed
}

/// The nearest folder above that git calls a work tree; found without starting git, as most commands run outside of any.
fn work_tree_of(directory: &Path) -> Option<PathBuf> {
    directory.ancestors().find(|folder| folder.join(".git").exists()).map(Path::to_path_buf)
}

fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Git::at(root).run(arguments).ok()?;
    Some(String::from_utf8_lossy(&output).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn git_tells_what_changed_meanwhile_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        let snapshots = Snapshots::new(root.join("data"));
        assert_eq!(snapshots.before(root), None, "no git, no knowledge");
        for arguments in [&["init", "--quiet"][..], &["config", "user.email", "a@b"], &["config", "user.name", "A"]] {
            git(root, arguments).expect("git works");
        }
        fs::write(root.join("kept"), "1").expect("room");
        fs::write(root.join("dirty before"), "1").expect("room");
        git(root, &["add", "kept"]).expect("git works");
        git(root, &["commit", "--quiet", "-m", "first"]).expect("git works");
        let before = snapshots.before(root).expect("a work tree");
        fs::write(root.join("new"), "1").expect("room");
        fs::write(root.join("committed"), "1").expect("room");
        git(root, &["add", "committed"]).expect("git works");
        git(root, &["commit", "--quiet", "-m", "second"]).expect("git works");
        fs::write(root.join("kept"), "22").expect("room");
        fs::create_dir(root.join("data")).expect("room");
        fs::write(root.join("data/baton.db"), "Baton's own").expect("room");
        let after = snapshots.after(root).expect("a work tree");
        assert_eq!(between(root, &before, &after), ["committed", "kept", "new"]);
    }
}
