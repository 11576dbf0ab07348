//! Runs: their plans, executors, and states.
//!
//! The state in a row is a cache for lists; the history is the source of truth. To write to a run,
//! use [`Runs::create`] and [`Runs::append`].

use std::sync::Arc;

use baton_model::run::Goal;
use baton_model::{Epoch, ExecutorId, PlanId, Run, RunId, RunState, Timestamp};
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

use crate::column::{Fields, json, not_found, query_listing, query_optional};
use crate::{
    Actor, ExecutorRow, Listing, Store, StoreError, deleted_plans, executors, node_states,
    plan_versions, run_events,
};

// A goal may list thousands of nodes, but the run's row is rewritten with every event. So the goal
// has its own table.
pub(crate) const MIGRATION_1: &str = "
CREATE TABLE runs (
    id BLOB PRIMARY KEY,
    plan BLOB NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    state TEXT NOT NULL,
    executor BLOB NOT NULL,
    epoch INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    node_limit INTEGER NOT NULL,
    actor TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    ended_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX runs_of_plan ON runs (plan, created_at);
CREATE INDEX runs_unfinished ON runs (id) WHERE ended_at IS NULL;
CREATE TABLE run_goals (
    run BLOB PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    goal TEXT NOT NULL
) STRICT, WITHOUT ROWID;
";

pub(crate) const MIGRATION_2: &str = "
CREATE INDEX runs_ended ON runs (ended_at) WHERE ended_at IS NOT NULL;
";

// For runs that execute a node of another run.
pub(crate) const MIGRATION_4: &str = "
ALTER TABLE runs ADD COLUMN parent_run BLOB REFERENCES runs (id) ON DELETE CASCADE;
ALTER TABLE runs ADD COLUMN parent_node BLOB;
CREATE INDEX runs_of_parent ON runs (parent_run, parent_node) WHERE parent_run IS NOT NULL;
";

// Runs are numbered per plan, in the order of their creation. The number is nullable only because
// a column can't be added otherwise; each run has one.
//
// `inherits` is the earlier run whose results a run reuses, `planner` marks the sessions of
// planners, which no list shows. The usage of a run's sessions is summed in `run_usage`.
// `state_name` and `started_by` repeat other columns: SQLite answers a filter from an index alone
// only if the column is stored. `took_ms` and `cost_order` only sort, so they aren't stored.
pub(crate) const MIGRATION_10: &str = "
ALTER TABLE runs ADD COLUMN number INTEGER;
UPDATE runs SET number = numbered.number FROM (
    SELECT id, ROW_NUMBER() OVER (PARTITION BY plan ORDER BY created_at, id) AS number FROM runs
) AS numbered WHERE numbered.id = runs.id;
UPDATE plans SET next_run_number = 1 + (SELECT COUNT(*) FROM runs WHERE runs.plan = plans.id);
CREATE UNIQUE INDEX runs_numbers ON runs (plan, number);

ALTER TABLE runs ADD COLUMN inherits BLOB;
UPDATE runs SET inherits = (
    SELECT unhex(replace(json_extract(event, '$.inherits'), '-', '')) FROM run_events
    WHERE run = runs.id AND seq = 1 AND json_valid(event)
);
CREATE INDEX runs_inheriting ON runs (inherits) WHERE inherits IS NOT NULL;
ALTER TABLE runs ADD COLUMN planner INTEGER NOT NULL DEFAULT 0;
UPDATE runs SET planner = 1 WHERE plan IN (SELECT planning FROM proposals);
ALTER TABLE runs ADD COLUMN tokens INTEGER;
ALTER TABLE runs ADD COLUMN cost_micros INTEGER;

ALTER TABLE runs ADD COLUMN state_name TEXT;
ALTER TABLE runs ADD COLUMN started_by TEXT;
UPDATE runs SET state_name = CASE WHEN json_valid(state) THEN json_extract(state, '$.state') END,
    started_by = CASE
        WHEN parent_run IS NOT NULL THEN 'run'
        WHEN actor = 'person' OR actor LIKE 'person:%' THEN 'person'
        WHEN actor LIKE 'session:%' OR actor LIKE 'agent:%' THEN 'session'
        WHEN actor LIKE 'program:%' THEN 'program'
        ELSE 'baton' END;
ALTER TABLE runs ADD COLUMN took_ms INTEGER AS (MAX(ended_at - COALESCE(started_at, created_at), 0)) VIRTUAL;
ALTER TABLE runs ADD COLUMN cost_order INTEGER AS (COALESCE(cost_micros, -1)) VIRTUAL;
";

// For each sort order, over all runs and in one plan. They contain what a page filters
// by; a count without filters by state or starter reads nothing else. Only ended runs are in them, so that the hot path never writes to them; few runs are
// unfinished, and `runs_unfinished` finds those.
pub(crate) const MIGRATION_10_INDEXES: &str = "
CREATE INDEX runs_page_created ON runs (created_at, id, plan, state_name, started_by, number, planner, ended_at)
    WHERE ended_at IS NOT NULL AND planner = 0;
CREATE INDEX runs_page_took ON runs (took_ms, id, created_at, plan, state_name, started_by, number, planner, ended_at)
    WHERE ended_at IS NOT NULL AND planner = 0;
CREATE INDEX runs_page_cost ON runs (cost_order, id, created_at, plan, state_name, started_by, number, planner, ended_at)
    WHERE ended_at IS NOT NULL AND planner = 0;
CREATE INDEX runs_page_plan_created ON runs (plan, created_at, id, state_name, started_by, number, ended_at)
    WHERE ended_at IS NOT NULL;
CREATE INDEX runs_page_plan_took ON runs (plan, took_ms, id, created_at, state_name, started_by, number, ended_at)
    WHERE ended_at IS NOT NULL;
CREATE INDEX runs_page_plan_cost ON runs (plan, cost_order, id, created_at, state_name, started_by, number, ended_at)
    WHERE ended_at IS NOT NULL;
";

// Repeats what `node_states` says, so that the status of a plan needs only its latest run.
pub(crate) const MIGRATION_12: &str = "
ALTER TABLE runs ADD COLUMN waits_for_person INTEGER NOT NULL DEFAULT 0;
UPDATE runs SET waits_for_person = 1 WHERE state_name = 'running'
    AND EXISTS (SELECT 1 FROM node_states WHERE run = runs.id AND asked_at IS NOT NULL)
    AND NOT EXISTS (
        SELECT 1 FROM node_states WHERE run = runs.id AND asked_at IS NULL AND word IN ('running', 'waiting')
    );
";

/// The node of another run that a child run executes.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ParentNode {
    pub run: RunId,
    pub node: baton_model::NodeId,
}

