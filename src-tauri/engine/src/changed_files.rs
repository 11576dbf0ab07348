//! Finds the files that changed while an attempt ran.
//!
//! A watch on each directory reports what was touched, and only that is read again, so the cost
//! depends on what a node changes and not on the size of the directory. Where a watch does not
//! work, the directory is scanned before and after. In git, ignored files are left out and
//! committed files are included.
//!
//! The kernel's queue is read directly and not through `notify`, which has a thread in between,
//! also watches for reads and cannot leave folders out. A reader that reads it after a process has
//! ended has all of that process's events; no fence is needed.
//!
//! A change made while several attempts work in the directory cannot be attributed: it is reported
//! as shared.

mod change_tally;
mod changed_since;
mod file_state;
mod git_index;
mod git_rules;
mod inotify;
mod journal;
mod mounts;
mod root;
mod tree;

use std::cell::Cell;
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use baton_model::evidence::{AttemptDirectory, FileChanges, FileSource, PathProbe};
use baton_model::{RunId, SessionId};

use crate::git::Git;
use crate::work_tree::work_tree_above;
use change_tally::{Kind, Net, Tally};
pub(crate) use changed_since::has_changed_since;
use git_rules::GitRules;
use journal::Worker;
use root::{Root, Roots, State, TreeState, overlap};
use tree::{Bounds, WatchMode};

/// How thoroughly to scan a directory outside of git that cannot be watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScanDepth {
    /// Agents work for minutes and make claims about files.
    Agent,
    /// Commands may end within milliseconds and make no claims about files.
    Command,
}

impl ScanDepth {
    fn bounds(self, in_git: bool) -> Bounds {
        match self {
            _ if in_git => Bounds {
                entries: usize::MAX,
                time: Duration::from_secs(300),
            },
            Self::Agent => Bounds {
                entries: 20_000,
                time: Duration::from_secs(3),
            },
            Self::Command => Bounds {
                entries: 500,
                time: Duration::from_millis(50),
            },
        }
    }
}

/// Tracks which attempts work in which directories, and what changes there.
pub(crate) struct FileLedger {
    /// Baton's own files are here: changes below it are not a node's work.
    data_directory: PathBuf,
    watch_mode: WatchMode,
    roots: Arc<Mutex<Roots>>,
    active_sessions: Arc<Mutex<Vec<ActiveSession>>>,
}

#[derive(Clone)]
struct ActiveSession {
    session: SessionId,
    title: String,
    root: PathBuf,
}

/// Identifies an attempt, for both starting and adopting it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AttemptInfo<'a> {
    pub(crate) run: RunId,
    pub(crate) session: SessionId,
    /// The title of the attempt's node.
    pub(crate) title: &'a str,
    /// The directory in which the attempt works.
    pub(crate) directory: &'a Path,
    pub(crate) scan_depth: ScanDepth,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    pub(crate) files: FileChanges,
    /// Files that were created and removed again.
    pub(crate) transient: Vec<String>,
}

impl FileLedger {
    /// Files below `data_directory` are never reported.
    pub(crate) fn new(data_directory: PathBuf) -> Self {
        Self {
            data_directory,
            watch_mode: WatchMode::Allowed,
            roots: Arc::default(),
            active_sessions: Arc::default(),
        }
    }

    /// Starts recording the attempt's changes.
    pub(crate) fn begin(&self, attempt: AttemptInfo<'_>) -> AttemptFiles {
        let files = self.files_of(attempt);
        self.enter(&files, attempt, |state| {
            let mut tally = Tally::default();
            match &mut state.tree {
                TreeState::Open(tree) => tally.head = tree.git().and_then(GitRules::head),
                TreeState::Unknown(reason, _) => tally.unknown = Some(reason.clone()),
                TreeState::New => {}
            }
            Some(tally)
        });
        let root = &files.root;
        let mut state = root.lock();
        if attempt.scan_depth == ScanDepth::Agent && !state.has_journal() {
            state.start_journal(root);
        }
        root.wake_watcher(&mut state);
        drop(state);
        files
    }

