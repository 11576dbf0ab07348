//! Since when executors said nothing, and when they came back. Whoever watches notes it, and so does an
//! executor that finds out about itself; the first word counts.

use baton_model::{ExecutorId, Timestamp};
use rusqlite::{Row, params};
use serde::{Deserialize, Serialize};

use crate::column::{Fields, rows};
use crate::{ExecutorKind, Store, StoreError};

// What the executor was is copied: its own row is forgotten some day.
pub(crate) const MIGRATION_7: &str = "
CREATE TABLE silences (
    executor BLOB NOT NULL,
    since INTEGER NOT NULL,
    pid INTEGER NOT NULL,
    kind TEXT NOT NULL,
    host TEXT NOT NULL,
    noticed_at INTEGER NOT NULL,
    back_at INTEGER,
    PRIMARY KEY (executor, since)
) STRICT, WITHOUT ROWID;
CREATE INDEX silences_in_time ON silences (noticed_at);
";

/// How long a silence is remembered, in milliseconds.
const KEPT_MS: i64 = 90 * 24 * 60 * 60 * 1000;

/// One silence of an executor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SilenceRow {
    /// The executor.
    pub executor: ExecutorId,
    /// Its last beat before.
    pub since: Timestamp,
    /// Its process id.
    pub pid: u32,
    /// What kind of process.
    pub kind: ExecutorKind,
    /// The machine's name.
    pub host: String,
    /// When somebody found that it had been silent for too long.
    pub noticed_at: Timestamp,
    /// When it was heard again; `None` as long as it was not.
    pub back_at: Option<Timestamp>,
}

/// The silences of executors.
#[derive(Clone, Copy)]
pub struct Silences<'store> {
    store: &'store Store,
}

impl Store {
    /// The silences of executors.
    #[must_use]
    pub fn silences(&self) -> Silences<'_> {
        Silences { store: self }
    }
}

impl Silences<'_> {
    /// Notes that `executor` has said nothing since its last beat; whether that is news. Not forced to disk.
    pub fn note(&self, executor: ExecutorId, now: Timestamp) -> Result<bool, StoreError> {
        self.store.write_lightly(|writing| {
            let old = "DELETE FROM silences WHERE noticed_at < ?1";
            writing.tx.prepare_cached(old)?.execute([now.0 - KEPT_MS])?;
            let insert = "INSERT INTO silences (executor, since, pid, kind, host, noticed_at)
                 SELECT id, last_beat, pid, kind, host, ?2 FROM executors WHERE id = ?1 AND ended_at IS NULL
                 ON CONFLICT DO NOTHING";
            Ok(writing.tx.prepare_cached(insert)?.execute(params![executor.0, now.0])? > 0)
        })
    }

    /// Notes that `executor` was heard again at `now`; whether anybody had missed it.
    pub fn end(&self, executor: ExecutorId, now: Timestamp) -> Result<bool, StoreError> {
        self.store.write_lightly(|writing| {
            let update = "UPDATE silences SET back_at = ?2 WHERE executor = ?1 AND back_at IS NULL AND since < ?2";
            Ok(writing.tx.prepare_cached(update)?.execute(params![executor.0, now.0])? > 0)
        })
    }

    /// The last `limit` silences, the one noticed last first.
    pub fn list(&self, limit: u32) -> Result<Vec<SilenceRow>, StoreError> {
        let query = "SELECT * FROM silences ORDER BY noticed_at DESC, since DESC LIMIT ?1";
        self.store
            .read(|connection| rows(connection, query, [limit], read))
    }
}

fn read(row: &Row<'_>) -> Result<SilenceRow, StoreError> {
    let executor = ExecutorId(row.get("executor")?);
    let fields = Fields::of(row, "silences", executor);
    Ok(SilenceRow {
        executor,
        since: Timestamp(fields.get("since")?),
        pid: fields.get("pid")?,
        kind: fields.json("kind")?,
        host: fields.get("host")?,
        noticed_at: Timestamp(fields.get("noticed_at")?),
        back_at: fields.get::<Option<_>>("back_at")?.map(Timestamp),
    })
}
