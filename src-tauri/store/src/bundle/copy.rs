//! The copy of the database that a bundle contains.

use std::path::Path;

use rusqlite::{Connection, params};

use super::LOCAL_TABLES;
use crate::connection::{self, io_error};
use crate::{Store, StoreError};

impl Store {
    /// Writes a consistent copy of the database to the new file `path`, without permissions, tokens
    /// and the settings' secrets. Waits for no writer, and keeps none waiting.
    ///
    /// `without_secrets` receives the key and the JSON of each setting and returns what to store.
    pub fn write_copy(
        &self,
        path: &Path,
        without_secrets: impl Fn(&str, serde_json::Value) -> serde_json::Value,
    ) -> Result<(), StoreError> {
        let write = || {
            let reader = connection::open_reader(&self.shared.path, self.shared.busy_timeout)?;
            reader.execute("VACUUM INTO ?1", [path.to_string_lossy()])?;
            drop(reader);
            remove_local_rows(path, &without_secrets)
        };
        write().map_err(|error: StoreError| error.with_path(path))
    }
}

fn remove_local_rows(
    path: &Path,
    without_secrets: &impl Fn(&str, serde_json::Value) -> serde_json::Value,
) -> Result<(), StoreError> {
    let mut copy = Connection::open(path)?;
    // Deleted rows must not remain in free pages of the file.
    copy.pragma_update(None, "secure_delete", true)?;
    let tx = copy.transaction()?;
    for table in LOCAL_TABLES {
        tx.execute(&format!("DELETE FROM {table}"), [])?;
    }
    let settings: Vec<(String, String)> = tx
        .prepare("SELECT key, value FROM settings")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    for (key, value) in settings {
        // What can't be read could contain anything, so it stays behind.
        let cleaned = serde_json::from_str(&value)
            .map(|value| without_secrets(&key, value).to_string())
            .unwrap_or_else(|_| "null".to_owned());
        tx.execute(
            "UPDATE settings SET value = ?2 WHERE key = ?1",
            params![key, cleaned],
        )?;
    }
    tx.commit()?;
    copy.execute_batch("VACUUM")?;
    drop(copy);
    std::fs::File::open(path)
        .and_then(|file| file.sync_all())
        .map_err(|error| io_error(path, error))
}