    /// Resumes recording for an attempt that began before this process. Earlier changes are known
    /// only if a journal of that time exists.
    pub(crate) fn adopt(&self, attempt: AttemptInfo<'_>) -> AttemptFiles {
        let files = self.files_of(attempt);
        let mut state = files.root.lock();
        files.root.open(&mut state, files.bounds(), self.watch_mode);
        let is_known = state.adopt(attempt.session);
        drop(state);
        self.enter(&files, attempt, |state| {
            if is_known {
                return state
                    .workers
                    .get(&attempt.session)
                    .and_then(|worker| worker.tally.clone());
            }
            let reason =
                "the earlier state of the files is unknown: Baton was not running when the attempt began"
                    .to_owned();
            Some(Tally::unknown(reason))
        });
        files
    }

    /// Stops watching the directories of a run that is over, unless another run works there soon.
    pub(crate) fn release(&self, run: RunId) {
        for root in lock(&self.roots).values() {
            let mut state = root.lock();
            if state.runs.remove(&run) && state.runs.is_empty() {
                state.unused_since = Some(Instant::now());
                state.end_journal();
                root.wake_watcher(&mut state);
            }
        }
    }

    fn files_of(&self, attempt: AttemptInfo<'_>) -> AttemptFiles {
        let path = PathBuf::from(place_of(attempt.directory).root);
        let mut roots = lock(&self.roots);
        let made = || {
            Root::new(
                path.clone(),
                self.data_directory.clone(),
                Arc::downgrade(&self.roots),
            )
        };
        let root = Arc::clone(roots.entry(path.clone()).or_insert_with(made));
        let mut state = root.lock();
        state.runs.insert(attempt.run);
        state.unused_since = None;
        drop(state);
        drop(roots);
        AttemptFiles {
            session: attempt.session,
            directory: attempt.directory.to_path_buf(),
            scan_depth: attempt.scan_depth,
            root,
            roots: Arc::clone(&self.roots),
            active_sessions: Arc::clone(&self.active_sessions),
            reported: Cell::new(false),
        }
    }

    /// Registers the attempt with every root that may see its work.
    fn enter(
        &self,
        files: &AttemptFiles,
        attempt: AttemptInfo<'_>,
        tally: impl FnOnce(&mut State) -> Option<Tally>,
    ) {
        lock(&self.active_sessions).push(ActiveSession {
            session: attempt.session,
            title: attempt.title.to_owned(),
            root: files.root.path.clone(),
        });
        let mut state = files.root.lock();
        let was_open = matches!(state.tree, TreeState::Open(_));
        files.root.open(&mut state, files.bounds(), self.watch_mode);
        if was_open {
            state.record_changes_before(&files.root, files.bounds());
        }
        // Under the lock of the root: an attempt that ends meanwhile waits for it, and then leaves.
        let others: Vec<ActiveSession> = lock(&self.active_sessions).clone();
        for other in others
            .into_iter()
            .filter(|other| overlap(&other.root, &files.root.path))
        {
            if other.session != attempt.session && !state.workers.contains_key(&other.session) {
                state.enter(
                    other.session,
                    Worker {
                        title: other.title,
                        tally: None,
                        is_orphan: false,
                    },
                );
            }
        }
        let others = state
            .workers
            .iter()
            .filter(|(other, _)| **other != attempt.session);
        let met: Vec<String> = others.map(|(_, other)| other.title.clone()).collect();
        let mut tally = tally(&mut state);
        if let Some(tally) = &mut tally {
            tally.met.extend(met);
        }
        state.enter(
            attempt.session,
            Worker {
                title: attempt.title.to_owned(),
                tally,
                is_orphan: false,
            },
        );
        drop(state);
        for around in files.overlapping_roots() {
            let mut state = around.lock();
            state.record_changes(&around, files.bounds());
            let worker = Worker {
                title: attempt.title.to_owned(),
                tally: None,
                is_orphan: false,
            };
            state.enter(attempt.session, worker);
        }
    }
}

/// The files of a running attempt. Other attempts see it as active until this is dropped.
pub(crate) struct AttemptFiles {
    session: SessionId,
    directory: PathBuf,
    scan_depth: ScanDepth,
    root: Arc<Root>,
    roots: Arc<Mutex<Roots>>,
    active_sessions: Arc<Mutex<Vec<ActiveSession>>>,
    reported: Cell<bool>,
}

