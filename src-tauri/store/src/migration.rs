//! Database formats and the migrations between them. There is no downgrade.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, TransactionBehavior};
use uuid::Uuid;

use crate::{
    StoreError, approvals, artifacts, attempts, change, deleted_plans, evidence, executors, grants,
    held_calls, idempotency, node_states, permits, pinned_outputs, pins, plan_graph, plan_log,
    plan_versions, plans, proposals, rejections, requests, run_events, run_usage, runs, sessions,
    settings, silences, takeovers, tokens,
};

/// The SQL that creates one format, table by table. A released migration is never edited; every
/// change is a new one.
pub(crate) type Migration = &'static [&'static str];

/// Tables that nothing uses. They stay because the migration that created them was released.
const UNUSED_TABLES: &str = "
CREATE TABLE triggers (
    id BLOB PRIMARY KEY,
    name TEXT NOT NULL,
    content TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE goals (
    id BLOB PRIMARY KEY,
    name TEXT NOT NULL,
    content TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
";

/// The first migration creates format 1.
pub(crate) const MIGRATIONS: &[Migration] = &[
    &[
        plans::MIGRATION_1,
        plan_versions::MIGRATION_1,
        plan_graph::MIGRATION_1,
        runs::MIGRATION_1,
        run_events::MIGRATION_1,
        node_states::MIGRATION_1,
        attempts::MIGRATION_1,
        artifacts::MIGRATION_1,
        sessions::MIGRATION_1,
        UNUSED_TABLES,
        executors::MIGRATION_1,
        requests::MIGRATION_1,
        settings::MIGRATION_1,
        change::MIGRATION_1,
    ],
    &[node_states::MIGRATION_2, runs::MIGRATION_2],
    &[executors::MIGRATION_3, takeovers::MIGRATION_3],
    &[node_states::MIGRATION_4, runs::MIGRATION_4],
    &[
        proposals::MIGRATION_5,
        evidence::MIGRATION_5,
        pins::MIGRATION_5,
        grants::MIGRATION_5,
    ],
    &[node_states::MIGRATION_6],
    &[
        permits::MIGRATION_7,
        executors::MIGRATION_7,
        silences::MIGRATION_7,
    ],
    &[held_calls::MIGRATION_8, tokens::MIGRATION_8],
    &[
        approvals::MIGRATION_9,
        plans::MIGRATION_9,
        grants::MIGRATION_9,
    ],
    &[
        plans::MIGRATION_10,
        plan_versions::MIGRATION_10,
        runs::MIGRATION_10,
        run_usage::MIGRATION_10,
        runs::MIGRATION_10_INDEXES,
        deleted_plans::MIGRATION_10,
        sessions::MIGRATION_10,
    ],
    &[approvals::MIGRATION_11, pinned_outputs::MIGRATION_11],
    &[
        proposals::MIGRATION_12,
        plans::MIGRATION_12,
        runs::MIGRATION_12,
        plan_log::MIGRATION_12,
        rejections::MIGRATION_12,
        idempotency::MIGRATION_12,
    ],
    &[proposals::MIGRATION_13],
];

/// The database format that this program writes.
#[expect(clippy::cast_possible_truncation, reason = "a handful of steps")]
pub const NEWEST_FORMAT: u32 = MIGRATIONS.len() as u32;

/// SQLite application id of Baton's files: "BATN".
pub(crate) const APPLICATION_ID: i32 = 0x4241_544e;

/// Migrates the database to the last format in `steps`.
///
/// An empty database is migrated in one transaction, so no other process sees an intermediate
/// format. Otherwise each step is its own transaction, and the database is first copied to
/// `baton.db.before-<format>`.
pub(crate) fn migrate(
    connection: &mut Connection,
    path: &Path,
    steps: &[Migration],
) -> Result<(), StoreError> {
    if read_format(connection)? == 0 {
        apply_steps(connection, 0, steps)?;
    }
    for (before, step) in (0_u32..).zip(steps.chunks(1)) {
        if read_format(connection)? == before {
            back_up(connection, path, before)?;
            apply_steps(connection, before, step)?;
        }
    }
    Ok(())
}

/// Applies `steps` to a database of format `before`, unless another process already did.
fn apply_steps(
    connection: &mut Connection,
    before: u32,
    steps: &[Migration],
) -> Result<(), StoreError> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if read_format(&tx)? == before {
        for (after, step) in (before + 1..).zip(steps) {
            for sql in *step {
                tx.execute_batch(sql)?;
            }
            tx.pragma_update(None, "user_version", after)?;
        }
        tx.pragma_update(None, "application_id", APPLICATION_ID)?;
    }
    Ok(tx.commit()?)
}

/// The format of an open database; 0 if it is empty.
pub(crate) fn read_format(connection: &Connection) -> Result<u32, StoreError> {
    Ok(connection.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

fn back_up(connection: &Connection, path: &Path, format: u32) -> Result<(), StoreError> {
    let beside = |ending: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    let copy = beside(&format!(".before-{}", format + 1));
    // An existing copy is from an earlier attempt at this step, when the data was still unmodified.
    // Keep it.
    if copy.exists() {
        return Ok(());
    }
    // A unique name, in case another process makes a copy at the same time.
    let draft = beside(&format!(".{}", Uuid::new_v4()));
    connection.execute("VACUUM INTO ?1", [draft.to_string_lossy()])?;
    let failed = |source| StoreError::Io {
        path: draft.clone(),
        source,
    };
    let copied = read_format(&Connection::open(&draft)?)?;
    if copied == format {
        fs::rename(&draft, &copy).map_err(failed)
    } else {
        // Another process migrated first, and made its own copy before that.
        fs::remove_file(&draft).map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEXT: &[Migration] = &[
        &["CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a VALUES (1)"],
        &[
            "ALTER TABLE a ADD COLUMN y INTEGER",
            "UPDATE a SET y = x + 1",
        ],
    ];

    fn open(path: &Path) -> Connection {
        Connection::open(path).expect("a file in an empty folder")
    }

    #[test]
    fn older_database_is_backed_up_and_migrated() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("baton.db");
        let mut connection = open(&path);
        migrate(&mut connection, &path, &NEXT[..1]).expect("the first step fits an empty file");
        assert!(
            !folder.path().join("baton.db.before-1").exists(),
            "an empty database needs no copy"
        );

        migrate(&mut connection, &path, NEXT).expect("the second step fits the first");
        assert_eq!(read_format(&connection).expect("readable"), 2);
        let y: i64 = connection
            .query_row("SELECT y FROM a", [], |row| row.get(0))
            .expect("the step ran");
        assert_eq!(y, 2);

        let copy = open(&folder.path().join("baton.db.before-2"));
        assert_eq!(read_format(&copy).expect("the copy is a database"), 1);
        assert!(
            copy.prepare("SELECT y FROM a").is_err(),
            "the copy was made before the step"
        );
    }

    #[test]
    fn failed_step_keeps_previous_format() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("baton.db");
        let mut connection = open(&path);
        migrate(&mut connection, &path, &NEXT[..1]).expect("the first step fits an empty file");
        let bad: &[Migration] = &[NEXT[0], &["DELETE FROM a", "NO SUCH WORD"]];
        assert!(migrate(&mut connection, &path, bad).is_err());
        assert_eq!(read_format(&connection).expect("readable"), 1);
        let left: i64 = connection
            .query_row("SELECT COUNT(*) FROM a", [], |row| row.get(0))
            .expect("still there");
        assert_eq!(left, 1, "the first half of the failed step was rolled back");
    }
}
