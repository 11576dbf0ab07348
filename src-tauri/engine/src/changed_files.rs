//! Which files changed while an attempt ran: as git sees it in a work tree, by comparing the directory elsewhere.
//!
//! Attempts that run side by side in one directory are not told apart; each is shown what changed while it ran.

mod tree;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use baton_model::evidence::{FileChanges, FileSource, Place, Probe};

use crate::git::Git;
use crate::work_tree::work_tree_above;
use tree::{Bounds, Tree};

/// The files that differ from the last commit, each with what would change if it were written again.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Snapshot {
    head: String,
    files: BTreeMap<String, (String, i64, u64)>,
}

/// How things stood in the directory of an attempt before it began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Before {
    /// It is in a git work tree.
    Git {
        /// What git said.
        snapshot: Snapshot,
    },
    /// It is not, and was looked at.
    Directory {
        /// What was there.
        tree: Tree,
    },
    /// Nobody knows.
    Unknown {
        /// Why, as a sentence.
        reason: String,
    },
}

/// How closely a directory outside of git is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Care {
    /// Agents work for minutes and claim things.
    Agent,
    /// Commands may end in milliseconds, and say nothing about files.
    Command,
}

impl Care {
    fn bounds(self) -> Bounds {
        match self {
            Self::Agent => Bounds { entries: 20_000, time: Duration::from_secs(3) },
            Self::Command => Bounds { entries: 500, time: Duration::from_millis(50) },
        }
    }
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

    /// How things stand in `directory` now, for [`Snapshots::since`].
    pub(crate) fn look(&self, directory: &Path, care: Care) -> Before {
        if work_tree_of(directory).is_some() {
            return match self.before(directory) {
                Some(snapshot) => Before::Git { snapshot },
                None => Before::Unknown { reason: "git could not tell how the files were before".to_owned() },
            };
        }
        match Tree::of(directory, &self.data_directory, care.bounds()) {
            Ok(tree) => Before::Directory { tree },
            Err(error) => Before::Unknown { reason: error.to_string() },
        }
    }

    /// What changed in `directory` since it was as `before`, as somebody in it names files.
    pub(crate) fn since(&self, directory: &Path, before: &Before, care: Care) -> FileChanges {
        let unknown = |reason: String| FileChanges { source: FileSource::Unknown { reason }, ..FileChanges::default() };
        match before {
            Before::Unknown { reason } => unknown(reason.clone()),
            Before::Git { snapshot } => match self.after(directory) {
                Some(after) => named_from(directory, between(directory, snapshot, &after)),
                None => unknown("git could not tell how the files are now".to_owned()),
            },
            Before::Directory { tree } => match Tree::of(directory, &self.data_directory, care.bounds()) {
                Ok(after) => tree.changes(&after),
                Err(error) => unknown(error.to_string()),
            },
        }
    }

    /// The state of the work tree that holds `directory`, perhaps half a second old; `None` outside of git, or when git cannot tell.
    fn before(&self, directory: &Path) -> Option<Snapshot> {
        let root = work_tree_of(directory)?;
        let latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner).get(&root).cloned();
        match latest {
            Some((at, snapshot)) if at.elapsed() < FRESH => Some(snapshot),
            _ => self.after(directory),
        }
    }

    /// The state of the work tree that holds `directory`, now; `None` outside of git, or when git cannot tell.
    fn after(&self, directory: &Path) -> Option<Snapshot> {
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
            let (modified, size) =
                fs::symlink_metadata(root.join(path)).map_or((0, 0), |meta| (tree::nanoseconds(&meta), meta.len()));
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

/// What changed between two snapshots of the tree that holds `directory`, relative to its root.
fn between(directory: &Path, before: &Snapshot, after: &Snapshot) -> FileChanges {
    let mut kinds: BTreeMap<String, Kind> = committed(directory, before, after).unwrap_or_default();
    let root = work_tree_of(directory).unwrap_or_else(|| directory.to_path_buf());
    let is_there = |path: &str| fs::symlink_metadata(root.join(path)).is_ok();
    for (path, state) in &after.files {
        if before.files.get(path) == Some(state) {
            continue;
        }
        let kind = match is_there(path) {
            false => Kind::Deleted,
            true if is_new(&state.0) && !before.files.contains_key(path) => Kind::Created,
            true => Kind::Changed,
        };
        // A file that was committed first and edited then is new all the same.
        let kind = if kinds.get(path) == Some(&Kind::Created) && kind == Kind::Changed { Kind::Created } else { kind };
        kinds.insert(path.clone(), kind);
    }
    // What was dirty and is clean now was put back, or committed.
    for path in before.files.keys().filter(|path| !after.files.contains_key(*path)) {
        kinds.insert(path.clone(), if is_there(path) { Kind::Changed } else { Kind::Deleted });
    }
    let mut changes = FileChanges { source: FileSource::Git, ..FileChanges::default() };
    for (path, kind) in kinds {
        match kind {
            Kind::Created => changes.created.push(path),
            Kind::Changed => changes.changed.push(path),
            Kind::Deleted => changes.deleted.push(path),
        }
    }
    changes
}

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Created,
    Changed,
    Deleted,
}

