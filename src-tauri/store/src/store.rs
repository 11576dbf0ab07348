//! The open store: this process's writer connections and a pool of readers.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rusqlite::{Connection, Transaction, TransactionBehavior};
use uuid::Uuid;

use crate::change_feed::{ChangeFeed, Listeners};
use crate::mutex::lock;
use crate::{Change, StoreError, change, connection, idempotency_claim};

/// The open database. Clones share one store, which closes when the last clone is dropped.
#[derive(Clone)]
pub struct Store {
    pub(crate) shared: Arc<Shared>,
}

/// What the clones of a [`Store`] share.
pub(crate) struct Shared {
    pub(crate) folder: PathBuf,
    pub(crate) path: PathBuf,
    /// Identifies this process's rows in the table `changes`.
    pub(crate) origin: Uuid,
    pub(crate) busy_timeout: Duration,
    pub(crate) listeners: Listeners,
    pub(crate) feed: ChangeFeed,
    // Must come before `writers`: the last connection to close has to be a writer, as only a writer
    // can checkpoint the WAL.
    pub(crate) readers: Mutex<Vec<Connection>>,
    pub(crate) writers: Mutex<Writers>,
}

/// Two connections under one mutex. If both wrote at once, SQLite would make one poll in steps of
/// milliseconds.
pub(crate) struct Writers {
    pub(crate) durable: Connection,
    pub(crate) relaxed: Connection,
}

thread_local! {
    static READS: Cell<u64> = const { Cell::new(0) };
    static WRITES_DENIED: Cell<bool> = const { Cell::new(false) };
}

/// Maximum number of idle readers kept open.
const MAX_IDLE_READERS: usize = 4;

/// A write transaction in progress.
pub(crate) struct WriteTransaction<'a, 'connection> {
    pub(crate) tx: &'a Transaction<'connection>,
    /// Reported to listeners after the commit.
    pub(crate) changes: Vec<Change>,
}

impl Store {
    pub(crate) fn new(shared: Shared) -> Self {
        Self {
            shared: Arc::new(shared),
        }
    }

    /// The data directory that contains the database.
    #[must_use]
    pub fn data_dir(&self) -> &Path {
        &self.shared.folder
    }

    /// Problems that SQLite finds in the file, in its own words; empty if there are none. Reads the
    /// whole file.
    pub fn integrity_errors(&self) -> Result<Vec<String>, StoreError> {
        self.read(|connection| {
            let mut check = connection.prepare("PRAGMA quick_check(10)")?;
            let found: Vec<String> = check
                .query_map([], |row| row.get(0))?
                .collect::<Result<_, _>>()?;
            Ok(found.into_iter().filter(|line| line != "ok").collect())
        })
    }

    /// Receives all changes from now on, made here or in other processes, until the receiver is
    /// dropped.
    ///
    /// Changes made by one caller through this store arrive in commit order.
    #[must_use]
    pub fn subscribe(&self) -> Receiver<Change> {
        let (sender, receiver) = channel();
        self.listen(move |change| sender.send(change.clone()).is_ok());
        receiver
    }

    /// Calls `listener` with each change from now on, until it returns false.
    ///
    /// Runs on the thread that made the change, after the commit, so it must be quick and must not
    /// write. A listener that holds a clone of this store keeps it open.
    pub fn listen(&self, listener: impl FnMut(&Change) -> bool + Send + 'static) {
        self.shared.listeners.add(listener);
    }

    /// Reports a change made outside the database to listeners in all processes.
    pub fn announce(&self, change: Change) -> Result<(), StoreError> {
        self.write_relaxed(|writing| {
            writing.changes.push(change);
            Ok(())
        })
    }

    /// Returns how many reads this thread has made. Tests use it to check that a list doesn't read
    /// once per row. Reads by other threads don't count.
    #[must_use]
    pub fn thread_read_count() -> u64 {
        READS.get()
    }

    /// Runs `work` with all writes by this thread refused, to enforce that queries change nothing.
    pub fn with_writes_denied<T>(work: impl FnOnce() -> T) -> T {
        let _denied = DeniedWrites::begin();
        work()
    }

    /// Reads from a consistent snapshot.
    pub(crate) fn read<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        READS.set(READS.get() + 1);
        let connection = match lock(&self.shared.readers).pop() {
            Some(connection) => connection,
            None => connection::open_reader(&self.shared.path, self.shared.busy_timeout)?,
        };
        let answer = read_in_transaction(&connection, work)
            .map_err(|error| error.with_path(&self.shared.path));
        let mut readers = lock(&self.shared.readers);
        if readers.len() < MAX_IDLE_READERS {
            readers.push(connection);
        }
        answer
    }

    /// Writes in one transaction that is on disk when this returns.
    pub(crate) fn write<T>(
        &self,
        work: impl FnOnce(&mut WriteTransaction<'_, '_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut writers = lock(&self.shared.writers);
        let done = self.transact(&mut writers.durable, work);
        drop(writers);
        self.publish(done)
    }

    /// Writes in one transaction that survives a crash of this process, but maybe not a power cut.
    pub(crate) fn write_relaxed<T>(
        &self,
        work: impl FnOnce(&mut WriteTransaction<'_, '_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut writers = lock(&self.shared.writers);
        let done = self.transact(&mut writers.relaxed, work);
        drop(writers);
        self.publish(done)
    }

    pub(crate) fn transact<T>(
        &self,
        connection: &mut Connection,
        work: impl FnOnce(&mut WriteTransaction<'_, '_>) -> Result<T, StoreError>,
    ) -> Result<(T, Vec<Change>), StoreError> {
        if WRITES_DENIED.get() {
            return Err(StoreError::WriteInQuery);
        }
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut writing = WriteTransaction {
            tx: &tx,
            changes: Vec::new(),
        };
        let answer = work(&mut writing)?;
        let changes = writing.changes;
        let stored_key = idempotency_claim::store_claimed(&tx)?;
        change::publish(&tx, self.shared.origin, &changes)?;
        tx.commit()?;
        if stored_key {
            idempotency_claim::unclaim();
        }
        Ok((answer, changes))
    }

    pub(crate) fn publish<T>(
        &self,
        done: Result<(T, Vec<Change>), StoreError>,
    ) -> Result<T, StoreError> {
        let (answer, changes) = done.map_err(|error| error.with_path(&self.shared.path))?;
        if !changes.is_empty() {
            self.shared.feed.notify_processes();
            self.shared.listeners.notify(&changes);
        }
        Ok(answer)
    }
}

/// Refuses writes by this thread until it is dropped.
struct DeniedWrites {
    before: bool,
}

impl DeniedWrites {
    fn begin() -> Self {
        Self {
            before: WRITES_DENIED.replace(true),
        }
    }
}

impl Drop for DeniedWrites {
    fn drop(&mut self) {
        WRITES_DENIED.set(self.before);
    }
}

fn read_in_transaction<T>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let tx = connection.unchecked_transaction()?;
    let answer = work(&tx)?;
    tx.commit()?;
    Ok(answer)
}