/// A run without its nodes.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RunRow {
    pub id: RunId,
    pub plan: PlanId,
    /// Counts the runs of its plan from 1. Never changes, and is never used again.
    pub number: u32,
    /// The plan version that it executes.
    pub version: u32,
    pub state: RunState,
    /// Which nodes to execute.
    pub goal: Goal,
    /// How many nodes may run in parallel.
    pub limit: u32,
    /// The current executor, or the last one.
    pub executor: ExecutorId,
    /// The epoch of the executor that may write.
    pub epoch: Epoch,
    /// Number of its last event.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub last_seq: u64,
    /// Whether it is running and every node that could go on waits for a person.
    pub waits_for_person: bool,
    /// Who requested the run.
    pub actor: Actor,
    /// How many nodes used their pinned output instead of running.
    pub pinned_nodes: u32,
    /// The node of another run that this run executes; `None` for a top-level run.
    pub parent: Option<ParentNode>,
    pub created_at: Timestamp,
    pub started_at: Option<Timestamp>,
    /// When it ended; back to `None` if a person resumes it.
    pub ended_at: Option<Timestamp>,
}

/// A run that hasn't ended, with its executor.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnfinishedRun {
    pub run: RunRow,
    /// The current executor, or the last one; `None` if it is no longer stored.
    pub executor: Option<ExecutorRow>,
}

/// Handle for the table `runs`; see [`Store::runs`].
#[derive(Clone, Copy)]
pub struct Runs<'store> {
    pub(crate) store: &'store Store,
}

impl Store {
    /// Access to the table `runs`.
    #[must_use]
    pub fn runs(&self) -> Runs<'_> {
        Runs { store: self }
    }
}