/// Whether git does not know the file from its last commit: untracked, or added.
fn is_new(state: &str) -> bool {
    state == "?" || state.starts_with("1 A")
}

/// What was committed between two snapshots. Compared with nothing when there was no commit before.
fn committed(directory: &Path, before: &Snapshot, after: &Snapshot) -> Option<BTreeMap<String, Kind>> {
    if before.head == after.head || after.head.starts_with('(') {
        return None;
    }
    let root = work_tree_of(directory)?;
    let from = match before.head.starts_with('(') {
        true => git(&root, &["hash-object", "-t", "tree", "/dev/null"])?.trim().to_owned(),
        false => before.head.clone(),
    };
    let told = git(&root, &["diff", "--name-status", "--no-renames", "-z", &from, &after.head])?;
    let mut fields = told.split('\0');
    let mut kinds = BTreeMap::new();
    while let (Some(letter), Some(path)) = (fields.next(), fields.next()) {
        let kind = match letter {
            "A" if !before.files.contains_key(path) => Kind::Created,
            "D" => Kind::Deleted,
            _ => Kind::Changed,
        };
        kinds.insert(path.to_owned(), kind);
    }
    Some(kinds)
}

/// The same changes as somebody in `directory` names the files.
fn named_from(directory: &Path, mut changes: FileChanges) -> FileChanges {
    let place = place_of(directory);
    if place.directory != place.root {
        for list in [&mut changes.created, &mut changes.changed, &mut changes.deleted] {
            list.iter_mut().for_each(|path| *path = place.relative(path));
        }
    }
    changes
}

/// Where somebody in `directory` is: in a work tree, or in a directory that stands for itself.
pub(crate) fn place_of(directory: &Path) -> Place {
    let root = work_tree_of(directory).unwrap_or_else(|| directory.to_path_buf());
    Place { directory: directory.display().to_string(), root: root.display().to_string() }
}

/// What one look at a claimed path tells that is not among the known changes, when the attempt began at `began_ms`.
///
/// What was compared did not change. Of files that were not, because git ignores them or they lie elsewhere, the
/// date decides; of those that are gone, nobody can tell whether they were there.
pub(crate) fn probe(place: &Place, known: &FileChanges, path: &str, began_ms: u64) -> Probe {
    let is_inside = known.is_known() && place.holds(path);
    let Ok(meta) = fs::symlink_metadata(path) else {
        return if is_inside { Probe::Missing } else { Probe::Unknown };
    };
    if is_inside && was_compared(place, known, path) {
        return Probe::Unchanged;
    }
    let changed_ms = i128::from(meta.ctime()) * 1000 + i128::from(meta.ctime_nsec()) / 1_000_000;
    // Clocks of file systems are coarse.
    match changed_ms + 1000 >= i128::from(began_ms) {
        true => Probe::Changed,
        // A folder's date says nothing of what is deeper in it.
        false if meta.is_dir() => Probe::Unknown,
        false => Probe::Unchanged,
    }
}

/// Whether the comparison of before and after includes a path below the root.
fn was_compared(place: &Place, known: &FileChanges, path: &str) -> bool {
    match known.source {
        FileSource::Git => !is_ignored(place, path),
        FileSource::Directory => !tree::is_passed_over(path.strip_prefix(&place.root).unwrap_or(path)),
        FileSource::Unknown { .. } => false,
    }
}

/// Whether git passes the file over.
fn is_ignored(place: &Place, path: &str) -> bool {
    git(Path::new(&place.root), &["check-ignore", "--quiet", "--", path]).is_some()
}

/// The nearest folder above that git calls a work tree; found without starting git, as most commands run outside of any.
fn work_tree_of(directory: &Path) -> Option<PathBuf> {
    work_tree_above(directory).map(Path::to_path_buf)
}

fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Git::at(root).run(arguments).ok()?;
    Some(String::from_utf8_lossy(&output).into_owned())
}

#[cfg(test)]
mod tests;
