//! The table of goals. Migration 1 made it; no operation reads or writes it yet.

pub(crate) const MIGRATION_1: &str = "
CREATE TABLE goals (
    id BLOB PRIMARY KEY,
    name TEXT NOT NULL,
    content TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
";
