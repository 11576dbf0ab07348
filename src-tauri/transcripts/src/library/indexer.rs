//! The thread that keeps the index. Only one process at a time does it; the others wait for it to
//! exit, and pass on its change reports.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use notify::RecursiveMode;
use rusqlite::Connection;

use crate::library::database_snapshots::DatabaseSnapshots;
use crate::library::indexing_pass::IndexingPass;
use crate::library::root_watcher::RootWatcher;
use crate::library::{Inner, Wake};
use crate::{HistoryLocations, TranscriptsError, discovery};

#[cfg(test)]
mod tests;

/// Changes within this time are handled together.
const DEBOUNCE: Duration = Duration::from_millis(20);
/// The minimum time between two change reports.
const MIN_NOTIFY_INTERVAL: Duration = Duration::from_millis(200);
/// The maximum number of ids in a change report.
const MAX_NAMED_TRANSCRIPTS: usize = 50;

/// The files beside the index.
#[derive(Debug, Clone)]
pub(crate) struct IndexFiles {
    /// Locked by the process that writes.
    pub(crate) lock: PathBuf,
    /// Written after each change.
    pub(crate) change_signal: PathBuf,
    /// Exists while a process requests a rebuild.
    pub(crate) rebuild_request: PathBuf,
}

impl IndexFiles {
    pub(crate) fn new(index: &Path) -> Self {
        Self {
            lock: index.with_extension("lock"),
            change_signal: index.with_extension("changes"),
            rebuild_request: index.with_extension("rebuild"),
        }
    }

    /// Takes the writer's lock; `None` when another process holds it.
    pub(crate) fn try_lock(&self) -> Result<Option<File>, TranscriptsError> {
        let file = File::create(&self.lock).map_err(TranscriptsError::at(&self.lock))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(fs::TryLockError::WouldBlock) => Ok(None),
            Err(fs::TryLockError::Error(error)) => Err(TranscriptsError::at(&self.lock)(error)),
        }
    }

    pub(crate) fn signal_change(&self) {
        let written = File::create(&self.change_signal).and_then(|mut file| file.write_all(b"!"));
        if let Err(error) = written {
            tracing::warn!(%error, "couldn't notify other processes of new transcripts");
        }
    }
}

/// Reports changes, at a limited rate.
pub(crate) struct ChangeNotifier {
    on_change: Box<dyn Fn(Vec<String>) + Send>,
    index_files: IndexFiles,
    waiting: std::cell::RefCell<BTreeSet<String>>,
    last: std::cell::Cell<Option<Instant>>,
}

impl ChangeNotifier {
    pub(crate) fn new(on_change: Box<dyn Fn(Vec<String>) + Send>, index_files: IndexFiles) -> Self {
        Self {
            on_change,
            index_files,
            waiting: Default::default(),
            last: Default::default(),
        }
    }

    fn add(&self, ids: Vec<String>) {
        self.waiting
            .borrow_mut()
            .extend(ids.into_iter().take(MAX_NAMED_TRANSCRIPTS + 1));
        self.notify_if_due();
    }

    /// The time until the next report; `None` when there is nothing to report.
    fn due(&self) -> Option<Duration> {
        let rest = || {
            self.last.get().map_or(Duration::ZERO, |last| {
                MIN_NOTIFY_INTERVAL.saturating_sub(last.elapsed())
            })
        };
        (!self.waiting.borrow().is_empty()).then(rest)
    }

    fn notify_if_due(&self) {
        if self.due() == Some(Duration::ZERO) {
            self.flush();
        }
    }

    fn flush(&self) {
        let waiting = self.waiting.take();
        if waiting.is_empty() {
            return;
        }
        self.last.set(Some(Instant::now()));
        (self.on_change)(if waiting.len() > MAX_NAMED_TRANSCRIPTS {
            Vec::new()
        } else {
            waiting.into_iter().collect()
        });
        self.index_files.signal_change();
    }
}

/// Waits for the writer's lock, then keeps the index up to date until it is stopped.
pub(crate) fn run(
    inner: &Arc<Inner>,
    woken: &Receiver<Wake>,
    wake: &Sender<Wake>,
    notifier: &ChangeNotifier,
) {
    let Ok(mut watch) = RootWatcher::new(wake.clone()).inspect_err(|error| {
        tracing::warn!(%error, "new transcripts appear only after a restart of Baton");
    }) else {
        return;
    };
    notifier.index_files.signal_change();
    watch.add(
        &notifier.index_files.change_signal,
        RecursiveMode::NonRecursive,
    );
    let lock = wait_for_writer_lock(inner, woken, wake, notifier);
    let Some(_lock) = lock else { return };
    while !inner.stop.load(Ordering::Relaxed) {
        match index_until_stopped(inner, woken, &mut watch, notifier) {
            Ok(()) => return,
            Err(error) => {
                tracing::warn!(%error, "rebuilding the transcript index");
                if inner.index.delete().is_err()
                    || !matches!(
                        woken.recv(),
                        Ok(Wake::Path(_) | Wake::Removed(_) | Wake::All)
                    )
                {
                    return;
                }
            }
        }
    }
}

