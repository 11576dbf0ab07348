//! Settings by name. What they mean, and what holds when there is none, is known to those who read them.

use rusqlite::params;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::column::{Fields, json, one};
use crate::{Change, Store, StoreError};

pub(crate) const MIGRATION_1: &str = "
CREATE TABLE settings (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
";

/// The settings.
#[derive(Clone, Copy)]
pub struct Settings<'store> {
    store: &'store Store,
}

impl Store {
    /// The settings.
    #[must_use]
    pub fn settings(&self) -> Settings<'_> {
        Settings { store: self }
    }
}

impl Settings<'_> {
    /// The value under `key`, or `None` when nobody has set it.
    pub fn get<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, StoreError> {
        self.store.read(|connection| {
            one(
                connection,
                "SELECT value FROM settings WHERE key = ?1",
                [key],
                |row| Fields::of(row, "settings", key).json("value"),
            )
        })
    }

    /// Puts `value` under `key`.
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
