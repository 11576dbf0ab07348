//! The index: one SQLite file with the list and a full-text index.
//!
//! It is a cache. A file with another schema, or one that SQLite reports as damaged, is deleted
//! and rebuilt. It stores no text: matches point to a place in the agent's own file, from which
//! excerpts are read.

pub mod list;
mod schema;
pub mod search;
pub(crate) mod sources;

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::TranscriptsError;

/// How long a reader waits for a writer.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The file of an index.
#[derive(Debug, Clone)]
pub struct TranscriptIndex {
    path: PathBuf,
}

impl TranscriptIndex {
    /// The index in a data directory. Does not access the disk.
    #[must_use]
    pub fn new(data: &Path) -> Self {
        Self {
            path: data.join("transcripts.db"),
        }
    }

    /// The path of the SQLite file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A read-only connection; `None` while there is no index with this schema.
    pub(crate) fn reader(&self) -> Result<Option<Connection>, TranscriptsError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = match Connection::open_with_flags(&self.path, flags) {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::CannotOpen) => {
                return Ok(None);
            }
            opened => opened?,
        };
        connection.busy_timeout(BUSY_TIMEOUT)?;
        match schema::version(&connection) {
            Ok(schema::SCHEMA_VERSION) => Ok(Some(connection)),
            // The writer will rebuild it. Until then there is no index.
            Ok(_) => Ok(None),
            Err(error) if is_corruption(&error) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The connection for writing. Only the holder of the writer's lock may open it.
    pub(crate) fn writer(&self) -> Result<Connection, TranscriptsError> {
        match self.open() {
            Err(TranscriptsError::Sqlite(error)) if is_corruption(&error) => {
                tracing::warn!(path = %self.path.display(), %error, "rebuilding the transcript index");
                self.delete()?;
                self.open()
            }
            opened => opened,
        }
    }

    fn open(&self) -> Result<Connection, TranscriptsError> {
        let mut connection = Connection::open(&self.path)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        // A power failure may damage the file, which is then rebuilt.
        connection.pragma_update(None, "synchronous", "OFF")?;
        connection.pragma_update(None, "temp_store", "MEMORY")?;
        connection.pragma_update(None, "cache_size", -32_000)?;
        connection.pragma_update(None, "journal_size_limit", 16 << 20)?;
        schema::create(&mut connection)?;
        Ok(connection)
    }

    /// Deletes the file and those that SQLite keeps beside it.
    pub(crate) fn delete(&self) -> Result<(), TranscriptsError> {
        for suffix in ["", "-wal", "-shm"] {
            let mut name = self.path.as_os_str().to_owned();
            name.push(suffix);
            let path = PathBuf::from(name);
            match std::fs::remove_file(&path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(TranscriptsError::at(&path)(error));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Whether the error means that the file is damaged.
pub(crate) fn is_corruption(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
    )
}
