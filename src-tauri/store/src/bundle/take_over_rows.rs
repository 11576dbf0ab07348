//! Takes the rows of a copied database into an empty one.

use std::path::Path;

use baton_model::Timestamp;
use baton_model::plan::Source;
use rusqlite::{Connection, params};

use super::{BundleImport, KEY, LOCAL_TABLES};
use crate::column::json;
use crate::mutex::lock;
use crate::{Change, Store, StoreError};

/// Tables that an empty Baton fills by itself. Rows of a bundle replace or join them.
const FILLED_WHEN_EMPTY: [&str; 6] = [
    "executors",
    "silences",
    "settings",
    "plan_log_deleted",
    "permits",
    "permit_waits",
];

/// The examples that Baton adds by itself, as long as nobody has changed, approved or run them.
const UNTOUCHED_EXAMPLES: &str = "SELECT id FROM plans WHERE source = ?1 AND version = 1
    AND approved_version IS NULL AND id NOT IN (SELECT plan FROM runs)";

impl Store {
    /// Whether nobody has used this database yet: it has no plans but untouched examples, no
    /// proposals and no calls that wait.
    pub fn is_empty(&self) -> Result<bool, StoreError> {
        let query = format!(
            "SELECT NOT EXISTS (SELECT 1 FROM plans WHERE id NOT IN ({UNTOUCHED_EXAMPLES}))
                 AND NOT EXISTS (SELECT 1 FROM proposals) AND NOT EXISTS (SELECT 1 FROM held_calls)"
        );
        let example = json(&Source::Example)?;
        self.read(|connection| Ok(connection.query_row(&query, [example], |row| row.get(0))?))
    }

    /// Takes all rows of the copied database `copy` into this one, which must be empty, in one
    /// transaction.
    ///
    /// `before_commit` runs when everything is written and nothing is visible yet; its error undoes
    /// everything.
    pub fn take_over_copy(
        &self,
        copy: &Path,
        now: Timestamp,
        before_commit: impl FnOnce() -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut writers = lock(&self.shared.writers);
        // SQLite attaches no database within a transaction.
        let attach = "ATTACH ?1 AS bundle";
        writers.durable.execute(attach, [copy.to_string_lossy()])?;
        let done = self.transact(&mut writers.durable, |writing| {
            copy_tables(writing.tx)?;
            let import = json(&BundleImport { at: now })?;
            let set = "INSERT OR REPLACE INTO settings (key, value) VALUES (?1, ?2)";
            writing.tx.execute(set, params![KEY, import])?;
            before_commit()?;
            writing.changes.push(Change::Everything);
            Ok(())
        });
        // A copy that stays attached only costs a file handle.
        let _ = writers.durable.execute("DETACH bundle", []);
        drop(writers);
        self.publish(done)
    }
}

fn copy_tables(connection: &Connection) -> Result<(), StoreError> {
    let remove = format!("DELETE FROM main.plans WHERE id IN ({UNTOUCHED_EXAMPLES})");
    connection.execute(&remove, [json(&Source::Example)?])?;
    connection.execute("DELETE FROM main.plan_log_deleted", [])?;
    if first_used_table(connection)?.is_some() {
        return Err(StoreError::NotEmpty);
    }
    connection.pragma_update(None, "defer_foreign_keys", true)?;
    for table in tables(connection)? {
        if LOCAL_TABLES.contains(&table.as_str()) {
            continue;
        }
        let columns = stored_columns(connection, &table)?.join(", ");
        connection.execute_batch(&format!(
            "INSERT OR REPLACE INTO main.{table} ({columns}) SELECT {columns} FROM bundle.{table}"
        ))?;
    }
    // Numbers that were given once must not be given again, even if their rows are gone.
    connection.execute_batch(
        "UPDATE main.sqlite_sequence AS own SET seq = MAX(own.seq, other.seq)
             FROM bundle.sqlite_sequence AS other WHERE other.name = own.name;
         INSERT INTO main.sqlite_sequence (name, seq) SELECT name, seq FROM bundle.sqlite_sequence
             WHERE name NOT IN (SELECT name FROM main.sqlite_sequence)",
    )?;
    Ok(())
}

fn first_used_table(connection: &Connection) -> Result<Option<String>, StoreError> {
    for table in tables(connection)? {
        let fills_itself = FILLED_WHEN_EMPTY.contains(&table.as_str());
        if fills_itself || LOCAL_TABLES.contains(&table.as_str()) {
            continue;
        }
        let query = format!("SELECT EXISTS (SELECT 1 FROM main.{table})");
        if connection.query_row(&query, [], |row| row.get(0))? {
            return Ok(Some(table));
        }
    }
    Ok(None)
}

/// The names of all tables.
fn tables(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let query = "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite@_%' ESCAPE '@'";
    let mut statement = connection.prepare(query)?;
    let names = statement.query_map([], |row| row.get(0))?;
    Ok(names.collect::<Result<_, _>>()?)
}

/// The columns of a table that can be written: without those that SQLite computes.
fn stored_columns(connection: &Connection, table: &str) -> Result<Vec<String>, StoreError> {
    let query = "SELECT name FROM pragma_table_xinfo(?1) WHERE hidden = 0";
    let mut statement = connection.prepare(query)?;
    let names = statement.query_map([table], |row| {
        row.get::<_, String>(0).map(|name| format!("\"{name}\""))
    })?;
    Ok(names.collect::<Result<_, _>>()?)
}
