//! Runs: which there are, who executes them, and how they go.
//!
//! The state in a row is kept for lists; the truth is the history. Writing to a run is [`Runs::create`] and
//! [`Runs::append`].

use std::sync::Arc;

use baton_model::run::{Event, Goal};
use baton_model::{Epoch, ExecutorId, PlanId, Run, RunId, RunState, Timestamp};
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

use crate::column::{Fields, json, listing, missing, one};
use crate::run_write::NewRun;
use crate::{
    Actor, ExecutorRow, Listing, Store, StoreError, executors, node_states, plan_versions,
    run_events,
};

// The goal may name thousands of nodes, and the row of a run is written with every event: two tables.
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

// A run that stands for a node of another run.
pub(crate) const MIGRATION_4: &str = "
ALTER TABLE runs ADD COLUMN parent_run BLOB REFERENCES runs (id) ON DELETE CASCADE;
ALTER TABLE runs ADD COLUMN parent_node BLOB;
CREATE INDEX runs_of_parent ON runs (parent_run, parent_node) WHERE parent_run IS NOT NULL;
";

/// The node of another run for which a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ParentNode {
    /// The run above.
    pub run: RunId,
    /// Its node.
    pub node: baton_model::NodeId,
}

/// A run, without its nodes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RunRow {
    /// The run.
    pub id: RunId,
    /// Its plan.
    pub plan: PlanId,
    /// The version of the plan that it executes.
    pub version: u32,
    /// How it goes.
    pub state: RunState,
    /// Which nodes are wanted.
    pub goal: Goal,
    /// How many nodes may run at once.
    pub limit: u32,
    /// Who executes it, or did last.
    pub executor: ExecutorId,
    /// Whose writes count.
    pub epoch: Epoch,
    /// The number of its last event.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub last_seq: u64,
    /// Who asked for it.
    pub actor: Actor,
    /// The node of another run for which it stands.
    pub parent: Option<ParentNode>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it began.
    pub started_at: Option<Timestamp>,
    /// When it came to its end; `None` again when a person takes it up again.
    pub ended_at: Option<Timestamp>,
}

/// A run that has not come to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnfinishedRun {
    /// The run.
    pub run: RunRow,
    /// Who executes it, or did last; `None` when nobody knows it any more.
    pub executor: Option<ExecutorRow>,
}

/// The runs.
#[derive(Clone, Copy)]
pub struct Runs<'store> {
    pub(crate) store: &'store Store,
}

impl Store {
    /// The runs.
    #[must_use]
    pub fn runs(&self) -> Runs<'_> {
        Runs { store: self }
    }
}

/// Every run, with its own id under the name that other tables have for it.
pub(crate) const SCAN: &str = "SELECT runs.*, runs.id AS run, run_goals.goal FROM runs JOIN run_goals ON run_goals.run = runs.id";
/// The word of a run's state; none where that is damaged, which must not end a query over all runs.
const STATE: &str = "CASE WHEN json_valid(state) THEN json_extract(state, '$.state') END";
const SELECT: &str =
    "SELECT runs.*, run_goals.goal FROM runs JOIN run_goals ON run_goals.run = runs.id";

impl Runs<'_> {
    /// One run.
    pub fn get(&self, run: RunId) -> Result<RunRow, StoreError> {
        self.store.read(|connection| get(connection, run))
    }

    /// The last `limit` runs, of one plan or of all, the newest first.
    pub fn list(&self, plan: Option<PlanId>, limit: u32) -> Result<Listing<RunRow>, StoreError> {
        self.store.read(|connection| match plan {
            Some(plan) => {
                let query = format!("{SELECT} WHERE plan = ?1 ORDER BY created_at DESC, id DESC LIMIT ?2");
                listing(connection, &query, params![plan.0, limit], read)
            }
            None => {
                let query = format!("{SELECT} WHERE plan NOT IN (SELECT planning FROM proposals) ORDER BY created_at DESC, id DESC LIMIT ?1");
                listing(connection, &query, [limit], read)
            }
        })
    }

    /// The runs that have not come to their end, the oldest first.
    pub fn unfinished(&self) -> Result<Listing<UnfinishedRun>, StoreError> {
        self.store.read(|connection| {
            let query = format!("{SELECT} WHERE ended_at IS NULL ORDER BY created_at, id");
            listing(connection, &query, [], |row| {
                let run = read(row)?;
                let executor = executors::find(connection, run.executor)?;
                Ok(UnfinishedRun { run, executor })
            })
        })
    }

    /// The runs that wait for a new version of their plan, the oldest first. Looks at every run.
    pub fn replanning(&self) -> Result<Listing<RunRow>, StoreError> {
        let query = format!("{SELECT} WHERE {STATE} = 'replanning' ORDER BY created_at, id");
        self.store
            .read(|connection| listing(connection, &query, [], read))
    }

    /// The latest run of each plan, where it has failed, the oldest first. Runs that stand for nodes of others do not
    /// count. Looks at every run.
    pub fn failed_last(&self) -> Result<Listing<RunRow>, StoreError> {
        let query = format!(
            "{SELECT} WHERE parent_run IS NULL AND {STATE} = 'failed' AND NOT EXISTS (
                 SELECT 1 FROM runs AS later WHERE later.plan = runs.plan AND later.parent_run IS NULL
                 AND (later.created_at, later.id) > (runs.created_at, runs.id)) ORDER BY created_at, id"
        );
        self.store
            .read(|connection| listing(connection, &query, [], read))
    }

    /// The run as its history tells it, with the number of the last event.
    pub fn replay(&self, run: RunId) -> Result<(Run, u64), StoreError> {
        self.store.read(|connection| replay(connection, run))
    }

    /// The runs that stand for nodes of `run`, the oldest first.
    pub fn children(&self, run: RunId) -> Result<Listing<RunRow>, StoreError> {
        let query = format!("{SELECT} WHERE parent_run = ?1 ORDER BY created_at, id");
        self.store
            .read(|connection| listing(connection, &query, [run.0], read))
    }

    /// The runs that have not ended, although the run for whose node they stand has.
    pub fn abandoned(&self) -> Result<Listing<RunRow>, StoreError> {
        let query = format!(
            "{SELECT} JOIN runs AS above ON above.id = runs.parent_run
             WHERE runs.ended_at IS NULL AND above.ended_at IS NOT NULL ORDER BY runs.created_at, runs.id"
        );
        self.store
            .read(|connection| listing(connection, &query, [], read))
    }

    /// Makes the states of a run's nodes, and its own, anew from its history; returns the run.
    pub fn rebuild_node_states(&self, run: RunId) -> Result<Run, StoreError> {
        self.store.write(|writing| {
            let (replayed, _) = replay(writing.tx, run)?;
            node_states::rebuild(writing.tx, &replayed)?;
            writing
                .tx
                .prepare_cached("UPDATE runs SET state = ?2 WHERE id = ?1")?
                .execute(params![run.0, json(replayed.state())?])?;
            Ok(replayed)
        })
    }
}