/// Passes on the change reports of the other process until this one gets the writer's lock.
fn wait_for_writer_lock(
    inner: &Arc<Inner>,
    woken: &Receiver<Wake>,
    wake: &Sender<Wake>,
    notifier: &ChangeNotifier,
) -> Option<File> {
    match notifier.index_files.try_lock() {
        Ok(Some(lock)) => return Some(lock),
        Ok(None) => {}
        Err(error) => {
            tracing::warn!(%error, "couldn't update the transcript index");
            return None;
        }
    }
    let file = File::create(&notifier.index_files.lock).ok()?;
    let turn = wake.clone();
    let waiting = std::thread::Builder::new().name("baton-transcripts-turn".to_owned());
    waiting
        .spawn(move || {
            let locked = file.lock().is_ok();
            drop(turn.send(Wake::WriterLock(locked.then_some(file))));
        })
        .ok()?;
    loop {
        match woken.recv() {
            Ok(Wake::WriterLock(lock)) => return lock,
            Ok(Wake::Stop) | Err(_) => return None,
            Ok(Wake::Path(path)) if path == notifier.index_files.change_signal => {
                (notifier.on_change)(Vec::new())
            }
            Ok(Wake::Path(_) | Wake::Removed(_) | Wake::All) => {}
        }
        if inner.stop.load(Ordering::Relaxed) {
            return None;
        }
    }
}

fn index_until_stopped(
    inner: &Inner,
    woken: &Receiver<Wake>,
    watch: &mut RootWatcher,
    notifier: &ChangeNotifier,
) -> Result<(), TranscriptsError> {
    let mut connection = inner.index.writer()?;
    watch.watch_roots(&inner.locations);
    let mut changes = PendingChanges {
        all: true,
        paths: BTreeSet::new(),
        ends: false,
    };
    let mut databases = DatabaseSnapshots::default();
    while !changes.ends && !inner.stop.load(Ordering::Relaxed) {
        if notifier.index_files.rebuild_request.exists() {
            drop(fs::remove_file(&notifier.index_files.rebuild_request));
            drop(connection);
            inner.index.delete()?;
            connection = inner.index.writer()?;
            changes.all = true;
        }
        update_index(inner, &connection, &changes, &mut databases, notifier)?;
        changes = collect_changes(inner, woken, watch, &databases, notifier);
    }
    notifier.flush();
    Ok(())
}

fn update_index(
    inner: &Inner,
    connection: &Connection,
    changes: &PendingChanges,
    databases: &mut DatabaseSnapshots,
    notifier: &ChangeNotifier,
) -> Result<(), TranscriptsError> {
    let on_change = |ids| notifier.add(ids);
    changes
        .databases(&inner.locations)
        .into_iter()
        .for_each(|database| databases.record(database));
    let pass = IndexingPass {
        connection,
        locations: &inner.locations,
        progress: &inner.progress,
        on_change: &on_change,
        stop: &inner.stop,
    };
    if changes.all {
        pass.scan_all()?;
    } else {
        let paths: Vec<PathBuf> = changes.paths.iter().cloned().collect();
        pass.scan_paths(&paths)?;
    }
    pass.index_text()
}

struct PendingChanges {
    all: bool,
    paths: BTreeSet<PathBuf>,
    ends: bool,
}

impl PendingChanges {
    /// The databases that these changes cause to be read.
    fn databases(&self, locations: &HistoryLocations) -> BTreeSet<PathBuf> {
        let named = self
            .paths
            .iter()
            .filter_map(|path| discovery::database_at(locations, path));
        if self.all {
            named.chain(discovery::databases(locations)).collect()
        } else {
            named.collect()
        }
    }
}

/// The path to scan after an event at `path`. `None` where there are no histories, or when our
/// own reading may have caused the event.
fn relevant_path(
    locations: &HistoryLocations,
    databases: &DatabaseSnapshots,
    path: PathBuf,
) -> Option<PathBuf> {
    let concerns = |root: &PathBuf| path.starts_with(root) || root.starts_with(&path);
    if !locations.roots.iter().any(|(_, root)| concerns(root)) {
        return None;
    }
    let Some(database) = discovery::database_at(locations, &path) else {
        return Some(path);
    };
    (!databases.is_unchanged(&database)).then_some(database)
}

/// Waits for a change, and a little longer for those that follow it.
fn collect_changes(
    inner: &Inner,
    woken: &Receiver<Wake>,
    watch: &mut RootWatcher,
    databases: &DatabaseSnapshots,
    notifier: &ChangeNotifier,
) -> PendingChanges {
    let relevant_path = |path| relevant_path(&inner.locations, databases, path);
    let mut changes = PendingChanges {
        all: false,
        paths: BTreeSet::new(),
        ends: false,
    };
    let mut until = None::<Instant>;
    loop {
        let first = until.is_none();
        let gathered = until.map(|until| until.saturating_duration_since(Instant::now()));
        let wait = [gathered, notifier.due()].into_iter().flatten().min();
        let received = match wait {
            None => woken.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(time) => woken.recv_timeout(time),
        };
        match received {
            Err(RecvTimeoutError::Timeout) => {
                notifier.notify_if_due();
                if until.is_some_and(|until| until <= Instant::now()) {
                    break;
                }
                continue;
            }
            Err(RecvTimeoutError::Disconnected) | Ok(Wake::Stop) => {
                changes.ends = true;
                break;
            }
            Ok(Wake::All) => changes.all = true,
            // This process wrote the signal itself, unless a rebuild is requested.
            Ok(Wake::Path(path)) if path == notifier.index_files.change_signal => {
                if !notifier.index_files.rebuild_request.exists() {
                    continue;
                }
                changes.all = true;
            }
            Ok(Wake::Removed(path)) => {
                watch.forget(&path);
                let Some(path) = relevant_path(path) else {
                    continue;
                };
                changes.paths.insert(path);
            }
            Ok(Wake::Path(path)) => {
                let Some(path) = relevant_path(path) else {
                    continue;
                };
                changes.paths.insert(path);
            }
            Ok(Wake::WriterLock(_)) => {}
        }
        if first {
            until = Some(Instant::now() + DEBOUNCE);
        }
    }
    for path in &changes.paths {
        watch.watch_new_folder(&inner.locations, path);
    }
    changes.all |= watch.watch_roots(&inner.locations);
    changes
}
