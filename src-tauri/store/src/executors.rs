//! Baton processes that execute runs, and their heartbeats. Whether a process is alive is for the
//! caller to decide, from its last heartbeat and from the operating system.

use baton_model::{Epoch, ExecutorId, PlanId, RunId, RunState, Timestamp};
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

use crate::column::{Fields, json, not_found, query_listing, query_optional, query_rows};
use crate::{Change, Listing, Store, StoreError};

pub(crate) const MIGRATION_1: &str = "
CREATE TABLE executors (
    id BLOB PRIMARY KEY,
    kind TEXT NOT NULL,
    pid INTEGER NOT NULL,
    process_start INTEGER NOT NULL,
    boot_id TEXT NOT NULL,
    host TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    last_beat INTEGER NOT NULL,
    ended_at INTEGER
) STRICT, WITHOUT ROWID;
";

// Pids are only comparable within one pid namespace. Empty where the system doesn't report one.
pub(crate) const MIGRATION_7: &str =
    "ALTER TABLE executors ADD COLUMN pid_namespace TEXT NOT NULL DEFAULT ''";

pub(crate) const MIGRATION_3: &str =
    "ALTER TABLE executors ADD COLUMN beat_awake_ms INTEGER NOT NULL DEFAULT 0";

/// The kind of process that executes runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ExecutorKind {
    /// The desktop app, or the server.
    App,
    /// A shell command that runs one plan and exits.
    Cli,
    /// A process that only executes runs.
    Worker,
}

/// A process that executes runs.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ExecutorRow {
    /// New for each process start.
    pub id: ExecutorId,
    pub kind: ExecutorKind,
    pub pid: u32,
    /// When the operating system started it, in the system's own unit. Pid, start and boot together
    /// identify a process.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub process_start: u64,
    /// Identifies the boot of the machine.
    pub boot_id: String,
    /// Pids are only comparable within one namespace (containers). Empty if unknown.
    #[serde(default)]
    pub pid_namespace: String,
    /// Hostname of the machine.
    pub host: String,
    /// When the executor registered.
    pub started_at: Timestamp,
    /// The last heartbeat; registration counts as one.
    pub last_beat: Timestamp,
    /// The last heartbeat by a clock that stops during sleep, in milliseconds since boot; 0 if
    /// unknown.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub beat_awake_ms: u64,
    /// When it exited cleanly.
    pub ended_at: Option<Timestamp>,
}

/// A running run and its executor.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActiveRun {
    pub run: RunId,
    pub plan: PlanId,
    /// The executor that the run names.
    pub executor: ExecutorId,
    /// `None` if the executor's row is gone.
    pub row: Option<ExecutorRow>,
}

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Handle for the table `executors`; see [`Store::executors`].
#[derive(Clone, Copy)]
pub struct Executors<'store> {
    store: &'store Store,
}

impl Store {
    /// Access to the table `executors`.
    #[must_use]
    pub fn executors(&self) -> Executors<'_> {
        Executors { store: self }
    }
}

