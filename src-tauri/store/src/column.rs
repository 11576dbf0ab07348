//! Columns that hold JSON, and rows that may be damaged.

use rusqlite::Row;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{StoreError, Unreadable};

/// `value` as JSON text.
pub(crate) fn json(value: &impl Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(StoreError::Encode)
}

/// Reads the fields of one row; what does not fit is blamed on that row and no other.
pub(crate) struct Fields<'row, 'stmt> {
    row: &'row Row<'stmt>,
    table: &'static str,
    id: String,
}

impl<'row, 'stmt> Fields<'row, 'stmt> {
    /// The fields of `row`, which messages call `id`.
    pub(crate) fn of(
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

    /// A plain value.
    pub(crate) fn get<T: rusqlite::types::FromSql>(&self, column: &str) -> Result<T, StoreError> {
        self.row.get(column).map_err(|error| self.blame(&error))
    }

    /// A value that is kept as JSON.
    pub(crate) fn json<T: DeserializeOwned>(&self, column: &str) -> Result<T, StoreError> {
        let text: String = self.get(column)?;
        serde_json::from_str(&text).map_err(|error| self.blame(&format!("{column}: {error}")))
    }

    /// A value that is kept as JSON, or is not there.
    pub(crate) fn optional_json<T: DeserializeOwned>(
        &self,
        column: &str,
    ) -> Result<Option<T>, StoreError> {
        let text: Option<String> = self.get(column)?;
        let value = text.map(|text| serde_json::from_str(&text)).transpose();
        value.map_err(|error| self.blame(&format!("{column}: {error}")))
    }

    fn blame(&self, detail: &dyn std::fmt::Display) -> StoreError {
        Unreadable {
            table: self.table.to_owned(),
            id: self.id.clone(),
            detail: detail.to_string(),
        }
        .into()
    }
}

/// Runs `query` and reads each row with `read`; the first error ends it.
pub(crate) fn rows<T>(
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

/// Like [`rows`], but a damaged row is set aside instead of ending the listing.
pub(crate) fn listing<T>(
    connection: &rusqlite::Connection,
    query: &str,
    parameters: impl rusqlite::Params,
    read: impl Fn(&Row<'_>) -> Result<T, StoreError>,
) -> Result<crate::Listing<T>, StoreError> {
    let answers = rows(connection, query, parameters, |row| Ok(read(row)))?;
    crate::Listing::gather(answers.into_iter())
}

/// Like [`rows`], for at most one.
pub(crate) fn one<T>(
    connection: &rusqlite::Connection,
    query: &str,
    parameters: impl rusqlite::Params,
    read: impl Fn(&Row<'_>) -> Result<T, StoreError>,
) -> Result<Option<T>, StoreError> {
    let mut statement = connection.prepare_cached(query)?;
    let mut rows = statement.query(parameters)?;
    rows.next()?.map(read).transpose()
}

/// The error for a row that is not there.
pub(crate) fn missing(what: &'static str, id: impl std::fmt::Display) -> StoreError {
    StoreError::NotFound {
        what,
        id: id.to_string(),
    }
}
