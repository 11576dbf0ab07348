//! Takeovers: runs that changed executors while running. A row is written in the takeover's
//! transaction; lost sessions are counted from the attempts.
//!
//! Resuming a run that isn't running in another process is not a takeover.

use baton_model::{Epoch, ExecutorId, RunId, Timestamp};
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

use crate::column::{Fields, query_optional, query_rows};
use crate::{ExecutorKind, Store, StoreError};

// Copies the previous executor's description, because its own row is deleted eventually.
pub(crate) const MIGRATION_3: &str = "
CREATE TABLE takeovers (
    run BLOB NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    epoch INTEGER NOT NULL,
    at INTEGER NOT NULL,
    executor BLOB NOT NULL,
    previous BLOB NOT NULL,
    previous_pid INTEGER,
    previous_kind TEXT,
    last_beat INTEGER,
    previous_ended INTEGER NOT NULL,
    done_nodes INTEGER NOT NULL,
    live_sessions INTEGER NOT NULL,
    displaced_at INTEGER,
    PRIMARY KEY (run, epoch)
) STRICT, WITHOUT ROWID;
CREATE INDEX takeovers_in_time ON takeovers (at);
";

/// One takeover of a running run.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TakeoverRow {
    pub run: RunId,
    /// The epoch that began with the takeover.
    pub epoch: Epoch,
    /// When it was committed.
    pub at: Timestamp,
    /// The executor that took over.
    pub executor: ExecutorId,
    pub previous: ExecutorId,
    /// `None` if the previous executor is not stored.
    pub previous_pid: Option<u32>,
    /// `None` if the previous executor is not stored.
    pub previous_kind: Option<ExecutorKind>,
    /// The previous executor's last heartbeat.
    pub last_beat: Option<Timestamp>,
    /// The previous executor had exited cleanly.
    pub previous_ended: bool,
    /// Nodes already done; they are inherited and not run again.
    pub done_nodes: u32,
    /// Sessions that were reserved or running.
    pub live_sessions: u32,
    /// How many of those sessions were lost in the end.
    pub lost_sessions: u32,
    /// When the previous executor noticed that it lost the run; `None` if it was dead.
    pub displaced_at: Option<Timestamp>,
}

impl TakeoverRow {
    /// Milliseconds without an executor, from the previous one's last heartbeat to the commit;
    /// `None` if that heartbeat is unknown.
    #[must_use]
    pub fn recovery_ms(&self) -> Option<u64> {
        self.last_beat.map(|beat| self.at.ms_since(beat))
    }
}

/// Totals over all takeovers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TakeoverCounts {
    /// Takeovers of running runs.
    pub takeovers: u64,
    /// Takeovers that displaced a live executor, which noticed it later.
    pub displacements: u64,
    /// Takeovers after which no inherited session was lost.
    pub inherited_whole: u64,
    /// Mean time from the last heartbeat to the takeover, in milliseconds, where that heartbeat is
    /// known.
    pub mean_recovery_ms: Option<u64>,
}

/// Handle for the table `takeovers`; see [`Store::takeovers`].
#[derive(Clone, Copy)]
pub struct Takeovers<'store> {
    store: &'store Store,
}

impl Store {
    /// Access to the table `takeovers`.
    #[must_use]
    pub fn takeovers(&self) -> Takeovers<'_> {
        Takeovers { store: self }
    }
}

/// Counts sessions that were reserved or running at the takeover and were lost afterwards.
pub(crate) const COUNT_LOST_ATTEMPTS: &str =
    "SELECT COUNT(*) FROM attempts WHERE attempts.run = takeovers.run
    AND attempts.reserved_at <= takeovers.at AND attempts.ended_at >= takeovers.at
    AND json_valid(attempts.outcome) AND json_extract(attempts.outcome, '$.kind') = 'lost'";