impl AttemptFiles {
    /// What changed since the attempt began; `None` on a second call.
    pub(crate) fn changes(&self) -> Option<Changes> {
        if self.reported.replace(true) {
            return None;
        }
        let mut state = self.root.lock();
        state.record_changes(&self.root, self.bounds());
        let tally = state.workers.get(&self.session)?.tally.clone()?;
        if let Some(reason) = &tally.unknown {
            return Some(unknown(reason.clone(), &tally));
        }
        Some(match &mut state.tree {
            TreeState::Unknown(reason, _) => unknown(reason.clone(), &tally),
            TreeState::New => unknown("the files were not checked".to_owned(), &tally),
            TreeState::Open(tree) => {
                let changes = to_changes(&self.root.path, &tally, tree.git());
                relative_to(&self.directory, changes)
            }
        })
    }

    /// Marks the attempt's changes as reported. Without this, the next process reports everything
    /// since the attempt began.
    pub(crate) fn finish(self) {
        if let Some(worker) = self.root.lock().workers.get_mut(&self.session) {
            worker.tally = None;
        }
    }

    /// The roots above and below.
    fn overlapping_roots(&self) -> Vec<Arc<Root>> {
        let path = &self.root.path;
        let roots = lock(&self.roots);
        roots
            .values()
            .filter(|other| other.path != *path && overlap(&other.path, path))
            .cloned()
            .collect()
    }

    fn bounds(&self) -> Bounds {
        self.scan_depth
            .bounds(work_tree_above(&self.root.path).is_some())
    }
}

impl Drop for AttemptFiles {
    fn drop(&mut self) {
        lock(&self.active_sessions).retain(|present| present.session != self.session);
        for root in std::iter::once(Arc::clone(&self.root)).chain(self.overlapping_roots()) {
            let mut state = root.lock();
            // Its changes so far are not attributed to the attempts that continue.
            if state.workers.len() > 1 {
                state.record_changes(&root, self.bounds());
            }
            state.leave(self.session, !Arc::ptr_eq(&root, &self.root));
        }
        // No other attempt works in a node's own worktree.
        let is_own = self.root.path.starts_with(&self.root.data_directory);
        if is_own && self.root.lock().workers.is_empty() {
            self.root.lock().runs.clear();
            self.root.forget();
        }
    }
}

fn unknown(reason: String, tally: &Tally) -> Changes {
    let beside = tally.met.iter().cloned().collect();
    let files = FileChanges {
        source: FileSource::Unknown { reason },
        beside,
        ..FileChanges::default()
    };
    Changes {
        files,
        transient: Vec::new(),
    }
}

/// The tally as changes relative to the root.
fn to_changes(root: &Path, tally: &Tally, git: Option<&mut GitRules>) -> Changes {
    let source = if git.is_some() {
        FileSource::Git
    } else {
        FileSource::Directory
    };
    let mut net = tally.net();
    let mut transient: Vec<String> = tally.transient().map(str::to_owned).collect();
    let mut base = None;
    if let Some(git) = git {
        base = tally.head.clone().or_else(|| git.empty_tree());
        remove_unmodified_rewrites(&mut net, git);
        add_committed(root, &mut net, tally, git);
        let asked = net.keys().chain(&transient).cloned().collect::<Vec<_>>();
        let ignored = if asked.is_empty() {
            HashSet::new()
        } else {
            git.ignored(asked)
        };
        net.retain(|path, _| !ignored.contains(path));
        transient.retain(|path| !ignored.contains(path));
    }
    let beside = tally.met.iter().cloned().collect();
    let mut files = FileChanges {
        source,
        beside,
        base,
        ..FileChanges::default()
    };
    for (
        path,
        Net {
            kind, is_shared, ..
        },
    ) in net
    {
        match kind {
            _ if is_shared => files.shared.push(path),
            Kind::Created => files.created.push(path),
            Kind::Changed => files.changed.push(path),
            Kind::Deleted => files.deleted.push(path),
        }
    }
    Changes { files, transient }
}

