//! The Baton processes that execute runs, and their heartbeats (product E14). Whether a process lives is for
//! the caller to judge, from the last beat and from the operating system.

use baton_model::{ExecutorId, PlanId, RunId, RunState, Timestamp};
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

use crate::column::{Fields, json, listing, missing, one, rows};
use crate::{Listing, Store, StoreError};

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
    /// The machine's name.
    pub host: String,
    /// When it registered.
    pub started_at: Timestamp,
    /// When it last said that it lives.
    pub last_beat: Timestamp,
    /// When it took its leave.
    pub ended_at: Option<Timestamp>,
}

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
                    "INSERT INTO executors (id, kind, pid, process_start, boot_id, host, started_at, last_beat, ended_at)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
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
                ])?;
            Ok(())
        })
    }

    /// Notes that an executor lives. Not forced to disk: after a power cut nobody lives anyway.
    pub fn beat(&self, executor: ExecutorId, now: Timestamp) -> Result<(), StoreError> {
        self.note("UPDATE executors SET last_beat = ?2 WHERE id = ?1", executor, now)
    }

    /// Notes that an executor took its leave.
    pub fn end(&self, executor: ExecutorId, now: Timestamp) -> Result<(), StoreError> {
        self.note("UPDATE executors SET ended_at = ?2 WHERE id = ?1", executor, now)
    }

    /// One executor.
    pub fn get(&self, executor: ExecutorId) -> Result<ExecutorRow, StoreError> {
        self.store.read(|connection| find(connection, executor)?.ok_or_else(|| missing("the executor", executor)))
    }

    /// The executors that have not taken their leave, the newest first; some may be dead.
    pub fn present(&self) -> Result<Listing<ExecutorRow>, StoreError> {
        let query = "SELECT * FROM executors WHERE ended_at IS NULL ORDER BY started_at DESC, id DESC";
        self.store.read(|connection| listing(connection, query, [], read))
    }

    fn note(&self, update: &str, executor: ExecutorId, now: Timestamp) -> Result<(), StoreError> {
        self.store.write_lightly(|writing| {
            let found = writing.tx.prepare_cached(update)?.execute(params![executor.0, now.0])?;
            if found == 0 { Err(missing("the executor", executor)) } else { Ok(()) }
        })
    }
}

pub(crate) fn find(connection: &Connection, executor: ExecutorId) -> Result<Option<ExecutorRow>, StoreError> {
    one(connection, "SELECT * FROM executors WHERE id = ?1", [executor.0], read)
}

/// The runs of a plan that are `running`, with those who execute them.
pub(crate) fn of_running_runs(connection: &Connection, plan: PlanId) -> Result<Vec<(RunId, ExecutorRow)>, StoreError> {
    let query = "SELECT executors.*, runs.id AS run, runs.state FROM runs
         JOIN executors ON executors.id = runs.executor WHERE runs.plan = ?1 AND runs.ended_at IS NULL";
    let found = rows(connection, query, [plan.0], |row| {
        let run = RunId(row.get("run")?);
        // A state that cannot be read may well be a running one.
        let state: Result<RunState, _> = Fields::of(row, "runs", run).json("state");
        Ok(if state.is_ok_and(|state| !state.is_running()) { None } else { Some((run, read(row)?)) })
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
        host: fields.get("host")?,
        started_at: Timestamp(fields.get("started_at")?),
        last_beat: Timestamp(fields.get("last_beat")?),
        ended_at: fields.get::<Option<_>>("ended_at")?.map(Timestamp),
    })
}