/// All runs, with the run id also as `run`, the column name in other tables.
pub(crate) const SELECT_FOR_SCAN: &str = "SELECT runs.*, runs.id AS run, run_goals.goal FROM runs JOIN run_goals ON run_goals.run = runs.id";
/// The name of a run's state. NULL if the state is damaged, so that it doesn't fail a query over
/// all runs.
const STATE_NAME: &str = "CASE WHEN json_valid(state) THEN json_extract(state, '$.state') END";
const SELECT: &str =
    "SELECT runs.*, run_goals.goal FROM runs JOIN run_goals ON run_goals.run = runs.id";

impl Runs<'_> {
    /// Returns one run by its id.
    pub fn get(&self, run: RunId) -> Result<RunRow, StoreError> {
        self.store.read(|connection| get(connection, run))
    }

    /// The last `limit` runs of one plan or of all plans, newest first.
    pub fn list(&self, plan: Option<PlanId>, limit: u32) -> Result<Listing<RunRow>, StoreError> {
        self.store.read(|connection| match plan {
            Some(plan) => {
                let query = format!("{SELECT} WHERE plan = ?1 ORDER BY created_at DESC, id DESC LIMIT ?2");
                query_listing(connection, &query, params![plan.0, limit], read)
            }
            None => {
                let query = format!("{SELECT} WHERE plan NOT IN planning_plans AND id NOT IN hidden_runs ORDER BY created_at DESC, id DESC LIMIT ?1");
                query_listing(connection, &query, [limit], read)
            }
        })
    }

    /// Runs that haven't ended, oldest first.
    pub fn unfinished(&self) -> Result<Listing<UnfinishedRun>, StoreError> {
        self.store.read(|connection| {
            let query = format!(
                "{SELECT} WHERE ended_at IS NULL AND id NOT IN hidden_runs ORDER BY created_at, id"
            );
            query_listing(connection, &query, [], |row| {
                let run = read(row)?;
                let executor = executors::find(connection, run.executor)?;
                Ok(UnfinishedRun { run, executor })
            })
        })
    }

    /// Runs that wait for a new version of their plan, oldest first. Scans all runs.
    pub fn replanning(&self) -> Result<Listing<RunRow>, StoreError> {
        let query = format!(
            "{SELECT} WHERE {STATE_NAME} = 'replanning' AND id NOT IN hidden_runs ORDER BY created_at, id"
        );
        self.store
            .read(|connection| query_listing(connection, &query, [], read))
    }

    /// The latest run of each plan if it failed, oldest first. Ignores child runs. Scans all runs.
    pub fn latest_failed(&self) -> Result<Listing<RunRow>, StoreError> {
        let query = format!(
            "{SELECT} WHERE parent_run IS NULL AND {STATE_NAME} = 'failed' AND id NOT IN hidden_runs AND NOT EXISTS (
                 SELECT 1 FROM runs AS later WHERE later.plan = runs.plan AND later.parent_run IS NULL
                 AND (later.created_at, later.id) > (runs.created_at, runs.id)) ORDER BY created_at, id"
        );
        self.store
            .read(|connection| query_listing(connection, &query, [], read))
    }

    /// Of the last `limit` ended runs, those that failed and whose error handler is in this state,
    /// oldest first: `due` or `not_started`.
    pub fn with_handler(&self, state: &str, limit: u32) -> Result<Listing<RunRow>, StoreError> {
        // The inner query reads an index only.
        let query = format!(
            "{SELECT} WHERE id IN (
                 SELECT id FROM (
                     SELECT id, state_name FROM runs INDEXED BY runs_page_created
                     WHERE ended_at IS NOT NULL AND planner = 0 ORDER BY created_at DESC LIMIT ?2)
                 WHERE state_name = 'failed')
             AND CASE WHEN json_valid(state) THEN json_extract(state, '$.handler.state') END = ?1
             AND id NOT IN hidden_runs ORDER BY created_at, id"
        );
        self.store
            .read(|connection| query_listing(connection, &query, params![state, limit], read))
    }

    /// Whether a later run of the same plan exists that no node called.
    pub fn is_followed(&self, run: &RunRow) -> Result<bool, StoreError> {
        let query =
            "SELECT 1 FROM runs WHERE plan = ?1 AND number > ?2 AND parent_run IS NULL LIMIT 1";
        self.store.read(|connection| {
            let found = query_optional(connection, query, params![run.plan.0, run.number], |_| {
                Ok(())
            })?;
            Ok(found.is_some())
        })
    }

    /// The run reconstructed from its history, and the number of the last event.
    pub fn replay(&self, run: RunId) -> Result<(Run, u64), StoreError> {
        self.store.read(|connection| replay(connection, run))
    }

    /// The child runs of `run`, oldest first.
    pub fn children(&self, run: RunId) -> Result<Listing<RunRow>, StoreError> {
        let query = format!("{SELECT} WHERE parent_run = ?1 ORDER BY created_at, id");
        self.store
            .read(|connection| query_listing(connection, &query, [run.0], read))
    }

    /// Unfinished child runs whose parent run has ended.
    pub fn orphaned(&self) -> Result<Listing<RunRow>, StoreError> {
        let query = format!(
            "{SELECT} JOIN runs AS above ON above.id = runs.parent_run
             WHERE runs.ended_at IS NULL AND above.ended_at IS NOT NULL AND runs.id NOT IN hidden_runs ORDER BY runs.created_at, runs.id"
        );
        self.store
            .read(|connection| query_listing(connection, &query, [], read))
    }

    /// Rebuilds the cached states of a run and its nodes from the history. Returns the run.
    pub fn rebuild_node_states(&self, run: RunId) -> Result<Run, StoreError> {
        self.store.write(|writing| {
            let (replayed, _) = replay(writing.tx, run)?;
            node_states::rebuild(writing.tx, &replayed)?;
            writing
                .tx
                .prepare_cached("UPDATE runs SET state = ?2, state_name = ?3 WHERE id = ?1")?
                .execute(params![
                    run.0,
                    json(replayed.state())?,
                    replayed.state().as_str()
                ])?;
            Ok(replayed)
        })
    }
}

