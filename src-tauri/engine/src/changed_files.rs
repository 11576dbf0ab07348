//! Which files an attempt changed, as git sees it.
//!
//! Only in git work trees: elsewhere Baton does not know, and says so. Attempts that run side by side in one
//! directory are not told apart; each is shown what changed while it ran.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};

/// The files that differ from the last commit, each with what would change if it were written again.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Snapshot {
    head: String,
    files: BTreeMap<String, (String, i128, u64)>,
}

/// The state of the work tree that holds `directory`; `None` outside of git, or when git cannot tell.
pub(crate) fn snapshot(directory: &Path) -> Option<Snapshot> {
    let root = work_tree_of(directory)?;
    let status = git(&root, &["status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames"])?;
    let head = git(&root, &["rev-parse", "--verify", "--quiet", "HEAD"]).unwrap_or_default();
    let files = status
        .split('\0')
        .filter_map(|entry| Some((entry.get(..2)?.to_owned(), entry.get(3..)?.to_owned())))
        .map(|(status, path)| {
            let (modified, size) = fs::symlink_metadata(root.join(&path)).map_or((0, 0), |meta| {
                (i128::from(meta.mtime()) * 1_000_000_000 + i128::from(meta.mtime_nsec()), meta.len())
            });
            (path, (status, modified, size))
        })
        .collect();
    Some(Snapshot { head: head.trim().to_owned(), files })
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
    if before.head != after.head && !before.head.is_empty() {
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
    let output = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(arguments)
        .env("GIT_OPTIONAL_LOCKS", "0")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn git_tells_what_changed_meanwhile_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        assert_eq!(snapshot(root), None, "no git, no knowledge");
        for arguments in [&["init", "--quiet"][..], &["config", "user.email", "a@b"], &["config", "user.name", "A"]] {
            git(root, arguments).expect("git works");
        }
        fs::write(root.join("kept"), "1").expect("room");
        fs::write(root.join("dirty before"), "1").expect("room");
        git(root, &["add", "kept"]).expect("git works");
        git(root, &["commit", "--quiet", "-m", "first"]).expect("git works");
        let before = snapshot(root).expect("a work tree");
        fs::write(root.join("new"), "1").expect("room");
        fs::write(root.join("committed"), "1").expect("room");
        git(root, &["add", "committed"]).expect("git works");
        git(root, &["commit", "--quiet", "-m", "second"]).expect("git works");
        fs::write(root.join("kept"), "22").expect("room");
        let after = snapshot(root).expect("a work tree");
        assert_eq!(between(root, &before, &after), ["committed", "kept", "new"]);
    }
}
