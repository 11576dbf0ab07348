//! How changes reach those who listen: directly within a process, by a bell between processes.
//!
//! After each commit a process rings: it writes to the small file `baton.changes`, and every other process
//! that watches this file reads what was left in the table `changes`. The log of the database itself would be
//! the wrong file to watch: it is written *before* the commit can be seen, and not at all afterwards.
//!
//! A process rings at once when it has been quiet, and gathers what follows: a run of many nodes would
//! otherwise wake every process with every commit. One that dies between its commit and the bell is heard
//! with the next bell of anybody.

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

use crate::store::{Options, lock};
use crate::{Change, StoreError, change, database};

const BELL: &str = "baton.changes";

type Listener = Box<dyn FnMut(&Change) -> bool + Send>;

/// Those who want to be told.
#[derive(Clone, Default)]
pub(crate) struct Listeners(Arc<Mutex<Vec<Listener>>>);

impl Listeners {
    pub(crate) fn add(&self, listener: impl FnMut(&Change) -> bool + Send + 'static) {
        lock(&self.0).push(Box::new(listener));
    }

    pub(crate) fn tell(&self, changes: &[Change]) {
        lock(&self.0).retain_mut(|listener| changes.iter().all(&mut *listener));
    }
}

/// How long a process is quiet after it has rung.
const QUIET: Duration = Duration::from_millis(10);

/// The bell, and the ear for those of others.
pub(crate) struct Feed {
    bell: Bell,
    // Listens as long as it lives.
    _ear: Option<Ear>,
}

/// Rings at once, or after the quiet time on a thread of its own.
struct Bell {
    clapper: Arc<Mutex<Clapper>>,
    later: Option<SyncSender<()>>,
    ringer: Option<JoinHandle<()>>,
}

struct Clapper {
    file: File,
    rung: Option<Instant>,
}

impl Clapper {
    /// A bell that does not sound is made up for by the next one.
    fn strike(&mut self) {
        self.rung = Some(Instant::now());
        let _rung = self.file.rewind().and_then(|()| self.file.write_all(b"!"));
    }
}

impl Bell {
    fn hang(path: &Path) -> Result<Self, StoreError> {
        let cannot = |error| database::trouble(path, error);
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
            .map_err(cannot)?;
        let clapper = Arc::new(Mutex::new(Clapper { file, rung: None }));
        let (later, asked) = sync_channel(1);
        let thread = std::thread::Builder::new().name("baton-bell".to_owned());
        let ringing = Arc::clone(&clapper);
        let ring = move || {
            while asked.recv().is_ok() {
                std::thread::sleep(QUIET);
                lock(&ringing).strike();
            }
        };
        let ringer = thread.spawn(ring).map_err(cannot)?;
        Ok(Self {
            clapper,
            later: Some(later),
            ringer: Some(ringer),
        })
    }

    fn ring(&self) {
        let mut clapper = lock(&self.clapper);
        if clapper.rung.is_none_or(|rung| rung.elapsed() >= QUIET) {
            clapper.strike();
        } else if let Some(later) = &self.later {
            let _asked_already = later.try_send(());
        }
    }
}

impl Drop for Bell {
    fn drop(&mut self) {
        drop(self.later.take());
        if let Some(ringer) = self.ringer.take() {
            let _panicked = ringer.join();
        }
    }
}

/// Hears the bell on a thread of its own.
struct Ear {
    watcher: Option<notify::RecommendedWatcher>,
    reader: Option<JoinHandle<()>>,
}

impl Feed {
    pub(crate) fn start(
        folder: &Path,
        database: &Path,
        origin: Uuid,
        options: Options,
        listeners: &Listeners,
    ) -> Result<Self, StoreError> {
        let path = folder.join(BELL);
        let bell = Bell::hang(&path)?;
        if !options.watch {
            return Ok(Self { bell, _ear: None });
        }
        let connection = database::open_reader(database, options.busy_timeout)?;
        let seen = change::last_id(&connection)?;
        let reader = Reader {
            connection,
            origin,
            seen,
            listeners: listeners.clone(),
        };
        Ok(Self {
            _ear: Some(Ear::open(&path, reader)?),
            bell,
        })
    }

    /// Tells other processes to look.
    pub(crate) fn ring(&self) {
        self.bell.ring();
    }
}

impl Ear {
    fn open(bell: &Path, reader: Reader) -> Result<Self, StoreError> {
        // Room for one: a bell that rings while the reader is about to read says nothing new.
        let (wake, woken) = sync_channel(1);
        let heard = move |event: notify::Result<notify::Event>| {
            if event.is_ok_and(|event| event.kind.is_modify() || event.need_rescan()) {
                let _full = wake.try_send(());
            }
        };
        let watch = || {
            let mut watcher = notify::recommended_watcher(heard)?;
            watcher.watch(bell, RecursiveMode::NonRecursive)?;
            Ok(watcher)
        };
        let cannot = |source| StoreError::Io {
            path: bell.to_path_buf(),
            source,
        };
        let watcher =
            watch().map_err(|error: notify::Error| cannot(std::io::Error::other(error)))?;
        let thread = std::thread::Builder::new().name("baton-changes".to_owned());
        let reader = thread
            .spawn(move || reader.follow(&woken))
            .map_err(cannot)?;
        Ok(Self {
            watcher: Some(watcher),
            reader: Some(reader),
        })
    }
}

impl Drop for Ear {
    fn drop(&mut self) {
        // Without a watcher nobody holds the reader's channel any more, and it ends.
        drop(self.watcher.take());
        // A listener may hold the last store: then this runs on the reader itself, which cannot wait for itself.
        let other = self
            .reader
            .take()
            .filter(|reader| reader.thread().id() != std::thread::current().id());
        if let Some(reader) = other {
            let _panicked = reader.join();
        }
    }
}

/// Reads what others have left.
struct Reader {
    connection: Connection,
    origin: Uuid,
    seen: i64,
    listeners: Listeners,
}

impl Reader {
    fn follow(mut self, woken: &Receiver<()>) {
        while woken.recv().is_ok() {
            match change::left_by_others(&self.connection, self.origin, self.seen) {
                Ok((changes, last)) => {
                    self.seen = last;
                    self.listeners.tell(&changes);
                }
                // Something has changed, and it cannot be said what.
                Err(_) => self.listeners.tell(&[Change::Everything]),
            }
        }
    }
}