pub(crate) fn get(connection: &Connection, run: RunId) -> Result<RunRow, StoreError> {
    one(
        connection,
        &format!("{SELECT} WHERE id = ?1"),
        [run.0],
        read,
    )?
    .ok_or_else(|| missing("the run", run))
}

fn replay(connection: &Connection, run: RunId) -> Result<(Run, u64), StoreError> {
    // Only what is needed: a damaged cache must not keep a run from being replayed.
    let query = "SELECT plan, version, last_seq FROM runs WHERE id = ?1";
    let found = one(connection, query, [run.0], |row| {
        Ok((PlanId(row.get(0)?), row.get(1)?, row.get(2)?))
    })?;
    let (plan, version, last_seq) = found.ok_or_else(|| missing("the run", run))?;
    let plan = Arc::new(plan_versions::content(connection, plan, version)?);
    let history = run_events::history(connection, run)?;
    let replayed =
        Run::replay(run, plan, history).map_err(|source| StoreError::Replay { run, source })?;
    Ok((replayed, last_seq))
}

pub(crate) fn read(row: &Row<'_>) -> Result<RunRow, StoreError> {
    let id = RunId(row.get("id")?);
    let fields = Fields::of(row, "runs", id);
    Ok(RunRow {
        id,
        plan: PlanId(fields.get("plan")?),
        version: fields.get("version")?,
        state: fields.json("state")?,
        goal: fields.json("goal")?,
        limit: fields.get("node_limit")?,
        executor: ExecutorId(fields.get("executor")?),
        epoch: Epoch(fields.get("epoch")?),
        last_seq: fields.get("last_seq")?,
        actor: fields.get("actor")?,
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

pub(crate) fn insert(connection: &Connection, new: &NewRun<'_>) -> Result<(), StoreError> {
    let run = new.run;
    if one(
        connection,
        "SELECT 1 FROM runs WHERE id = ?1",
        [run.id().0],
        |_| Ok(()),
    )?
    .is_some()
    {
        return Err(StoreError::Exists {
            what: "the run",
            id: run.id().to_string(),
        });
    }
    let version = "SELECT 1 FROM plan_versions WHERE plan = ?1 AND version = ?2";
    if one(
        connection,
        version,
        params![run.plan().id.0, new.version],
        |_| Ok(()),
    )?
    .is_none()
    {
        return Err(missing(
            "the plan's version",
            format_args!("{}, version {}", run.plan().id, new.version),
        ));
    }
    // A run for a node is begun by whoever executes that node's run, and by nobody who did before.
    if let Some(parent) = new.parent
        && let Some((executor, current)) = executors::of_run(connection, parent.run)?
        && executor != new.executor
    {
        return Err(StoreError::EpochPassed {
            run: parent.run,
            ours: Epoch(0),
            current,
        });
    }
    let started_at = new
        .records
        .iter()
        .find(|record| matches!(record.event, Event::Started { .. }));
    connection
        .prepare_cached(
            "INSERT INTO runs (id, plan, version, state, executor, epoch, last_seq, node_limit, actor, created_at, started_at,
                 parent_run, parent_node)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, ?7, ?8, ?9, ?10, ?11, ?12)",
        )?
        .execute(params![
            run.id().0,
            run.plan().id.0,
            new.version,
            json(run.state())?,
            new.executor.0,
            run.epoch().0,
            run.limit(),
            new.actor,
            new.at.0,
            started_at.map(|record| record.at.0),
            new.parent.map(|parent| parent.run.0),
            new.parent.map(|parent| parent.node.0),
        ])?;
    connection
        .prepare_cached("INSERT INTO run_goals (run, goal) VALUES (?1, ?2)")?
        .execute(params![run.id().0, json(run.goal())?])?;
    Ok(())
}

/// What an event changes in the rows of its run, beside the state.
pub(crate) fn follow(connection: &Connection, run: RunId, event: &Event) -> Result<(), StoreError> {
    if let Event::GoalSet { goal } = event {
        connection
            .prepare_cached("UPDATE run_goals SET goal = ?2 WHERE run = ?1")?
            .execute(params![run.0, json(goal)?])?;
    }
    Ok(())
}
