//! Whether a database that came from elsewhere is one of Baton's, before anything is read from it.
//!
//! A file from elsewhere can contain views and triggers of its own, which would run as soon as a
//! table is read. So its schema must be exactly the one that the migrations create.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};
use uuid::Uuid;

use crate::migration::{self, APPLICATION_ID, MIGRATIONS, NEWEST_FORMAT};
use crate::{Options, Store, StoreError};

impl Store {
    /// Opens the copied database `baton.db` in `folder` after checking it, and migrates it to the
    /// newest format. The folder must not be used by anything else.
    pub fn open_copy(folder: &Path) -> Result<Self, StoreError> {
        let path = folder.join("baton.db");
        check(&path).map_err(|error| error.with_path(&path))?;
        let options = Options {
            watch: false,
            ..Options::default()
        };
        let store = Self::open_with(folder, options)?;
        store.read(|connection| {
            check_references(connection, &path)?;
            check_session_folders(connection, &path)
        })?;
        Ok(store)
    }
}

fn check(path: &Path) -> Result<(), StoreError> {
    let foreign = || StoreError::NotADatabase {
        path: path.to_path_buf(),
    };
    let copy = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    copy.pragma_update(None, "trusted_schema", false)?;
    let application: i32 = copy.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let format = migration::read_format(&copy)?;
    if application != APPLICATION_ID || format == 0 {
        return Err(foreign());
    }
    if format > NEWEST_FORMAT {
        return Err(StoreError::NewerDatabase {
            path: path.to_path_buf(),
            found: format,
            known: NEWEST_FORMAT,
        });
    }
    if schema(&copy)? != schema(&empty_database(format)?)? {
        return Err(foreign());
    }
    let found: String = copy.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if found == "ok" {
        return Ok(());
    }
    Err(StoreError::Corrupt {
        path: path.to_path_buf(),
        detail: found,
    })
}

/// An empty database of this format in memory.
fn empty_database(format: u32) -> Result<Connection, StoreError> {
    let empty = Connection::open_in_memory()?;
    for step in MIGRATIONS.iter().take(format as usize) {
        for sql in *step {
            empty.execute_batch(sql)?;
        }
    }
    Ok(empty)
}

/// Everything that the schema defines, without SQLite's own tables.
fn schema(connection: &Connection) -> Result<BTreeSet<(String, String, String)>, StoreError> {
    let query = "SELECT type, name, COALESCE(sql, '') FROM sqlite_schema
        WHERE name NOT IN ('sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4')";
    let mut statement = connection.prepare(query)?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn check_references(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let mut broken = connection.prepare("PRAGMA foreign_key_check")?;
    if broken.exists([])? {
        return Err(StoreError::Corrupt {
            path: path.to_path_buf(),
            detail: "rows refer to rows that are missing".to_owned(),
        });
    }
    Ok(())
}

/// Refuses a session whose files would be anywhere but in its own folder.
fn check_session_folders(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let mut sessions = connection.prepare("SELECT id, folder FROM sessions")?;
    let mut rows = sessions.query([])?;
    while let Some(row) = rows.next()? {
        let (id, folder): (Uuid, String) = (row.get(0)?, row.get(1)?);
        if folder != format!("sessions/{id}") {
            return Err(StoreError::Corrupt {
                path: path.to_path_buf(),
                detail: format!("the session {id} has the folder '{folder}'"),
            });
        }
    }
    Ok(())
}
