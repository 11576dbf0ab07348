//! The changes that restore a checkpoint, and applying them.

use std::collections::{BTreeSet, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use super::ignore_rules;
use super::shadow_index::{GITLINK, GitPath, ShadowIndex, list, on_disk, paths};
use super::{CheckpointError, WorkTree};
use crate::git::GitError;

/// A file that restoring changes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChangedFile {
    /// Relative to the root of the work tree; invalid Unicode is replaced.
    pub path: String,
    /// What restoring does to the file.
    pub change: FileChange,
}

/// What restoring does to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileChange {
    /// Its content, mode or type is restored.
    Changed,
    /// It is missing and is created again.
    BroughtBack,
    /// It did not exist and is deleted.
    Deleted,
}

/// The changes that restore a checkpoint.
pub(super) struct Restoration {
    /// The tree of the current files, including everything that would be lost.
    pub(super) present: String,
    /// The files to change, sorted by path.
    pub(super) files: Vec<ChangedFile>,
    goal: String,
    shadow: ShadowIndex,
}

/// A path in which two trees differ, as `git diff-tree` reports it.
struct Difference {
    modes: [String; 2],
    objects: [String; 2],
    path: GitPath,
}

impl Restoration {
    /// The changes that restore the tree `then`. Changes no file.
    pub(super) fn to_tree(work_tree: &WorkTree, then: &str) -> Result<Self, CheckpointError> {
        let shadow = ShadowIndex::of(work_tree)?;
        let mut present = shadow.tree()?;
        let in_scope = |one: &Difference| is_below(&work_tree.scope, &one.path);
        let mut differences: (Vec<_>, Vec<_>) = differences(&shadow, &present, then)?
            .into_iter()
            .partition(in_scope);
        let (hidden, spared) =
            differences_under_ignore_rules(work_tree, &shadow, then, &differences.0)?;
        let (covered, folders) = blocking_paths(work_tree, &shadow, &differences.0);
        if !hidden.is_empty() || !covered.is_empty() {
            shadow.add_ignored(hidden.into_iter().chain(covered))?;
            present = shadow.tree()?;
            differences = self::differences(&shadow, &present, then)?
                .into_iter()
                .partition(in_scope);
        }
        refuse_if_lossy(&shadow, folders)?;
        let (differences, mut stay) = differences;
        let stays = |one: &Difference| {
            one.modes.iter().any(|mode| mode == GITLINK)
                || shadow.is_foreign(&one.path)
                || spared.contains(&one.path)
        };
        let (spared, change): (Vec<_>, Vec<_>) = differences.into_iter().partition(stays);
        stay.extend(spared);
        let goal = goal(work_tree, &shadow, then, &stay)?;
        let mut files: Vec<_> = change.iter().map(Difference::to_changed_file).collect();
        files.sort();
        Ok(Self {
            present,
            files,
            goal,
            shadow,
        })
    }

    /// Writes and deletes the files. Git checks all of them before it touches one.
    pub(super) fn perform(&self) -> Result<(), CheckpointError> {
        let arguments = [
            "read-tree",
            "-m",
            "-u",
            "--no-sparse-checkout",
            &self.present,
            &self.goal,
        ];
        match self.shadow.git.run(&arguments) {
            Ok(_) => Ok(()),
            Err(GitError::Refused { stderr, .. })
                if stderr.contains("uptodate") || stderr.contains("would be overwritten") =>
            {
                Err(CheckpointError::Changing { stderr })
            }
            Err(error) => Err(error.into()),
        }
    }
}

impl Difference {
    fn is_missing_now(&self) -> bool {
        is_nothing(&self.modes[0])
    }

    fn is_new_since(&self) -> bool {
        is_nothing(&self.modes[1])
    }

    fn to_changed_file(&self) -> ChangedFile {
        let change = match (self.is_missing_now(), self.is_new_since()) {
            (true, _) => FileChange::BroughtBack,
            (_, true) => FileChange::Deleted,
            _ => FileChange::Changed,
        };
        ChangedFile {
            path: String::from_utf8_lossy(&self.path).into_owned(),
            change,
        }
    }
}

/// Returns whether a git path is below `scope`, which is relative to the root of the work tree.
fn is_below(scope: &Path, path: &[u8]) -> bool {
    Path::new(OsStr::from_bytes(path)).starts_with(scope)
}

fn is_nothing(mode: &str) -> bool {
    mode == "000000"
}