impl Executors<'_> {
    /// Registers this process as an executor.
    pub fn register(&self, executor: &ExecutorRow) -> Result<(), StoreError> {
        self.store.write(|writing| {
            writing
                .tx
                .prepare_cached(
                    "INSERT INTO executors (id, kind, pid, process_start, boot_id, host, started_at, last_beat, ended_at,
                         beat_awake_ms, pid_namespace) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
                )?
                .execute(params![
                    executor.id.0,
                    json(&executor.kind)?,
                    executor.pid,
                    executor.process_start,
                    executor.boot_id,
                    executor.host,
                    executor.started_at.0,
                    executor.last_beat.0,
                    executor.ended_at.map(|at| at.0),
                    executor.beat_awake_ms,
                    executor.pid_namespace,
                ])?;
            prune_ended_executors(writing.tx, executor.started_at)?;
            Ok(())
        })
    }

    /// Records a heartbeat on both clocks. Not synced to disk: no executor survives a power cut
    /// anyway.
    pub fn record_heartbeat(
        &self,
        executor: ExecutorId,
        now: Timestamp,
        awake_ms: u64,
    ) -> Result<(), StoreError> {
        self.store.write_relaxed(|writing| {
            let update = "UPDATE executors SET last_beat = ?2, beat_awake_ms = ?3 WHERE id = ?1";
            let found = writing
                .tx
                .prepare_cached(update)?
                .execute(params![executor.0, now.0, awake_ms])?;
            if found == 0 {
                Err(not_found("the executor", executor))
            } else {
                Ok(())
            }
        })
    }

    /// Records that an executor exited. If it leaves runs behind, other executors are notified.
    pub fn mark_ended(&self, executor: ExecutorId, now: Timestamp) -> Result<(), StoreError> {
        self.store.write_relaxed(|writing| {
            let update = "UPDATE executors SET ended_at = ?2 WHERE id = ?1";
            let found = writing
                .tx
                .prepare_cached(update)?
                .execute(params![executor.0, now.0])?;
            let left_behind = "SELECT 1 FROM runs WHERE executor = ?1 AND ended_at IS NULL";
            if query_optional(writing.tx, left_behind, [executor.0], |_| Ok(()))?.is_some() {
                writing.changes.push(Change::ExecutorLeft);
            }
            if found == 0 {
                Err(not_found("the executor", executor))
            } else {
                Ok(())
            }
        })
    }

    /// Returns one executor by its id.
    pub fn get(&self, executor: ExecutorId) -> Result<ExecutorRow, StoreError> {
        self.store.read(|connection| {
            find(connection, executor)?.ok_or_else(|| not_found("the executor", executor))
        })
    }

    /// Executors that haven't exited cleanly, newest first. Some may be dead.
    pub fn list_active(&self) -> Result<Listing<ExecutorRow>, StoreError> {
        let query =
            "SELECT * FROM executors WHERE ended_at IS NULL ORDER BY started_at DESC, id DESC";
        self.store
            .read(|connection| query_listing(connection, query, [], read))
    }

    /// The executor of a run and its epoch; `None` if the run doesn't exist.
    pub fn of_run(&self, run: RunId) -> Result<Option<(ExecutorId, Epoch)>, StoreError> {
        self.store.read(|connection| of_run(connection, run))
    }

    /// Running runs with their executors. `row` is `None` if the executor is no longer stored.
    pub fn active_runs(&self) -> Result<Listing<ActiveRun>, StoreError> {
        let query = "SELECT runs.id AS run, runs.plan, runs.state, runs.executor FROM runs WHERE runs.ended_at IS NULL AND runs.id NOT IN hidden_runs";
        self.store.read(|connection| {
            let found = query_listing(connection, query, [], |row| {
                let run = RunId(row.get("run")?);
                let fields = Fields::new(row, "runs", run);
                let state: RunState = fields.json("state")?;
                if !state.is_running() {
                    return Ok(None);
                }
                let executor = ExecutorId(fields.get("executor")?);
                let plan = PlanId(fields.get("plan")?);
                Ok(Some(ActiveRun {
                    run,
                    plan,
                    executor,
                    row: find(connection, executor)?,
                }))
            })?;
            Ok(Listing {
                rows: found.rows.into_iter().flatten().collect(),
                unreadable: found.unreadable,
            })
        })
    }
}

/// Deletes executors that exited more than a day before `now` and that no run names.
fn prune_ended_executors(connection: &Connection, now: Timestamp) -> Result<(), StoreError> {
    let old = "DELETE FROM executors WHERE ended_at < ?1 AND id NOT IN (SELECT executor FROM runs)";
    connection.prepare_cached(old)?.execute([now.0 - DAY_MS])?;
    Ok(())
}

pub(crate) fn of_run(
    connection: &Connection,
    run: RunId,
) -> Result<Option<(ExecutorId, Epoch)>, StoreError> {
    let query = "SELECT executor, epoch FROM runs WHERE id = ?1";
    query_optional(connection, query, [run.0], |row| {
        Ok((ExecutorId(row.get(0)?), Epoch(row.get(1)?)))
    })
}

pub(crate) fn find(
    connection: &Connection,
    executor: ExecutorId,
) -> Result<Option<ExecutorRow>, StoreError> {
    query_optional(
        connection,
        "SELECT * FROM executors WHERE id = ?1",
        [executor.0],
        read,
    )
}

/// The `running` runs of a plan with their executors.
pub(crate) fn list_for_running_runs(
    connection: &Connection,
    plan: PlanId,
) -> Result<Vec<(RunId, ExecutorRow)>, StoreError> {
    let query = "SELECT executors.*, runs.id AS run, runs.state FROM runs
         JOIN executors ON executors.id = runs.executor WHERE runs.plan = ?1 AND runs.ended_at IS NULL";
    let found = query_rows(connection, query, [plan.0], |row| {
        let run = RunId(row.get("run")?);
        // A state that can't be read counts as running, to be safe.
        let state: Result<RunState, _> = Fields::new(row, "runs", run).json("state");
        Ok(if state.is_ok_and(|state| !state.is_running()) {
            None
        } else {
            Some((run, read(row)?))
        })
    })?;
    Ok(found.into_iter().flatten().collect())
}

fn read(row: &Row<'_>) -> Result<ExecutorRow, StoreError> {
    let id = ExecutorId(row.get("id")?);
    let fields = Fields::new(row, "executors", id);
    Ok(ExecutorRow {
        id,
        kind: fields.json("kind")?,
        pid: fields.get("pid")?,
        process_start: fields.get("process_start")?,
        boot_id: fields.get("boot_id")?,
        pid_namespace: fields.get("pid_namespace")?,
        host: fields.get("host")?,
        started_at: Timestamp(fields.get("started_at")?),
        last_beat: Timestamp(fields.get("last_beat")?),
        beat_awake_ms: fields.get("beat_awake_ms")?,
        ended_at: fields.get::<Option<_>>("ended_at")?.map(Timestamp),
    })
}
