//! One tree and the attempts that work in it.

use std::collections::{HashMap, HashSet};
use std::io::{Read as _, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use baton_keeper::liveness;
use baton_model::{RunId, SessionId};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use super::git_rules::GitRules;
use super::journal::{Inheritance, Journal, Worker, Workers, add_to_all};
use super::tree::{Bounds, Tree, WatchMode};
use crate::session_folder::session_folder;
use crate::work_tree::work_tree_above;

/// How old a scan may be to be used as the "before" state of the next attempt. Changes in between
/// are attributed to that attempt.
const SCAN_REUSE_LIMIT: Duration = Duration::from_millis(500);
/// How often a root is maintained while an attempt works there, and after how long an attempt gets
/// a journal.
const TICK_MS: u16 = 1000;
/// How long to collect events before reading them, so that a busy build does not wake Baton for
/// each file.
const EVENT_DEBOUNCE: Duration = Duration::from_millis(10);
/// How long an unused root is kept for the next run.
const UNUSED_ROOT_RETENTION: Duration = Duration::from_secs(10);

/// A tree that this process observes.
pub(crate) struct Root {
    pub(super) path: PathBuf,
    pub(super) data_directory: PathBuf,
    roots: Weak<Mutex<Roots>>,
    state: Mutex<State>,
}

/// The trees that this process observes.
pub(crate) type Roots = HashMap<PathBuf, Arc<Root>>;

/// The state of a root.
pub(crate) struct State {
    pub(super) tree: TreeState,
    pub(super) workers: Workers,
    /// Attempts of a dead process that have ended and have no follower yet.
    ended_workers: Workers,
    /// The runs whose nodes work here.
    pub(super) runs: HashSet<RunId>,
    journal: Option<Journal>,
    recorded_at: Option<Instant>,
    /// When the first attempt started to work here without a journal.
    busy_since: Option<Instant>,
    /// Wakes the watcher thread; closing it ends the thread.
    wake_pipe: Option<UnixStream>,
    is_awake: bool,
    /// Since when no run uses the root.
    pub(super) unused_since: Option<Instant>,
}

/// The tree, if it can be observed.
pub(crate) enum TreeState {
    /// It was not opened yet.
    New,
    /// It was opened, and its files are known.
    Open(Box<Tree>),
    /// It could not be read within these bounds, for this reason.
    Unknown(String, Bounds),
}

impl Root {
    pub(super) fn new(
        path: PathBuf,
        data_directory: PathBuf,
        roots: Weak<Mutex<Roots>>,
    ) -> Arc<Self> {
        let state = State {
            tree: TreeState::New,
            workers: Workers::new(),
            ended_workers: Workers::new(),
            runs: HashSet::new(),
            journal: None,
            recorded_at: None,
            busy_since: None,
            wake_pipe: None,
            is_awake: false,
            unused_since: None,
        };
        Arc::new(Self {
            path,
            data_directory,
            roots,
            state: Mutex::new(state),
        })
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens the tree unless it was opened before.
    pub(super) fn open(self: &Arc<Self>, state: &mut State, bounds: Bounds, watch_mode: WatchMode) {
        match &state.tree {
            TreeState::Open(_) => return,
            TreeState::Unknown(_, tried) if *tried == bounds => return,
            TreeState::Unknown(..) | TreeState::New => {}
        }
        let git = work_tree_above(&self.path)
            .is_some()
            .then(|| GitRules::of(&self.path));
        let inherited = Inheritance::of(&self.data_directory, &self.path);
        let opened = match inherited {
            Some(mut inherited) => {
                let known = std::mem::take(&mut inherited.known);
                state.workers.append(&mut inherited.workers);
                let tree = Tree::resume(&self.path, &self.data_directory, git, known);
                tree.map(|tree| (tree, Some(inherited)))
            }
            None => Tree::open(&self.path, &self.data_directory, git, watch_mode, bounds)
                .map(|tree| (tree, None)),
        };
        match opened {
            Ok((tree, inherited)) => {
                state.tree = TreeState::Open(Box::new(tree));
                if let Some(mut inherited) = inherited {
                    state.record_changes(self, bounds);
                    if state.start_journal(self) {
                        inherited.discard();
                    }
                }
                self.wake_watcher(state);
            }
            Err(error) => state.tree = TreeState::Unknown(error.to_string(), bounds),
        }
    }

    /// Stops watching, unless a run uses the root again.
    pub(super) fn forget(&self) {
        let Some(roots) = self.roots.upgrade() else {
            return;
        };
        let mut roots = roots.lock().unwrap_or_else(PoisonError::into_inner);
        let state = self.lock();
        if state.runs.is_empty() && state.workers.is_empty() {
            roots.remove(&self.path);
        }
    }

    /// Wakes or starts the thread that reads events and writes the journal.
    pub(super) fn wake_watcher(self: &Arc<Self>, state: &mut State) {
        if std::mem::replace(&mut state.is_awake, true) {
            return;
        }
        if let Some(wake_pipe) = &mut state.wake_pipe {
            // If the thread has ended, it is not needed anymore.
            let _ = wake_pipe.write_all(&[0]);
            return;
        }
        let Ok((wake_pipe, woken)) = UnixStream::pair() else {
            return;
        };
        let root = Arc::downgrade(self);
        let started = thread::Builder::new()
            .name("files".to_owned())
            .spawn(move || watch_loop(&root, woken));
        // Without the thread, events are read when an attempt begins or ends.
        state.wake_pipe = started.is_ok().then_some(wake_pipe);
    }
}

impl State {
    /// Attributes the changes since the last call to the attempts that work here. Afterwards
    /// attempts may come or go.
    pub(super) fn record_changes(&mut self, root: &Root, bounds: Bounds) {
        let TreeState::Open(tree) = &mut self.tree else {
            return;
        };
        match tree.changes(bounds) {
            Ok(changes) => {
                add_to_all(&mut self.workers, &changes);
                if !changes.is_empty() {
                    self.write_journal(|journal| journal.changed(&changes));
                }
            }
            Err(error) => {
                let reason = error.to_string();
                for tally in self
                    .workers
                    .values_mut()
                    .filter_map(|worker| worker.tally.as_mut())
                {
                    tally.unknown = Some(reason.clone());
                }
            }
        }
        self.recorded_at = Some(Instant::now());
        self.drop_orphans(root);
    }

    /// As [`Self::record_changes`], unless the last scan is recent enough.
    pub(super) fn record_changes_before(&mut self, root: &Root, bounds: Bounds) {
        let is_scanned = matches!(&self.tree, TreeState::Open(tree) if tree.is_scanned());
        let is_fresh = self
            .recorded_at
            .is_some_and(|at| at.elapsed() < SCAN_REUSE_LIMIT);
        if !(is_scanned && is_fresh && self.workers.is_empty()) {
            self.record_changes(root, bounds);
        }
    }

    /// An attempt works here from now on.
    pub(super) fn enter(&mut self, session: SessionId, worker: Worker) {
        for (_, other) in self
            .workers
            .iter_mut()
            .filter(|(other, _)| **other != session)
        {
            if let Some(tally) = &mut other.tally {
                tally.met.insert(worker.title.clone());
            }
        }
        self.write_journal(|journal| journal.session_started(session, &worker));
        self.workers.insert(session, worker);
        self.busy_since.get_or_insert_with(Instant::now);
    }

    /// Follows an attempt of a process that died; `false` if no journal has its beginning.
    pub(super) fn adopt(&mut self, session: SessionId) -> bool {
        let ended_workers = self.ended_workers.remove(&session);
        self.workers
            .extend(ended_workers.map(|worker| (session, worker)));
        let Some(worker) = self.workers.get_mut(&session) else {
            return false;
        };
        worker.is_orphan = false;
        true
    }

    /// An attempt is no longer followed here. If its changes were not reported, it still runs: the
    /// next process follows it.
    pub(super) fn leave(&mut self, session: SessionId, is_guest: bool) {
        let Some(worker) = self.workers.get_mut(&session) else {
            return;
        };
        if worker.tally.is_some() && !is_guest {
            worker.is_orphan = true;
            return;
        }
        self.workers.remove(&session);
        self.write_journal(|journal| journal.session_ended(session));
        if self.workers.is_empty() {
            self.busy_since = None;
        }
    }

    /// No run works here anymore. The journal stays if sessions are still running, for the next
    /// process.
    pub(super) fn end_journal(&mut self) {
        if let Some(mut journal) = self.journal.take()
            && !self.workers.is_empty()
        {
            journal.keep_on_drop();
        }
    }

    /// Starts the journal; returns whether it could be written.
    pub(super) fn start_journal(&mut self, root: &Root) -> bool {
        let TreeState::Open(tree) = &self.tree else {
            return false;
        };
        match Journal::begin(&root.data_directory, &root.path, tree, &self.workers) {
            Ok(journal) => {
                self.journal = Some(journal);
                true
            }
            Err(error) => {
                tracing::warn!(%error, "couldn't write the file journal for the next start");
                false
            }
        }
    }

    pub(super) fn has_journal(&self) -> bool {
        self.journal.is_some()
    }

    fn write_journal(&mut self, write: impl FnOnce(&mut Journal) -> std::io::Result<()>) {
        // A journal with a gap would be wrong.
        if let Some(journal) = &mut self.journal
            && let Err(error) = write(journal)
        {
            tracing::warn!(%error, "couldn't write the file journal");
            self.journal = None;
        }
    }

    /// Attempts that a dead process left without a follower count for as long as they run.
    fn drop_orphans(&mut self, root: &Root) {
        let lives = |session: &SessionId| {
            let folder = session_folder(&root.data_directory, *session);
            liveness(&folder).is_ok_and(|liveness| liveness.may_run())
        };
        let over = |(session, worker): (&SessionId, &Worker)| {
            (worker.is_orphan && !lives(session)).then_some(*session)
        };
        for session in self.workers.iter().filter_map(over).collect::<Vec<_>>() {
            let worker = self.workers.remove(&session);
            self.ended_workers
                .extend(worker.map(|worker| (session, worker)));
        }
    }

    /// Maintenance once a second; returns whether an attempt still needs it.
    fn tick(&mut self, root: &Root) -> bool {
        if let TreeState::Open(tree) = &mut self.tree {
            tree.drain();
        }
        let is_due = self
            .busy_since
            .is_some_and(|since| since.elapsed() >= Duration::from_millis(TICK_MS.into()));
        let needs_rotation = self.journal.as_ref().is_some_and(Journal::needs_rotation);
        if needs_rotation || (is_due && self.journal.is_none()) {
            self.start_journal(root);
            self.busy_since = None;
        }
        self.is_awake = !self.workers.is_empty() || self.unused_since.is_some();
        self.is_awake
    }
}

/// Reads events as they come, so that the kernel's queue does not overflow, and maintains the root
/// once a second while an attempt works there.
fn watch_loop(root: &Weak<Root>, mut wake_pipe: UnixStream) {
    loop {
        let Some(strong) = root.upgrade() else { return };
        let mut state = strong.lock();
        let timeout = if state.tick(&strong) {
            PollTimeout::from(TICK_MS)
        } else {
            PollTimeout::NONE
        };
        let events: Option<OwnedFd> = match &state.tree {
            TreeState::Open(tree) => tree
                .watch()
                .and_then(|watch| watch.descriptor().try_clone_to_owned().ok()),
            _ => None,
        };
        let is_over = state
            .unused_since
            .is_some_and(|since| since.elapsed() > UNUSED_ROOT_RETENTION);
        drop(state);
        if is_over {
            strong.forget();
        }
        drop(strong);
        let mut wanted = vec![PollFd::new(wake_pipe.as_fd(), PollFlags::POLLIN)];
        wanted.extend(
            events
                .as_ref()
                .map(|events| PollFd::new(events.as_fd(), PollFlags::POLLIN)),
        );
        // An interrupted wait is a wait that ended early.
        let _ = poll(&mut wanted, timeout);
        let is_rung = wanted[0].any().unwrap_or_default();
        let has_events = wanted.get(1).and_then(PollFd::any).unwrap_or_default();
        drop(wanted);
        if is_rung && matches!(wake_pipe.read(&mut [0; 64]), Ok(0) | Err(_)) {
            return;
        }
        if has_events {
            thread::sleep(EVENT_DEBOUNCE);
        }
    }
}

/// Returns whether work in one directory may change files of the other.
pub(super) fn overlap(one: &Path, other: &Path) -> bool {
    one.starts_with(other) || other.starts_with(one)
}