impl Takeovers<'_> {
    /// The last `limit` takeovers, newest first.
    pub fn list(&self, limit: u32) -> Result<Vec<TakeoverRow>, StoreError> {
        let query = format!(
            "SELECT *, ({COUNT_LOST_ATTEMPTS}) AS lost_sessions FROM takeovers WHERE run NOT IN hidden_runs ORDER BY at DESC, epoch DESC LIMIT ?1"
        );
        self.store
            .read(|connection| query_rows(connection, &query, [limit], read))
    }

    /// The last takeover of a run, if there was one.
    pub fn latest_for_run(&self, run: RunId) -> Result<Option<TakeoverRow>, StoreError> {
        let query = format!(
            "SELECT *, ({COUNT_LOST_ATTEMPTS}) AS lost_sessions FROM takeovers WHERE run = ?1 ORDER BY epoch DESC LIMIT 1"
        );
        self.store
            .read(|connection| query_optional(connection, &query, [run.0], read))
    }

    /// Totals over all takeovers.
    pub fn counts(&self) -> Result<TakeoverCounts, StoreError> {
        let query = format!(
            "SELECT COUNT(*), COUNT(displaced_at), COALESCE(SUM(({COUNT_LOST_ATTEMPTS}) = 0), 0),
                 CAST(AVG(MAX(at - last_beat, 0)) AS INTEGER) FROM takeovers"
        );
        let read = |row: &Row<'_>| {
            Ok(TakeoverCounts {
                takeovers: row.get(0)?,
                displacements: row.get(1)?,
                inherited_whole: row.get(2)?,
                mean_recovery_ms: row.get(3)?,
            })
        };
        self.store.read(|connection| {
            Ok(query_optional(connection, &query, [], read)?.unwrap_or_default())
        })
    }

    /// Records that `executor` noticed that it lost `run`. Not synced to disk. A second call
    /// changes nothing.
    pub fn record_displaced(
        &self,
        run: RunId,
        executor: ExecutorId,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.store.write_relaxed(|writing| {
            writing
                .tx
                .prepare_cached(
                    "UPDATE takeovers SET displaced_at = ?3 WHERE run = ?1 AND previous = ?2 AND displaced_at IS NULL",
                )?
                .execute(params![run.0, executor.0, now.0])?;
            Ok(())
        })
    }
}

/// Records the state at a takeover, before the run's row names the new executor.
pub(crate) fn record(
    connection: &Connection,
    run: RunId,
    epoch: Epoch,
    executor: ExecutorId,
    at: Timestamp,
) -> Result<(), StoreError> {
    // Node states here are from before the takeover's own write, which comes later in the
    // transaction.
    connection
        .prepare_cached(
            "INSERT INTO takeovers (run, epoch, at, executor, previous, previous_pid, previous_kind, last_beat,
                 previous_ended, done_nodes, live_sessions)
             SELECT runs.id, ?2, ?3, ?4, runs.executor, executors.pid, executors.kind, executors.last_beat,
                 executors.ended_at IS NOT NULL,
                 (SELECT COUNT(*) FROM node_states WHERE run = ?1 AND word = ?5),
                 (SELECT COUNT(*) FROM attempts WHERE run = ?1 AND ended_at IS NULL)
             FROM runs LEFT JOIN executors ON executors.id = runs.executor
             WHERE runs.id = ?1 AND runs.executor <> ?4
                 AND (NOT json_valid(runs.state) OR json_extract(runs.state, '$.state') = 'running')",
        )?
        .execute(params![run.0, epoch.0, at.0, executor.0, "done"])?;
    Ok(())
}

fn read(row: &Row<'_>) -> Result<TakeoverRow, StoreError> {
    let run = RunId(row.get("run")?);
    let epoch = Epoch(row.get("epoch")?);
    let fields = Fields::new(row, "takeovers", format_args!("{run}, epoch {}", epoch.0));
    Ok(TakeoverRow {
        run,
        epoch,
        at: Timestamp(fields.get("at")?),
        executor: ExecutorId(fields.get("executor")?),
        previous: ExecutorId(fields.get("previous")?),
        previous_pid: fields.get("previous_pid")?,
        previous_kind: fields.optional_json("previous_kind")?,
        last_beat: fields.get::<Option<_>>("last_beat")?.map(Timestamp),
        previous_ended: fields.get("previous_ended")?,
        done_nodes: fields.get("done_nodes")?,
        live_sessions: fields.get("live_sessions")?,
        lost_sessions: fields.get("lost_sessions")?,
        displaced_at: fields.get::<Option<_>>("displaced_at")?.map(Timestamp),
    })
}
