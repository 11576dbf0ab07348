//! The open store: one writing connection pair for this process, and readers beside it.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, Transaction, TransactionBehavior};
use uuid::Uuid;

use crate::feed::{Feed, Listeners};
use crate::{Change, StoreError, change, database};

/// How the store behaves.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// How long a call waits for another process that writes.
    pub busy_timeout: Duration,
    /// Whether changes that other processes make are told to the listeners of this one.
    pub watch: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            busy_timeout: Duration::from_secs(5),
            watch: true,
        }
    }
}

/// What Baton remembers. Clones share one store; it is closed with the last of them.
#[derive(Clone)]
pub struct Store {
    shared: Arc<Shared>,
}

struct Shared {
    folder: PathBuf,
    path: PathBuf,
    origin: Uuid,
    options: Options,
    listeners: Listeners,
    feed: Feed,
    // Before the writers, so that a writer is the last to close: only that one can put the log into the file.
    readers: Mutex<Vec<Connection>>,
    writers: Mutex<Writers>,
}

/// Two connections, of which one is used at a time: SQLite would make the other wait in steps of milliseconds.
struct Writers {
    state: Connection,
    light: Connection,
}

thread_local! {
    static READS: Cell<u64> = const { Cell::new(0) };
    static WRITES_ARE_REFUSED: Cell<bool> = const { Cell::new(false) };
}

/// Idle readers that are kept open.
const READERS_KEPT: usize = 4;

/// A write that is under way.
pub(crate) struct Writing<'a, 'connection> {
    /// Its transaction.
    pub(crate) tx: &'a Transaction<'connection>,
    /// What to tell when it is stored.
    pub(crate) changes: Vec<Change>,
}

impl Store {
    /// Opens `baton.db` in the data directory `folder`, and makes both when they are not there.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        Self::open_with(folder, Options::default())
    }

    /// Like [`Store::open`], with options.
    pub fn open_with(folder: &Path, options: Options) -> Result<Self, StoreError> {
        let path = folder.join(database::FILE_NAME);
        database::look_at(&path)?;
        database::make_folder(folder)?;
        let state = database::open_writer(&path, options.busy_timeout)?;
        let light = database::open_light_writer(&path, options.busy_timeout)?;
        let origin = Uuid::new_v4();
        let listeners = Listeners::default();
        let feed = Feed::start(folder, &path, origin, options, &listeners)?;
        let writers = Mutex::new(Writers { state, light });
        let folder = folder.to_path_buf();
        let readers = Mutex::default();
        let shared = Shared {
            folder,
            path,
            origin,
            options,
            listeners,
            feed,
            readers,
            writers,
        };
        Ok(Self {
            shared: Arc::new(shared),
        })
    }

    /// The data directory.
    #[must_use]
    pub fn data_dir(&self) -> &Path {
        &self.shared.folder
    }

    /// What SQLite finds wrong with the file, in its own words; empty when it is sound. Reads the whole file once.
    pub fn damage(&self) -> Result<Vec<String>, StoreError> {
        self.read(|connection| {
            let mut check = connection.prepare("PRAGMA quick_check(10)")?;
            let found: Vec<String> = check
                .query_map([], |row| row.get(0))?
                .collect::<Result<_, _>>()?;
            Ok(found.into_iter().filter(|line| line != "ok").collect())
        })
    }

    /// What marks the changes of this store among those of other processes; new with each opening.
    #[must_use]
    pub fn origin(&self) -> Uuid {
        self.shared.origin
    }

    /// What changes from now on, here and in other processes, until the receiver is dropped.
    ///
    /// Changes made through this store come in the order of the commits of each caller.
    #[must_use]
    pub fn subscribe(&self) -> Receiver<Change> {
        let (sender, receiver) = channel();
        self.listen(move |change| sender.send(change.clone()).is_ok());
        receiver
    }

    /// Calls `listener` with each change from now on, until it returns false.
    ///
    /// It is called by whoever made the change, after the commit: it must be quick and must not write. One that
    /// holds a clone of this store keeps it open.
    pub fn listen(&self, listener: impl FnMut(&Change) -> bool + Send + 'static) {
        self.shared.listeners.add(listener);
    }

    /// Tells everybody, in this process and in others, of a change that was made beside the database.
    pub fn announce(&self, change: Change) -> Result<(), StoreError> {
        self.write_lightly(|writing| {
            writing.changes.push(change);
            Ok(())
        })
    }

    /// How often this thread has read a store, so that a test can hold that a list does not read for each of its rows.
    /// Other threads do not count: they read when they like.
    #[must_use]
    pub fn reads_of_this_thread() -> u64 {
        READS.get()
    }

    /// Does `work` with every write of this thread refused: what only asks must not change anything.
    pub fn reading_only<T>(work: impl FnOnce() -> T) -> T {
        let _refused = RefusedWrites::begin();
        work()
    }

    /// Reads what is stored at one moment.
    pub(crate) fn read<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        READS.set(READS.get() + 1);
        let connection = match lock(&self.shared.readers).pop() {
            Some(connection) => connection,
            None => database::open_reader(&self.shared.path, self.shared.options.busy_timeout)?,
        };
        let answer = in_one_moment(&connection, work).map_err(|error| error.at(&self.shared.path));
        let mut readers = lock(&self.shared.readers);
        if readers.len() < READERS_KEPT {
            readers.push(connection);
        }
        answer
    }

    /// Writes in one transaction that is on disk when this returns.
    pub(crate) fn write<T>(
        &self,
        work: impl FnOnce(&mut Writing<'_, '_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut writers = lock(&self.shared.writers);
        let done = self.transact(&mut writers.state, work);
        drop(writers);
        self.tell(done)
    }

    /// Writes in one transaction that survives the death of this process, but perhaps not a power cut.
    pub(crate) fn write_lightly<T>(
        &self,
        work: impl FnOnce(&mut Writing<'_, '_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut writers = lock(&self.shared.writers);
        let done = self.transact(&mut writers.light, work);
        drop(writers);
        self.tell(done)
    }

    fn transact<T>(
        &self,
        connection: &mut Connection,
        work: impl FnOnce(&mut Writing<'_, '_>) -> Result<T, StoreError>,
    ) -> Result<(T, Vec<Change>), StoreError> {
        if WRITES_ARE_REFUSED.get() {
            return Err(StoreError::WriteByQuery);
        }
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut writing = Writing {
            tx: &tx,
            changes: Vec::new(),
        };
        let answer = work(&mut writing)?;
        let changes = writing.changes;
        change::leave(&tx, self.shared.origin, &changes)?;
        tx.commit()?;
        Ok((answer, changes))
    }

    fn tell<T>(&self, done: Result<(T, Vec<Change>), StoreError>) -> Result<T, StoreError> {
        let (answer, changes) = done.map_err(|error| error.at(&self.shared.path))?;
        if !changes.is_empty() {
            self.shared.feed.ring();
            self.shared.listeners.tell(&changes);
        }
        Ok(answer)
    }
}

/// Writes of this thread are refused while it lives.
struct RefusedWrites {
    before: bool,
}

impl RefusedWrites {
    fn begin() -> Self {
        Self {
            before: WRITES_ARE_REFUSED.replace(true),
        }
    }
}

impl Drop for RefusedWrites {
    fn drop(&mut self) {
        WRITES_ARE_REFUSED.set(self.before);
    }
}

fn in_one_moment<T>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let tx = connection.unchecked_transaction()?;
    let answer = work(&tx)?;
    tx.commit()?;
    Ok(answer)
}

/// A panic while the lock was held has rolled its transaction back; there is nothing half done behind it.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
