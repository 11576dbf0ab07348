//! Which runs changed hands while they were running, and what came of it. A row is written in the
//! transaction of the takeover itself; how the inheritance went is read from the attempts.
//!
//! A run at rest that another process takes up is no takeover: nobody lost it.

use baton_model::{Epoch, ExecutorId, RunId, Timestamp};
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

use crate::column::{Fields, one, rows};
use crate::{ExecutorKind, Store, StoreError};

// What the one before was is copied: its own row is forgotten some day.
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TakeoverRow {
    /// The run.
    pub run: RunId,
    /// The epoch that began with it.
    pub epoch: Epoch,
    /// When it was committed.
    pub at: Timestamp,
    /// Who took the run over.
    pub executor: ExecutorId,
    /// Who had it before.
    pub previous: ExecutorId,
    /// The process id of that one, if it was known.
    pub previous_pid: Option<u32>,
    /// What kind of process it was, if it was known.
    pub previous_kind: Option<ExecutorKind>,
    /// When it last said that it lived.
    pub last_beat: Option<Timestamp>,
    /// It had taken its leave.
    pub previous_ended: bool,
    /// How many nodes were done already: they are inherited and not run again.
    pub done_nodes: u32,
    /// How many sessions were reserved or lived.
    pub live_sessions: u32,
    /// How many of those sessions were lost in the end.
    pub lost_sessions: u32,
    /// When the one before found out that the run is no longer its own; `None` when it was dead.
    pub displaced_at: Option<Timestamp>,
}

impl TakeoverRow {
    /// Milliseconds without anybody: from the last beat of the one before to the commit; `None` when that one is unknown.
    #[must_use]
    pub fn recovery_ms(&self) -> Option<u64> {
        self.last_beat.map(|beat| self.at.ms_since(beat))
    }
}

/// All takeovers in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TakeoverCounts {
    /// Takeovers of running runs.
    pub takeovers: u64,
    /// How many of them displaced an executor that lived to notice.
    pub displacements: u64,
    /// After how many of them no inherited session was lost.
    pub inherited_whole: u64,
    /// The mean time from the last beat to the takeover, of those whose last beat is known, in milliseconds.
    pub mean_recovery_ms: Option<u64>,
}

/// The takeovers.
#[derive(Clone, Copy)]
pub struct Takeovers<'store> {
    store: &'store Store,
}

impl Store {
    /// The takeovers.
    #[must_use]
    pub fn takeovers(&self) -> Takeovers<'_> {
        Takeovers { store: self }
    }
}

/// A session that was on its way when the run changed hands, and was lost afterwards.
pub(crate) const LOST: &str = "SELECT COUNT(*) FROM attempts WHERE attempts.run = takeovers.run
    AND attempts.reserved_at <= takeovers.at AND attempts.ended_at >= takeovers.at
    AND json_valid(attempts.outcome) AND json_extract(attempts.outcome, '$.kind') = 'lost'";

impl Takeovers<'_> {
    /// The last `limit` takeovers, the newest first.
    pub fn list(&self, limit: u32) -> Result<Vec<TakeoverRow>, StoreError> {
        let query = format!(
            "SELECT *, ({LOST}) AS lost_sessions FROM takeovers ORDER BY at DESC, epoch DESC LIMIT ?1"
        );
        self.store
            .read(|connection| rows(connection, &query, [limit], read))
    }

    /// The last takeover of a run, if there was one.
    pub fn latest_of(&self, run: RunId) -> Result<Option<TakeoverRow>, StoreError> {
        let query = format!(
            "SELECT *, ({LOST}) AS lost_sessions FROM takeovers WHERE run = ?1 ORDER BY epoch DESC LIMIT 1"
        );
        self.store
            .read(|connection| one(connection, &query, [run.0], read))
    }

    /// All takeovers in numbers.
    pub fn counts(&self) -> Result<TakeoverCounts, StoreError> {
        let query = format!(
            "SELECT COUNT(*), COUNT(displaced_at), COALESCE(SUM(({LOST}) = 0), 0),
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
        self.store
            .read(|connection| Ok(one(connection, &query, [], read)?.unwrap_or_default()))
    }

    /// Notes that `executor` has found out that it lost `run`. Not forced to disk; a second time changes nothing.
    pub fn note_displaced(
        &self,
        run: RunId,
        executor: ExecutorId,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.store.write_lightly(|writing| {
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

/// What a takeover finds: written before the run's row names the new executor.
pub(crate) fn follow(
    connection: &Connection,
    run: RunId,
    epoch: Epoch,
    executor: ExecutorId,
    at: Timestamp,
) -> Result<(), StoreError> {
    // The states of nodes are those before the takeover's own write, which comes later in the transaction.
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
    let fields = Fields::of(row, "takeovers", format_args!("{run}, epoch {}", epoch.0));
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
