//! The Baton processes that execute runs, and their heartbeats. Whether a process lives is for
//! the caller to judge, from the last beat and from the operating system.

use baton_model::{Epoch, ExecutorId, PlanId, RunId, RunState, Timestamp};
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

use crate::column::{Fields, json, listing, missing, one, rows};
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

// Processes of one boot see each other by number only in one namespace; empty where the system does not tell.
pub(crate) const MIGRATION_7: &str =
    "ALTER TABLE executors ADD COLUMN pid_namespace TEXT NOT NULL DEFAULT ''";

pub(crate) const MIGRATION_3: &str =
    "ALTER TABLE executors ADD COLUMN beat_awake_ms INTEGER NOT NULL DEFAULT 0";

/// What kind of process executes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ExecutorKind {
    /// The desktop window, or the server.
    App,
    /// A shell command that runs a plan to its end.
    Cli,
    /// A process that only executes.
    Worker,
}

/// A process that executes runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ExecutorRow {
    /// Its id, new with each start.
    pub id: ExecutorId,
    /// What kind of process.
    pub kind: ExecutorKind,
    /// Its process id.
    pub pid: u32,
    /// When the operating system started it, in the system's own unit: with the pid and the boot it names one process.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub process_start: u64,
    /// Which boot of the machine.
    pub boot_id: String,
    /// Within which numbers of processes mean the same, as in a container; empty: not known.
    #[serde(default)]
    pub pid_namespace: String,
    /// The machine's name.
    pub host: String,
    /// When it registered.
    pub started_at: Timestamp,
    /// When it last said that it lives; its registration counts.
    pub last_beat: Timestamp,
    /// The same by the machine's clock that stands still while it sleeps, in milliseconds since boot; 0: unknown.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub beat_awake_ms: u64,
    /// When it took its leave.
    pub ended_at: Option<Timestamp>,
}

/// A running run and who executes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttendedRun {
    /// The run.
    pub run: RunId,
    /// Its plan.
    pub plan: PlanId,
    /// The executor that the run names.
    pub executor: ExecutorId,
    /// That executor, if it is known.
    pub row: Option<ExecutorRow>,
}

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// The executors.
#[derive(Clone, Copy)]
pub struct Executors<'store> {
    store: &'store Store,
}

impl Store {
    /// The executors.
    #[must_use]
    pub fn executors(&self) -> Executors<'_> {
        Executors { store: self }
    }
}

impl Executors<'_> {
    /// Makes an executor known.
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
            forget_the_departed(writing.tx, executor.started_at)?;
            Ok(())
        })
    }

    /// Notes that an executor lives, by both clocks. Not forced to disk: after a power cut nobody lives anyway.
    pub fn beat(
        &self,
        executor: ExecutorId,
        now: Timestamp,
        awake_ms: u64,
    ) -> Result<(), StoreError> {
        self.store.write_lightly(|writing| {
            let update = "UPDATE executors SET last_beat = ?2, beat_awake_ms = ?3 WHERE id = ?1";
            let found = writing
                .tx
                .prepare_cached(update)?
                .execute(params![executor.0, now.0, awake_ms])?;
            if found == 0 {
                Err(missing("the executor", executor))
            } else {
                Ok(())
            }
        })
    }

    /// Notes that an executor took its leave; when it leaves runs behind, those who may go on with them are told.
    pub fn end(&self, executor: ExecutorId, now: Timestamp) -> Result<(), StoreError> {
        self.store.write_lightly(|writing| {
            let update = "UPDATE executors SET ended_at = ?2 WHERE id = ?1";
            let found = writing
                .tx
                .prepare_cached(update)?
                .execute(params![executor.0, now.0])?;
            let left_behind = "SELECT 1 FROM runs WHERE executor = ?1 AND ended_at IS NULL";
            if one(writing.tx, left_behind, [executor.0], |_| Ok(()))?.is_some() {
                writing.changes.push(Change::ExecutorLeft);
            }
            if found == 0 {
                Err(missing("the executor", executor))
            } else {
                Ok(())
            }
        })
    }

    /// One executor.
    pub fn get(&self, executor: ExecutorId) -> Result<ExecutorRow, StoreError> {
        self.store.read(|connection| {
            find(connection, executor)?.ok_or_else(|| missing("the executor", executor))
        })
    }

    /// The executors that have not taken their leave, the newest first; some may be dead.
    pub fn present(&self) -> Result<Listing<ExecutorRow>, StoreError> {
        let query =
            "SELECT * FROM executors WHERE ended_at IS NULL ORDER BY started_at DESC, id DESC";
        self.store
            .read(|connection| listing(connection, query, [], read))
    }

    /// The executor that a run names and the epoch that began with it; `None` when there is no such run.
    pub fn of_run(&self, run: RunId) -> Result<Option<(ExecutorId, Epoch)>, StoreError> {
        self.store.read(|connection| of_run(connection, run))
    }

    /// The runs that are running, with those who execute them; nobody, when the executor's row is gone.
    pub fn attending(&self) -> Result<Listing<AttendedRun>, StoreError> {
        let query = "SELECT runs.id AS run, runs.plan, runs.state, runs.executor FROM runs WHERE runs.ended_at IS NULL";
        self.store.read(|connection| {
            let found = listing(connection, query, [], |row| {
                let run = RunId(row.get("run")?);
                let fields = Fields::of(row, "runs", run);
                let state: RunState = fields.json("state")?;
                if !state.is_running() {
                    return Ok(None);
                }
                let executor = ExecutorId(fields.get("executor")?);
                let plan = PlanId(fields.get("plan")?);
                Ok(Some(AttendedRun {
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

/// Forgets executors that took their leave more than a day before `now` and that no run names.
fn forget_the_departed(connection: &Connection, now: Timestamp) -> Result<(), StoreError> {
    let old = "DELETE FROM executors WHERE ended_at < ?1 AND id NOT IN (SELECT executor FROM runs)";
    connection.prepare_cached(old)?.execute([now.0 - DAY_MS])?;
    Ok(())
}

pub(crate) fn of_run(
    connection: &Connection,
    run: RunId,
) -> Result<Option<(ExecutorId, Epoch)>, StoreError> {
    let query = "SELECT executor, epoch FROM runs WHERE id = ?1";
    one(connection, query, [run.0], |row| {
        Ok((ExecutorId(row.get(0)?), Epoch(row.get(1)?)))
    })
}

pub(crate) fn find(
    connection: &Connection,
    executor: ExecutorId,
) -> Result<Option<ExecutorRow>, StoreError> {
    one(
        connection,
        "SELECT * FROM executors WHERE id = ?1",
        [executor.0],
        read,
    )
}

/// The runs of a plan that are `running`, with those who execute them.
pub(crate) fn of_running_runs(
    connection: &Connection,
    plan: PlanId,
) -> Result<Vec<(RunId, ExecutorRow)>, StoreError> {
    let query = "SELECT executors.*, runs.id AS run, runs.state FROM runs
         JOIN executors ON executors.id = runs.executor WHERE runs.plan = ?1 AND runs.ended_at IS NULL";
    let found = rows(connection, query, [plan.0], |row| {
        let run = RunId(row.get("run")?);
        // A state that cannot be read may well be a running one.
        let state: Result<RunState, _> = Fields::of(row, "runs", run).json("state");
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
    let fields = Fields::of(row, "executors", id);
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
