//! Opens a store: checks the header without changing the file, migrates the database, and sets up
//! connections.

use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};
use uuid::Uuid;

use crate::StoreError;
use crate::change_feed::{ChangeFeed, Listeners};
use crate::connection::{self, cannot_open, has_wal, io_error, open_reader, open_relaxed_writer};
use crate::migration::{self, APPLICATION_ID, MIGRATIONS, NEWEST_FORMAT};
use crate::store::{Shared, Store, Writers};

/// Database file name within the data directory.
const FILE_NAME: &str = "baton.db";

const HEADER_LENGTH: usize = 100;
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// Delay between retries of operations for which SQLite's busy timeout doesn't apply.
const BUSY_RETRY_INTERVAL: Duration = Duration::from_millis(5);
/// WAL size in pages that triggers a checkpoint. With SQLite's default of 1,000, large runs would
/// wait often.
const WAL_CHECKPOINT_PAGES: u32 = 8_000;
/// The WAL file is truncated to this many bytes when it is reset.
const MAX_WAL_BYTES: u32 = 32 << 20;

/// Options for opening a store.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// How long a call waits for another process's write lock.
    pub busy_timeout: Duration,
    /// Whether listeners also receive changes that other processes make.
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

impl Store {
    /// Opens `baton.db` in the data directory `folder`, creating both if they don't exist.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        Self::open_with(folder, Options::default())
    }

    /// Like [`Store::open`], with options.
    pub fn open_with(folder: &Path, options: Options) -> Result<Self, StoreError> {
        let path = folder.join(FILE_NAME);
        check_header(&path)?;
        create_data_dir(folder)?;
        let durable = open_writer(&path, options.busy_timeout)?;
        let relaxed = open_relaxed_writer(&path, options.busy_timeout)?;
        let origin = Uuid::new_v4();
        let listeners = Listeners::default();
        let watching = if options.watch {
            Some(open_reader(&path, options.busy_timeout)?)
        } else {
            None
        };
        let feed = ChangeFeed::start(folder, origin, watching, &listeners)?;
        Ok(Self::new(Shared {
            folder: folder.to_path_buf(),
            path,
            origin,
            busy_timeout: options.busy_timeout,
            listeners,
            feed,
            readers: Mutex::default(),
            writers: Mutex::new(Writers { durable, relaxed }),
        }))
    }
}

/// Rejects a file that this program must not touch. Read-only, and creates no files.
///
/// A missing or empty file is accepted: it will be created.
fn check_header(path: &Path) -> Result<(), StoreError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(io_error(path, error)),
    };
    let mut header = Vec::with_capacity(HEADER_LENGTH);
    (&file)
        .take(HEADER_LENGTH as u64)
        .read_to_end(&mut header)
        .map_err(|error| io_error(path, error))?;
    if header.is_empty() {
        return Ok(());
    }
    validate_header(path, &header, || {
        Ok(file
            .metadata()
            .map_err(|error| io_error(path, error))?
            .len())
    })
}

fn validate_header(
    path: &Path,
    header: &[u8],
    length: impl Fn() -> Result<u64, StoreError>,
) -> Result<(), StoreError> {
    let path = path.to_path_buf();
    if !header.starts_with(&MAGIC[..header.len().min(MAGIC.len())]) {
        return Err(StoreError::NotADatabase { path });
    }
    let Some(header) = header.first_chunk::<HEADER_LENGTH>() else {
        return Err(StoreError::Truncated {
            path,
            found: length()?,
            expected: HEADER_LENGTH as u64,
        });
    };
    let number = |at: usize| {
        u32::from_be_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
    };
    let pages = number(28);
    let in_header = FileIdentity {
        application: number(68),
        format: number(60),
        has_no_tables: pages <= 1,
    };
    in_header.with_values_from_wal(&path)?.check(&path)?;
    let page_size = match u16::from_be_bytes([header[16], header[17]]) {
        1 => 65_536,
        size => u64::from(size),
    };
    let expected = page_size * u64::from(pages);
    // With a WAL, the file may be shorter than its header says, because the remaining pages are in
    // the WAL. Another process may be about to checkpoint, so the length is only compared without a
    // WAL.
    if !has_wal(&path) {
        let found = length()?;
        if found < expected {
            return Err(StoreError::Truncated {
                path,
                found,
                expected,
            });
        }
    }
    Ok(())
}

/// The header fields that identify a Baton database.
struct FileIdentity {
    application: u32,
    format: u32,
    /// No tables yet: another Baton is creating the file, or was killed while doing so.
    has_no_tables: bool,
}

impl FileIdentity {
    /// Reads the values through SQLite if there is a WAL, which may contain newer ones than the
    /// header.
    fn with_values_from_wal(self, path: &Path) -> Result<Self, StoreError> {
        if !has_wal(path) {
            return Ok(self);
        }
        // A read-only connection doesn't checkpoint the WAL when it closes.
        let connection = open_reader(path, Duration::from_secs(5))?;
        let read = || {
            Ok(Self {
                application: connection
                    .pragma_query_value(None, "application_id", |row| row.get(0))?,
                format: migration::read_format(&connection)?,
                has_no_tables: connection.query_row(
                    "SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema)",
                    [],
                    |row| row.get(0),
                )?,
            })
        };
        read().map_err(|error: StoreError| error.with_path(path))
    }

    fn check(&self, path: &Path) -> Result<(), StoreError> {
        let path = path.to_path_buf();
        let is_ours = self.application == APPLICATION_ID.cast_unsigned();
        if is_ours && self.format > NEWEST_FORMAT {
            return Err(StoreError::NewerDatabase {
                path,
                found: self.format,
                known: NEWEST_FORMAT,
            });
        }
        let is_uninitialized = self.application == 0 && self.format == 0 && self.has_no_tables;
        if is_ours || is_uninitialized {
            Ok(())
        } else {
            Err(StoreError::NotADatabase { path })
        }
    }
}

/// Creates the data directory, accessible only to its owner.
fn create_data_dir(folder: &Path) -> Result<(), StoreError> {
    if folder.is_dir() {
        return Ok(());
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
        .create(folder)
        .map_err(|error| io_error(folder, error))
}

/// Opens the connection for durable writes and migrates the database to the newest format.
fn open_writer(path: &Path, busy_timeout: Duration) -> Result<Connection, StoreError> {
    let open = || {
        let mut connection = connection::open(
            path,
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
            busy_timeout,
        )?;
        // SQLite silently opens a file without write permission as read-only.
        if connection.is_readonly(rusqlite::MAIN_DB)? {
            return Err(StoreError::ReadOnly {
                path: path.to_path_buf(),
            });
        }
        enable_wal(&connection, busy_timeout)?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.pragma_update(None, "wal_autocheckpoint", WAL_CHECKPOINT_PAGES)?;
        connection.pragma_update(None, "journal_size_limit", MAX_WAL_BYTES)?;
        let before = migration::read_format(&connection)?;
        migration::migrate(&mut connection, path, MIGRATIONS)?;
        if before < NEWEST_FORMAT {
            // Moves the new format into the file header, where an older program checks it.
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        }
        Ok(connection)
    };
    open().map_err(|error| cannot_open(error, path))
}

/// When several processes do this to a new file at once, SQLite fails all but one of them without
/// waiting.
fn enable_wal(connection: &Connection, busy_timeout: Duration) -> Result<(), StoreError> {
    let begin = Instant::now();
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(error) if is_busy(&error) && begin.elapsed() < busy_timeout => {
                std::thread::sleep(BUSY_RETRY_INTERVAL)
            }
            done => return Ok(done?),
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy)
}
