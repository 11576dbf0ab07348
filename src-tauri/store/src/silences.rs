//! Executors that stopped sending heartbeats, and when they returned. Watchers record a silence,
//! and so does an executor that notices its own; the first record counts.

use baton_model::{ExecutorId, Timestamp};
use rusqlite::{Row, params};
use serde::{Deserialize, Serialize};

use crate::column::{Fields, query_rows};
use crate::{ExecutorKind, Store, StoreError};

// Copies the executor's description, because its own row is deleted eventually.
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

/// How long silences are kept, in milliseconds.
const RETENTION_MS: i64 = 90 * 24 * 60 * 60 * 1000;

/// A period in which an executor sent no heartbeat.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SilenceRow {
    pub executor: ExecutorId,
    /// The last heartbeat before the silence.
    pub since: Timestamp,
    pub pid: u32,
    pub kind: ExecutorKind,
    /// Hostname of the machine.
    pub host: String,
    /// When the missing heartbeat was detected.
    pub noticed_at: Timestamp,
    /// When the executor's heartbeat returned; `None` if it hasn't.
    pub back_at: Option<Timestamp>,
}

/// Handle for the table `silences`; see [`Store::silences`].
#[derive(Clone, Copy)]
pub struct Silences<'store> {
    store: &'store Store,
}

impl Store {
    /// Access to the table `silences`.
    #[must_use]
    pub fn silences(&self) -> Silences<'_> {
        Silences { store: self }
    }
}

impl Silences<'_> {
    /// Records that `executor` has been silent since its last heartbeat. Returns whether that is a
    /// new silence. Not synced to disk.
    pub fn note(&self, executor: ExecutorId, now: Timestamp) -> Result<bool, StoreError> {
        self.store.write_relaxed(|writing| {
            let old = "DELETE FROM silences WHERE noticed_at < ?1";
            writing.tx.prepare_cached(old)?.execute([now.0 - RETENTION_MS])?;
            let insert = "INSERT INTO silences (executor, since, pid, kind, host, noticed_at)
                 SELECT id, last_beat, pid, kind, host, ?2 FROM executors WHERE id = ?1 AND ended_at IS NULL
                 ON CONFLICT DO NOTHING";
            Ok(writing.tx.prepare_cached(insert)?.execute(params![executor.0, now.0])? > 0)
        })
    }

    /// Records that `executor` was active again at `now`. Returns whether a silence had been
    /// recorded.
    pub fn end(&self, executor: ExecutorId, now: Timestamp) -> Result<bool, StoreError> {
        self.store.write_relaxed(|writing| {
            let update = "UPDATE silences SET back_at = ?2 WHERE executor = ?1 AND back_at IS NULL AND since < ?2";
            Ok(writing.tx.prepare_cached(update)?.execute(params![executor.0, now.0])? > 0)
        })
    }

    /// The last `limit` silences, latest detection first.
    pub fn list(&self, limit: u32) -> Result<Vec<SilenceRow>, StoreError> {
        let query = "SELECT * FROM silences ORDER BY noticed_at DESC, since DESC LIMIT ?1";
        self.store
            .read(|connection| query_rows(connection, query, [limit], read))
    }
}

fn read(row: &Row<'_>) -> Result<SilenceRow, StoreError> {
    let executor = ExecutorId(row.get("executor")?);
    let fields = Fields::new(row, "silences", executor);
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