/// A file rewritten with the content that the index has counts as unchanged.
fn remove_unmodified_rewrites(net: &mut BTreeMap<String, Net>, git: &GitRules) {
    let written = net.iter().filter(|(_, net)| net.kind == Kind::Changed);
    let written = written
        .filter_map(|(path, net)| Some((path.clone(), *net.before.as_ref()?.facts()?, net.mode)));
    let written = written.filter(|(_, before, mode)| *mode == Some(before.mode));
    for path in git.rewritten(written.map(|(path, before, _)| (path, before)).collect()) {
        net.remove(&path);
    }
}

/// A file that was already modified before the attempt, and was committed by it, is part of its
/// work too.
fn add_committed(root: &Path, net: &mut BTreeMap<String, Net>, tally: &Tally, git: &mut GitRules) {
    let head = git.head();
    for path in git.between(tally.head.as_deref(), head.as_deref()) {
        let kind = match fs::symlink_metadata(root.join(&path)) {
            Ok(_) => Kind::Changed,
            Err(_) => Kind::Deleted,
        };
        let is_shared = !tally.met.is_empty();
        net.entry(path).or_insert(Net {
            kind,
            before: None,
            mode: None,
            is_shared,
        });
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The same changes with paths relative to `directory`.
fn relative_to(directory: &Path, mut changes: Changes) -> Changes {
    let place = place_of(directory);
    if place.directory != place.root {
        let Changes { files, transient } = &mut changes;
        for list in [
            &mut files.created,
            &mut files.changed,
            &mut files.deleted,
            &mut files.shared,
            transient,
        ] {
            list.iter_mut()
                .for_each(|path| *path = place.relative(path));
        }
    }
    changes
}

/// The work tree that contains `directory`, or the directory itself outside of git.
pub(crate) fn place_of(directory: &Path) -> AttemptDirectory {
    let root = work_tree_of(directory).unwrap_or_else(|| directory.to_path_buf());
    AttemptDirectory {
        directory: directory.display().to_string(),
        root: root.display().to_string(),
    }
}

/// Returns what one check of a claimed path shows when it is not among the known changes, for an
/// attempt that began at `began_ms`.
///
/// A file that was compared did not change. For files that were not compared, because git ignores
/// them or they lie elsewhere, the modification time decides. Whether a missing file existed
/// is unknown.
pub(crate) fn probe(
    place: &AttemptDirectory,
    known: &FileChanges,
    path: &str,
    began_ms: u64,
) -> PathProbe {
    let is_inside = known.is_known() && place.contains(path);
    let Ok(meta) = fs::symlink_metadata(path) else {
        return if is_inside {
            PathProbe::Missing
        } else {
            PathProbe::Unknown
        };
    };
    if is_inside && was_compared(place, known, path) {
        return PathProbe::Unchanged;
    }
    let changed_ms = i128::from(meta.ctime()) * 1000 + i128::from(meta.ctime_nsec()) / 1_000_000;
    // File system timestamps are coarse.
    match changed_ms + 1000 >= i128::from(began_ms) {
        true => PathProbe::Changed,
        // A folder's modification time says nothing about its subfolders.
        false if meta.is_dir() => PathProbe::Unknown,
        false => PathProbe::Unchanged,
    }
}

/// Returns whether the before/after comparison includes a path below the root.
fn was_compared(place: &AttemptDirectory, known: &FileChanges, path: &str) -> bool {
    match known.source {
        FileSource::Git => !is_ignored(place, path),
        FileSource::Directory => !tree::is_skipped(path.strip_prefix(&place.root).unwrap_or(path)),
        FileSource::Unknown { .. } => false,
    }
}

/// Returns whether git ignores the file.
fn is_ignored(place: &AttemptDirectory, path: &str) -> bool {
    git(
        Path::new(&place.root),
        &["check-ignore", "--quiet", "--", path],
    )
    .is_some()
}

/// The nearest enclosing git work tree; found without starting git, since most commands run outside
/// of any.
fn work_tree_of(directory: &Path) -> Option<PathBuf> {
    work_tree_above(directory).map(Path::to_path_buf)
}

fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Git::at(root).run(arguments).ok()?;
    Some(String::from_utf8_lossy(&output).into_owned())
}

#[cfg(test)]
mod tests;
