//! How changes reach listeners: directly within a process, through a notify file between processes.
//!
//! After each commit, a process writes to the small file `baton.changes`. Every other process
//! watches that file and then reads the new rows of the table `changes`. Watching SQLite's WAL file
//! would not work: it is written *before* the commit becomes visible, and not at all afterwards.
//!
//! A process notifies immediately unless it did so a moment ago; otherwise it batches, because a
//! run with many nodes would wake every process on every commit. If a process dies between its
//! commit and the notification, the next notification from any process covers it.

use std::fs::File;
use std::io::{Seek, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use notify::{RecursiveMode, Watcher};
use rusqlite::Connection;
use uuid::Uuid;

use crate::connection::io_error;
use crate::mutex::lock;
use crate::{Change, StoreError, change};

const NOTIFY_FILE: &str = "baton.changes";

type Listener = Box<dyn FnMut(&Change) -> bool + Send>;

/// Callbacks that receive every change.
#[derive(Clone, Default)]
pub(crate) struct Listeners(Arc<Mutex<Vec<Listener>>>);

impl Listeners {
    pub(crate) fn add(&self, listener: impl FnMut(&Change) -> bool + Send + 'static) {
        lock(&self.0).push(Box::new(listener));
    }

    pub(crate) fn notify(&self, changes: &[Change]) {
        lock(&self.0).retain_mut(|listener| changes.iter().all(&mut *listener));
    }
}

/// Minimum time between two notifications from one process.
const MIN_NOTIFY_INTERVAL: Duration = Duration::from_millis(10);

/// Notifies other processes of changes and watches for theirs.
pub(crate) struct ChangeFeed {
    notifier: ProcessNotifier,
    // Watches until it is dropped.
    _watcher: Option<ChangeWatcher>,
}

/// Notifies immediately, or after the minimum interval on its own thread.
struct ProcessNotifier {
    file: Arc<Mutex<NotifyFile>>,
    delayed: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

struct NotifyFile {
    handle: File,
    last_touch: Option<Instant>,
}

impl NotifyFile {
    /// Errors are ignored: the next notification covers a write that failed.
    fn touch(&mut self) {
        self.last_touch = Some(Instant::now());
        let _written = self
            .handle
            .rewind()
            .and_then(|()| self.handle.write_all(b"!"));
    }
}

impl ProcessNotifier {
    fn open(path: &Path) -> Result<Self, StoreError> {
        let cannot = |error| io_error(path, error);
        let handle = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
            .map_err(cannot)?;
        let file = Arc::new(Mutex::new(NotifyFile {
            handle,
            last_touch: None,
        }));
        let (delayed, requests) = sync_channel(1);
        let builder = std::thread::Builder::new().name("baton-notify".to_owned());
        let delayed_file = Arc::clone(&file);
        let notify_delayed = move || {
            while requests.recv().is_ok() {
                std::thread::sleep(MIN_NOTIFY_INTERVAL);
                lock(&delayed_file).touch();
            }
        };
        let thread = builder.spawn(notify_delayed).map_err(cannot)?;
        Ok(Self {
            file,
            delayed: Some(delayed),
            thread: Some(thread),
        })
    }

    fn notify(&self) {
        let mut file = lock(&self.file);
        if file
            .last_touch
            .is_none_or(|touched| touched.elapsed() >= MIN_NOTIFY_INTERVAL)
        {
            file.touch();
        } else if let Some(delayed) = &self.delayed {
            let _asked_already = delayed.try_send(());
        }
    }
}

impl Drop for ProcessNotifier {
    fn drop(&mut self) {
        drop(self.delayed.take());
        if let Some(thread) = self.thread.take() {
            let _panicked = thread.join();
        }
    }
}

/// Watches the notify file on its own thread.
struct ChangeWatcher {
    watcher: Option<notify::RecommendedWatcher>,
    reader: Option<JoinHandle<()>>,
}

impl ChangeFeed {
    /// Watches for other processes' changes if `reader` is given; changes are read through it.
    pub(crate) fn start(
        folder: &Path,
        origin: Uuid,
        reader: Option<Connection>,
        listeners: &Listeners,
    ) -> Result<Self, StoreError> {
        let path = folder.join(NOTIFY_FILE);
        let notifier = ProcessNotifier::open(&path)?;
        let Some(connection) = reader else {
            return Ok(Self {
                notifier,
                _watcher: None,
            });
        };
        let seen = change::last_id(&connection)?;
        let reader = ChangeReader {
            connection,
            origin,
            seen,
            listeners: listeners.clone(),
        };
        Ok(Self {
            _watcher: Some(ChangeWatcher::open(&path, reader)?),
            notifier,
        })
    }

    /// Makes other processes read the new changes.
    pub(crate) fn notify_processes(&self) {
        self.notifier.notify();
    }
}

impl ChangeWatcher {
    fn open(notify_file: &Path, reader: ChangeReader) -> Result<Self, StoreError> {
        // Capacity 1: the pending wakeup already covers a notification that arrives before the
        // reader runs.
        let (wake, wakeups) = sync_channel(1);
        let on_event = move |event: notify::Result<notify::Event>| {
            if event.is_ok_and(|event| event.kind.is_modify() || event.need_rescan()) {
                let _full = wake.try_send(());
            }
        };
        let watch = || {
            let mut watcher = notify::recommended_watcher(on_event)?;
            watcher.watch(notify_file, RecursiveMode::NonRecursive)?;
            Ok(watcher)
        };
        let cannot = |source| StoreError::Io {
            path: notify_file.to_path_buf(),
            source,
        };
        let watcher =
            watch().map_err(|error: notify::Error| cannot(std::io::Error::other(error)))?;
        let thread = std::thread::Builder::new().name("baton-changes".to_owned());
        let reader = thread.spawn(move || reader.run(&wakeups)).map_err(cannot)?;
        Ok(Self {
            watcher: Some(watcher),
            reader: Some(reader),
        })
    }
}

impl Drop for ChangeWatcher {
    fn drop(&mut self) {
        // Dropping the watcher closes the reader's channel, which ends the reader.
        drop(self.watcher.take());
        // A listener may hold the last store. Then this runs on the reader thread itself, which
        // can't join itself.
        let other = self
            .reader
            .take()
            .filter(|reader| reader.thread().id() != std::thread::current().id());
        if let Some(reader) = other {
            let _panicked = reader.join();
        }
    }
}

/// Reads changes that other processes published.
struct ChangeReader {
    connection: Connection,
    origin: Uuid,
    seen: i64,
    listeners: Listeners,
}

impl ChangeReader {
    fn run(mut self, wakeups: &Receiver<()>) {
        while wakeups.recv().is_ok() {
            match change::published_by_others(&self.connection, self.origin, self.seen) {
                Ok((changes, last)) => {
                    self.seen = last;
                    self.listeners.notify(&changes);
                }
                // Something changed, but what it was can't be read.
                Err(_) => self.listeners.notify(&[Change::Everything]),
            }
        }
    }
}
