//! The goals of product I8. The table is there, so that plans may name one; nothing reads or writes it yet.

pub(crate) const MIGRATION_1: &str = "
CREATE TABLE goals (
    id BLOB PRIMARY KEY,
    name TEXT NOT NULL,
    content TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
";