pub(crate) fn get(connection: &Connection, run: RunId) -> Result<RunRow, StoreError> {
    deleted_plans::refuse_hidden_run(connection, run)?;
    query_optional(
        connection,
        &format!("{SELECT} WHERE id = ?1"),
        [run.0],
        read,
    )?
    .ok_or_else(|| not_found("the run", run))
}

fn replay(connection: &Connection, run: RunId) -> Result<(Run, u64), StoreError> {
    // Reads only the necessary columns: a damaged cache must not prevent a replay.
    let query = "SELECT plan, version, last_seq FROM runs WHERE id = ?1";
    let found = query_optional(connection, query, [run.0], |row| {
        Ok((PlanId(row.get(0)?), row.get(1)?, row.get(2)?))
    })?;
    let (plan, version, last_seq) = found.ok_or_else(|| not_found("the run", run))?;
    let plan = Arc::new(plan_versions::content(connection, plan, version)?);
    let history = run_events::history(connection, run)?;
    let replayed =
        Run::replay(run, plan, history).map_err(|source| StoreError::Replay { run, source })?;
    Ok((replayed, last_seq))
}

pub(crate) fn read(row: &Row<'_>) -> Result<RunRow, StoreError> {
    let id = RunId(row.get("id")?);
    let fields = Fields::new(row, "runs", id);
    Ok(RunRow {
        id,
        plan: PlanId(fields.get("plan")?),
        number: fields.get("number")?,
        version: fields.get("version")?,
        state: fields.json("state")?,
        goal: fields.json("goal")?,
        limit: fields.get("node_limit")?,
        executor: ExecutorId(fields.get("executor")?),
        epoch: Epoch(fields.get("epoch")?),
        last_seq: fields.get("last_seq")?,
        waits_for_person: fields.get("waits_for_person")?,
        actor: fields.get("actor")?,
        pinned_nodes: fields.get("pinned_nodes")?,
        parent: fields
            .get::<Option<_>>("parent_run")?
            .zip(fields.get::<Option<_>>("parent_node")?)
            .map(|(run, node)| ParentNode {
                run: RunId(run),
                node: baton_model::NodeId(node),
            }),
        created_at: Timestamp(fields.get("created_at")?),
        started_at: fields.get::<Option<i64>>("started_at")?.map(Timestamp),
        ended_at: fields.get::<Option<i64>>("ended_at")?.map(Timestamp),
    })
}
