//! Reading and writing columns: JSON values, and rows that may be damaged.

use rusqlite::Row;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{StoreError, Unreadable};

/// Serializes `value` to JSON text.
pub(crate) fn json(value: &impl Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(StoreError::Encode)
}

/// Reads the fields of one row. A value that doesn't parse makes only that row unreadable.
pub(crate) struct Fields<'row, 'stmt> {
    row: &'row Row<'stmt>,
    table: &'static str,
    id: String,
}

impl<'row, 'stmt> Fields<'row, 'stmt> {
    /// The fields of `row`; error messages identify it by `table` and `id`.
    pub(crate) fn new(
        row: &'row Row<'stmt>,
        table: &'static str,
        id: impl std::fmt::Display,
    ) -> Self {
        Self {
            row,
            table,
            id: id.to_string(),
        }
    }

    /// Reads a value that SQLite converts itself.
    pub(crate) fn get<T: rusqlite::types::FromSql>(&self, column: &str) -> Result<T, StoreError> {
        self.row
            .get(column)
            .map_err(|error| self.unreadable(&error))
    }

    /// Reads a value stored as JSON.
    pub(crate) fn json<T: DeserializeOwned>(&self, column: &str) -> Result<T, StoreError> {
        let text: String = self.get(column)?;
        serde_json::from_str(&text).map_err(|error| self.unreadable(&format!("{column}: {error}")))
    }

    /// Reads a value stored as JSON, or NULL.
    pub(crate) fn optional_json<T: DeserializeOwned>(
        &self,
        column: &str,
    ) -> Result<Option<T>, StoreError> {
        let text: Option<String> = self.get(column)?;
        let value = text.map(|text| serde_json::from_str(&text)).transpose();
        value.map_err(|error| self.unreadable(&format!("{column}: {error}")))
    }

    /// Reads a value stored as its serialized name, or NULL.
    pub(crate) fn word<T: DeserializeOwned>(&self, column: &str) -> Result<Option<T>, StoreError> {
        let text: Option<String> = self.get(column)?;
        let value = text
            .map(|text| serde_json::from_value(text.into()))
            .transpose();
        value.map_err(|error| self.unreadable(&format!("{column}: {error}")))
    }

    fn unreadable(&self, detail: &dyn std::fmt::Display) -> StoreError {
        Unreadable {
            table: self.table.to_owned(),
            id: self.id.clone(),
            detail: detail.to_string(),
        }
        .into()
    }
}

/// Runs `query` and reads each row with `read`. Stops at the first error.
pub(crate) fn query_rows<T>(
    connection: &rusqlite::Connection,
    query: &str,
    parameters: impl rusqlite::Params,
    read: impl Fn(&Row<'_>) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    let mut statement = connection.prepare_cached(query)?;
    let mut rows = statement.query(parameters)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}

/// Like [`query_rows`], but collects damaged rows separately instead of failing.
pub(crate) fn query_listing<T>(
    connection: &rusqlite::Connection,
    query: &str,
    parameters: impl rusqlite::Params,
    read: impl Fn(&Row<'_>) -> Result<T, StoreError>,
) -> Result<crate::Listing<T>, StoreError> {
    let answers = query_rows(connection, query, parameters, |row| Ok(read(row)))?;
    crate::Listing::from_results(answers.into_iter())
}

/// Like [`query_rows`], for at most one row.
pub(crate) fn query_optional<T>(
    connection: &rusqlite::Connection,
    query: &str,
    parameters: impl rusqlite::Params,
    read: impl Fn(&Row<'_>) -> Result<T, StoreError>,
) -> Result<Option<T>, StoreError> {
    let mut statement = connection.prepare_cached(query)?;
    let mut rows = statement.query(parameters)?;
    rows.next()?.map(read).transpose()
}

/// The error for a row that doesn't exist.
pub(crate) fn not_found(what: &'static str, id: impl std::fmt::Display) -> StoreError {
    StoreError::NotFound {
        what,
        id: id.to_string(),
    }
}
