//! The tables of the index.

use rusqlite::{Connection, TransactionBehavior};

/// Files with another version are rebuilt; the index holds nothing that cannot be read again.
pub(super) const SCHEMA_VERSION: i64 = 1;

/// A row of `words` is one record. Its row id packs the source's id and the record's place, see
/// [`unpack_row_id`](super::search::unpack_row_id).
const TABLES: &str = "
    CREATE TABLE transcripts (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,
        agent TEXT NOT NULL,
        native_id TEXT NOT NULL,
        project TEXT,
        title TEXT,
        started_at INTEGER,
        ended_at INTEGER,
        messages INTEGER NOT NULL,
        input_tokens INTEGER,
        output_tokens INTEGER,
        cache_read_tokens INTEGER,
        cache_write_tokens INTEGER,
        usd REAL,
        usd_is_estimate INTEGER NOT NULL,
        model TEXT,
        branch TEXT,
        version TEXT,
        bytes INTEGER NOT NULL,
        helpers INTEGER NOT NULL,
        path TEXT NOT NULL,
        trouble TEXT
    );
    CREATE INDEX transcripts_by_end ON transcripts (ended_at);
    CREATE INDEX transcripts_by_project ON transcripts (project);
    CREATE TABLE sources (
        id INTEGER PRIMARY KEY,
        path TEXT NOT NULL UNIQUE,
        agent TEXT NOT NULL,
        key TEXT,
        helper INTEGER NOT NULL,
        size INTEGER NOT NULL,
        modified INTEGER NOT NULL,
        inode INTEGER NOT NULL,
        mark INTEGER NOT NULL,
        read_to INTEGER NOT NULL,
        text_to INTEGER NOT NULL,
        figures TEXT NOT NULL
    );
    CREATE INDEX sources_by_key ON sources (key);
    CREATE INDEX sources_without_text ON sources (id) WHERE text_to < read_to;
    CREATE VIRTUAL TABLE words USING fts5 (text, content = '', contentless_delete = 1);
    -- What is gathered in memory before it is written, in bytes: fewer pieces to put together later.
    INSERT INTO words (words, rank) VALUES ('hashsize', 16777216);
";

/// The schema version of an open file.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Creates the tables in an empty file, and rebuilds a file with another version.
pub(super) fn create(connection: &mut Connection) -> rusqlite::Result<()> {
    if version(connection)? == SCHEMA_VERSION {
        return Ok(());
    }
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    clear(&tx)?;
    tx.execute_batch(TABLES)?;
    tx.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    tx.commit()
}

/// Drops every table of any version.
fn clear(connection: &Connection) -> rusqlite::Result<()> {
    // Dropping a virtual table drops its shadow tables.
    for kind in ["sql LIKE 'CREATE VIRTUAL TABLE%'", "1"] {
        let query = format!(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND {kind}"
        );
        let names: Vec<String> = connection
            .prepare(&query)?
            .query_map([], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        for name in names {
            connection.execute(
                &format!("DROP TABLE IF EXISTS \"{}\"", name.replace('"', "\"\"")),
                [],
            )?;
        }
    }
    Ok(())
}
