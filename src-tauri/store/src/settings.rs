//! Settings by name. Their meaning and defaults are defined by the code that reads them.

use rusqlite::params;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::column::{Fields, json, query_optional};
use crate::{Change, Store, StoreError};

pub(crate) const MIGRATION_1: &str = "
CREATE TABLE settings (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
";

/// Handle for the table `settings`; see [`Store::settings`].
#[derive(Clone, Copy)]
pub struct Settings<'store> {
    store: &'store Store,
}

impl Store {
    /// Access to the table `settings`.
    #[must_use]
    pub fn settings(&self) -> Settings<'_> {
        Settings { store: self }
    }
}

impl Settings<'_> {
    /// The value of `key`, or `None` if it was never set.
    pub fn get<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, StoreError> {
        self.store.read(|connection| {
            query_optional(
                connection,
                "SELECT value FROM settings WHERE key = ?1",
                [key],
                |row| Fields::new(row, "settings", key).json("value"),
            )
        })
    }

    /// Sets `key` to `value`.
    pub fn set(&self, key: &str, value: &impl Serialize) -> Result<(), StoreError> {
        self.store.write(|writing| {
            writing
                .tx
                .prepare_cached(
                    "INSERT INTO settings (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2",
                )?
                .execute(params![key, json(value)?])?;
            writing.changes.push(Change::SettingsChanged);
            Ok(())
        })
    }
}
