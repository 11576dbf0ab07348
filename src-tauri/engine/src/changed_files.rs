//! Which files changed while an attempt ran.
//!
//! One watch for each directory tells what was touched, and only that is looked at again: a node costs what it changes,
//! not what lies around it. Where a watch does not serve, the directory is compared with itself. In git, what git ignores
//! is left out, and what was committed is told.
//!
//! The kernel's queue is read directly and not through `notify`, which has a thread of its own in between, watches for
//! reads as well and cannot leave folders out. So whoever reads it after a process has ended has all of that process's
//! events, and no fence is needed.
//!
//! What changed while other attempts were at work in the directory is nobody's: it is told as shared.

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

/// How closely a directory outside of git is looked at where it cannot be watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScanDepth {
    /// Agents work for minutes and claim things.
    Agent,
    /// Commands may end in milliseconds, and say nothing about files.
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

/// Who works where at the moment, and what changed there.
pub(crate) struct FileLedger {
    /// Where Baton keeps its own files: what it writes there is no work of a node.
    data_directory: PathBuf,
    watch_mode: WatchMode,
    roots: Arc<Mutex<Roots>>,
    active_sessions: Arc<Mutex<Vec<ActiveSession>>>,
}

/// Somebody who works in this process.
#[derive(Clone)]
struct ActiveSession {
    session: SessionId,
    title: String,
    root: PathBuf,
}

/// An attempt, as whoever begins or follows it names it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AttemptInfo<'a> {
    /// The run.
    pub(crate) run: RunId,
    /// Its session.
    pub(crate) session: SessionId,
    /// The title of its node.
    pub(crate) title: &'a str,
    /// Where it works.
    pub(crate) directory: &'a Path,
    /// How closely to look.
    pub(crate) scan_depth: ScanDepth,
}

/// What changed while an attempt ran.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    /// What is different.
    pub(crate) files: FileChanges,
    /// The files that were made and removed again, named in the same way.
    pub(crate) transient: Vec<String>,
}

impl FileLedger {
    /// Nothing is known yet. Files below `data_directory` are never told.
    pub(crate) fn new(data_directory: PathBuf) -> Self {
        Self {
            data_directory,
            watch_mode: WatchMode::Allowed,
            roots: Arc::default(),
            active_sessions: Arc::default(),
        }
    }

    /// The attempt begins: what changes from here on is told of it.
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

    /// The attempt began before this process did: what changed since is known if a journal of that time is there.
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
                "how the files were before is not known: Baton was not there when it began"
                    .to_owned();
            Some(Tally::unknown(reason))
        });
        files
    }

    /// The run is over: its directories are watched no longer, unless another run works there soon.
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
            told: Cell::new(false),
        }
    }

    /// Makes the attempt known wherever its work may be seen.
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
        // Under the lock of the root: who ends meanwhile waits for it, and then leaves.
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

/// The files of an attempt that runs. Others know of it until this is dropped.
pub(crate) struct AttemptFiles {
    session: SessionId,
    directory: PathBuf,
    scan_depth: ScanDepth,
    root: Arc<Root>,
    roots: Arc<Mutex<Roots>>,
    active_sessions: Arc<Mutex<Vec<ActiveSession>>>,
    told: Cell<bool>,
}

impl AttemptFiles {
    /// What changed since the attempt began; `None` when this is asked again.
    pub(crate) fn changes(&self) -> Option<Changes> {
        if self.told.replace(true) {
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
            TreeState::New => unknown("nobody looked".to_owned(), &tally),
            TreeState::Open(tree) => {
                let told = to_changes(&self.root.path, &tally, tree.git());
                relative_to(&self.directory, told)
            }
        })
    }

    /// What came of the attempt is reported. Without this, the next process finds what changed since its beginning.
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
            // What it did up to now is not to be told of those who stay.
            if state.workers.len() > 1 {
                state.record_changes(&root, self.bounds());
            }
            state.leave(self.session, !Arc::ptr_eq(&root, &self.root));
        }
        // Nobody else works in a worktree of its own.
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

/// What is told of a tally, relative to the root.
fn to_changes(root: &Path, tally: &Tally, git: Option<&mut GitRules>) -> Changes {
    let source = if git.is_some() {
        FileSource::Git
    } else {
        FileSource::Directory
    };
    let mut net = tally.net();
    let mut transient: Vec<String> = tally.transient().map(str::to_owned).collect();
    if let Some(git) = git {
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

/// What was written with the content that the index knows has not changed.
fn remove_unmodified_rewrites(net: &mut BTreeMap<String, Net>, git: &GitRules) {
    let written = net.iter().filter(|(_, net)| net.kind == Kind::Changed);
    let written = written
        .filter_map(|(path, net)| Some((path.clone(), *net.before.as_ref()?.facts()?, net.mode)));
    let written = written.filter(|(_, before, mode)| *mode == Some(before.mode));
    for path in git.rewritten(written.map(|(path, before, _)| (path, before)).collect()) {
        net.remove(&path);
    }
}

/// What was changed before, and committed now, is work of the attempt too.
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

/// The same changes as somebody in `directory` names the files.
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

/// Where somebody in `directory` is: in a work tree, or in a directory that stands for itself.
pub(crate) fn place_of(directory: &Path) -> AttemptDirectory {
    let root = work_tree_of(directory).unwrap_or_else(|| directory.to_path_buf());
    AttemptDirectory {
        directory: directory.display().to_string(),
        root: root.display().to_string(),
    }
}

/// What one look at a claimed path tells that is not among the known changes, when the attempt began at `began_ms`.
///
/// What was compared did not change. Of files that were not, because git ignores them or they lie elsewhere, the
/// date decides; of those that are gone, nobody can tell whether they were there.
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
    // Clocks of file systems are coarse.
    match changed_ms + 1000 >= i128::from(began_ms) {
        true => PathProbe::Changed,
        // A folder's date says nothing of what is deeper in it.
        false if meta.is_dir() => PathProbe::Unknown,
        false => PathProbe::Unchanged,
    }
}

/// Whether the comparison of before and after includes a path below the root.
fn was_compared(place: &AttemptDirectory, known: &FileChanges, path: &str) -> bool {
    match known.source {
        FileSource::Git => !is_ignored(place, path),
        FileSource::Directory => !tree::is_skipped(path.strip_prefix(&place.root).unwrap_or(path)),
        FileSource::Unknown { .. } => false,
    }
}

/// Whether git passes the file over.
fn is_ignored(place: &AttemptDirectory, path: &str) -> bool {
    git(
        Path::new(&place.root),
        &["check-ignore", "--quiet", "--", path],
    )
    .is_some()
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
