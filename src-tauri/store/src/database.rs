//! Opening the file: looking at it without touching it, and the settings of each connection.

use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};

use crate::StoreError;
use crate::migration::{self, APPLICATION_ID, MIGRATIONS, NEWEST_FORMAT};

/// The database within the data directory.
pub(crate) const FILE_NAME: &str = "baton.db";

const HEADER_LENGTH: usize = 100;
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// Between two attempts at what SQLite does not wait for itself.
const RETRY: Duration = Duration::from_millis(5);
/// Statements that a connection keeps prepared.
const STATEMENTS_KEPT: usize = 96;
/// Pages in the log before they are put into the file. SQLite's 1,000 would make a run of many nodes wait often.
const CHECKPOINT_PAGES: u32 = 8_000;
/// The log is cut to this many bytes when it starts anew.
const LOG_BYTES_KEPT: u32 = 32 << 20;

/// Refuses a file that this program must not touch. Only reads, and leaves no file behind.
///
/// A file that is missing or empty is fine: it will be made.
pub(crate) fn look_at(path: &Path) -> Result<(), StoreError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(trouble(path, error)),
    };
    let mut header = Vec::with_capacity(HEADER_LENGTH);
    (&file)
        .take(HEADER_LENGTH as u64)
        .read_to_end(&mut header)
        .map_err(|error| trouble(path, error))?;
    if header.is_empty() {
        return Ok(());
    }
    judge(path, &header, || {
        Ok(file.metadata().map_err(|error| trouble(path, error))?.len())
    })
}

/// The layout of the header: <https://www.sqlite.org/fileformat.html#the_database_header>.
fn judge(
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
    let in_header = Marks {
        application: number(68),
        format: number(60),
        is_bare: pages <= 1,
    };
    in_header.moved_on_by_log(&path)?.judge(&path)?;
    let page_size = match u16::from_be_bytes([header[16], header[17]]) {
        1 => 65_536,
        size => u64::from(size),
    };
    let expected = page_size * u64::from(pages);
    // While there is a log, the file may rightly be shorter than it says: the rest is in the log. Another process
    // may be about to put it into the file, so the length is taken only when there was none.
    if !has_log(&path) {
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

/// What tells Baton's files from others.
struct Marks {
    application: u32,
    format: u32,
    /// There is no table in it: a Baton that was making it has been killed, or is not yet done.
    is_bare: bool,
}

impl Marks {
    /// A log beside the file may have moved on from what the header says.
    fn moved_on_by_log(self, path: &Path) -> Result<Self, StoreError> {
        if !has_log(path) {
            return Ok(self);
        }
        // A connection that cannot write does not put the log into the file when it closes.
        let connection = open_reader(path, Duration::from_secs(5))?;
        let read = || {
            Ok(Self {
                application: connection
                    .pragma_query_value(None, "application_id", |row| row.get(0))?,
                format: migration::format_of(&connection)?,
                is_bare: connection.query_row(
                    "SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema)",
                    [],
                    |row| row.get(0),
                )?,
            })
        };
        read().map_err(|error: StoreError| error.at(path))
    }

    fn judge(&self, path: &Path) -> Result<(), StoreError> {
        let path = path.to_path_buf();
        let is_ours = self.application == APPLICATION_ID.cast_unsigned();
        if is_ours && self.format > NEWEST_FORMAT {
            return Err(StoreError::NewerDatabase {
                path,
                found: self.format,
                known: NEWEST_FORMAT,
            });
        }
        let is_unborn = self.application == 0 && self.format == 0 && self.is_bare;
        if is_ours || is_unborn {
            Ok(())
        } else {
            Err(StoreError::NotADatabase { path })
        }
    }
}

fn has_log(path: &Path) -> bool {
    fs::metadata(beside(path, "-wal")).is_ok_and(|log| log.len() > 0)
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Makes the data directory, readable for its owner only.
pub(crate) fn make_folder(folder: &Path) -> Result<(), StoreError> {
    if folder.is_dir() {
        return Ok(());
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
        .create(folder)
        .map_err(|error| trouble(folder, error))
}

/// The connection for state: what it commits is on disk. Leads the database to the newest format.
pub(crate) fn open_writer(path: &Path, busy_timeout: Duration) -> Result<Connection, StoreError> {
    let open = || {
        let mut connection = open(
            path,
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
            busy_timeout,
        )?;
        // SQLite opens a file that it may not write as one to read, and says nothing.
        if connection.is_readonly(rusqlite::MAIN_DB)? {
            return Err(StoreError::ReadOnly {
                path: path.to_path_buf(),
            });
        }
        turn_on_log(&connection, busy_timeout)?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
        connection.pragma_update(None, "journal_size_limit", LOG_BYTES_KEPT)?;
        let before = migration::format_of(&connection)?;
        migration::migrate(&mut connection, path, MIGRATIONS)?;
        if before < NEWEST_FORMAT {
            // So that the header tells an older program what it must not touch.
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        }
        Ok(connection)
    };
    open().map_err(|error| cannot_open(error, path))
}

/// Of several processes that do this to a new file at once, SQLite lets all but one fail without waiting.
fn turn_on_log(connection: &Connection, busy_timeout: Duration) -> Result<(), StoreError> {
    let begin = Instant::now();
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(error) if is_busy(&error) && begin.elapsed() < busy_timeout => {
                std::thread::sleep(RETRY)
            }
            done => return Ok(done?),
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy)
}

/// The connection for what may be lost in a power cut, never in a crash of this program.
pub(crate) fn open_light_writer(
    path: &Path,
    busy_timeout: Duration,
) -> Result<Connection, StoreError> {
    let open = || {
        let connection = open(path, OpenFlags::SQLITE_OPEN_READ_WRITE, busy_timeout)?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.pragma_update(None, "wal_autocheckpoint", 0)?;
        Ok(connection)
    };
    open().map_err(|error: StoreError| cannot_open(error, path))
}

/// A connection that only reads.
pub(crate) fn open_reader(path: &Path, busy_timeout: Duration) -> Result<Connection, StoreError> {
    open(path, OpenFlags::SQLITE_OPEN_READ_ONLY, busy_timeout)
        .map_err(|error| cannot_open(error, path))
}

fn open(path: &Path, flags: OpenFlags, busy_timeout: Duration) -> Result<Connection, StoreError> {
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(busy_timeout)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
    Ok(connection)
}

fn cannot_open(error: StoreError, path: &Path) -> StoreError {
    match error {
        StoreError::Sqlite(error)
            if error.sqlite_error_code() == Some(rusqlite::ErrorCode::CannotOpen) =>
        {
            let detail = error.to_string();
            trouble(
                path,
                probe(path)
                    .err()
                    .unwrap_or_else(|| std::io::Error::other(detail)),
            )
        }
        other => other.at(path),
    }
}

/// SQLite does not say why it cannot open a file; the operating system does. What is missing is made: SQLite
/// would have done so.
fn probe(path: &Path) -> Result<(), std::io::Error> {
    File::options().append(true).create(true).open(path)?;
    let log = beside(path, "-wal");
    let was_there = log.exists();
    File::options().append(true).create(true).open(&log)?;
    if was_there {
        Ok(())
    } else {
        fs::remove_file(log)
    }
}

/// A file operation that failed, in the words for it.
pub(crate) fn trouble(path: &Path, source: std::io::Error) -> StoreError {
    let path = path.to_path_buf();
    match source.kind() {
        ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied => {
            StoreError::ReadOnly { path }
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => StoreError::Full { path },
        _ => StoreError::Io { path, source },
    }
}