/// The differences between the trees `present` and `then`: `:<mode> <mode> <object> <object>
/// <letter>` and the path alternate.
fn differences(
    shadow: &ShadowIndex,
    present: &str,
    then: &str,
) -> Result<Vec<Difference>, CheckpointError> {
    let output = shadow.git.run(&[
        "diff-tree",
        "-r",
        "-z",
        "--raw",
        "--no-renames",
        present,
        then,
    ])?;
    let mut fields = paths(&output);
    let mut differences = Vec::new();
    while let (Some(facts), Some(path)) = (fields.next(), fields.next()) {
        let facts = String::from_utf8_lossy(facts);
        if let [before, after, old, new, _] =
            facts.trim_start_matches(':').split(' ').collect::<Vec<_>>()[..]
        {
            let (modes, objects) = (
                [before, after].map(str::to_owned),
                [old, new].map(str::to_owned),
            );
            differences.push(Difference {
                modes,
                objects,
                path: path.to_vec(),
            });
        }
    }
    Ok(differences)
}

/// Used when the rules have changed since: returns what is ignored only today, and what existed
/// then but was ignored, so that it does not count as new.
fn differences_under_ignore_rules(
    work_tree: &WorkTree,
    shadow: &ShadowIndex,
    then: &str,
    differences: &[Difference],
) -> Result<(Vec<GitPath>, HashSet<GitPath>), CheckpointError> {
    if !differences
        .iter()
        .any(|one| ignore_rules::is_ignore_file(&one.path))
    {
        return Ok(Default::default());
    }
    let hidden = ignore_rules::ignored_now(shadow)?;
    let new = differences
        .iter()
        .filter(|one| one.is_new_since())
        .map(|one| one.path.clone());
    let ignored = ignore_rules::ignored_by(
        work_tree,
        shadow,
        then,
        hidden.iter().cloned().chain(new).collect(),
    )?;
    Ok((
        hidden
            .into_iter()
            .filter(|path| !ignored.contains(path))
            .collect(),
        ignored,
    ))
}

/// Returns what exists on the disk in the place of restored files: files, and folders.
fn blocking_paths(
    work_tree: &WorkTree,
    shadow: &ShadowIndex,
    differences: &[Difference],
) -> (BTreeSet<GitPath>, BTreeSet<GitPath>) {
    let (mut files, mut folders) = (BTreeSet::new(), BTreeSet::new());
    for path in differences
        .iter()
        .filter(|one| one.is_missing_now() && !shadow.is_foreign(&one.path))
        .map(|one| &one.path)
    {
        let ends = path
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte == b'/')
            .map(|(at, _)| at)
            .chain([path.len()]);
        for end in ends {
            match fs::symlink_metadata(on_disk(&work_tree.root, &path[..end])) {
                Ok(found) if found.is_dir() && end < path.len() => {}
                Ok(found) if found.is_dir() => _ = folders.insert(path.clone()),
                Ok(_) => {
                    files.insert(path[..end].to_vec());
                    break;
                }
                Err(_) => break,
            }
        }
    }
    (files, folders)
}

/// Fails if one of `folders`, which have to be removed, holds files that are not in the index.
fn refuse_if_lossy(
    shadow: &ShadowIndex,
    folders: BTreeSet<GitPath>,
) -> Result<(), CheckpointError> {
    for folder in folders {
        let path = String::from_utf8_lossy(&folder).into_owned();
        let unseen = shadow.git.run(&[
            "--literal-pathspecs",
            "ls-files",
            "-z",
            "--others",
            "--",
            &path,
        ])?;
        if !unseen.is_empty() {
            return Err(CheckpointError::InTheWay { path });
        }
    }
    Ok(())
}

/// The tree `then`, with the files that stay as they are now.
fn goal(
    work_tree: &WorkTree,
    shadow: &ShadowIndex,
    then: &str,
    stay: &[Difference],
) -> Result<String, CheckpointError> {
    if stay.is_empty() {
        return Ok(then.to_owned());
    }
    let git = work_tree
        .git
        .with_index(&shadow.folder().join("goal-index"));
    git.run(&["read-tree", then])?;
    // Mode 0 removes an entry.
    let entry = |one: &Difference| {
        [
            format!("{} {}\t", one.modes[0], one.objects[0]).as_bytes(),
            &one.path,
        ]
        .concat()
    };
    git.run_with_input(
        &["update-index", "-z", "--add", "--replace", "--index-info"],
        list(stay.iter().map(entry)),
    )?;
    Ok(super::line(&git.run(&["write-tree", "--missing-ok"])?))
}
