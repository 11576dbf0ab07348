//! SQLite connections to an existing database file, their settings, and I/O errors.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::StoreError;

/// Prepared statements cached per connection.
const STATEMENT_CACHE_SIZE: usize = 96;

/// The connection for writes that survive a crash of this process, but maybe not a power cut.
pub(crate) fn open_relaxed_writer(
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

/// Opens a read-only connection.
pub(crate) fn open_reader(path: &Path, busy_timeout: Duration) -> Result<Connection, StoreError> {
    open(path, OpenFlags::SQLITE_OPEN_READ_ONLY, busy_timeout)
        .map_err(|error| cannot_open(error, path))
}

pub(crate) fn open(
    path: &Path,
    flags: OpenFlags,
    busy_timeout: Duration,
) -> Result<Connection, StoreError> {
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(busy_timeout)?;
    connection.set_prepared_statement_cache_capacity(STATEMENT_CACHE_SIZE);
    Ok(connection)
}

pub(crate) fn cannot_open(error: StoreError, path: &Path) -> StoreError {
    match error {
        StoreError::Sqlite(error)
            if error.sqlite_error_code() == Some(rusqlite::ErrorCode::CannotOpen) =>
        {
            let detail = error.to_string();
            io_error(
                path,
                probe(path)
                    .err()
                    .unwrap_or_else(|| std::io::Error::other(detail)),
            )
        }
        other => other.with_path(path),
    }
}

/// SQLite doesn't say why it can't open a file, but the operating system does. Creates a missing
/// file, as SQLite would have.
fn probe(path: &Path) -> Result<(), std::io::Error> {
    File::options().append(true).create(true).open(path)?;
    let log = sibling_path(path, "-wal");
    let was_there = log.exists();
    File::options().append(true).create(true).open(&log)?;
    if was_there {
        Ok(())
    } else {
        fs::remove_file(log)
    }
}

/// Maps a failed file operation to the error that says what to do about it.
pub(crate) fn io_error(path: &Path, source: std::io::Error) -> StoreError {
    let path = path.to_path_buf();
    match source.kind() {
        ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied => {
            StoreError::ReadOnly { path }
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => StoreError::Full { path },
        _ => StoreError::Io { path, source },
    }
}

pub(crate) fn has_wal(path: &Path) -> bool {
    fs::metadata(sibling_path(path, "-wal")).is_ok_and(|log| log.len() > 0)
}

fn sibling_path(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
