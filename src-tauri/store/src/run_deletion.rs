//! Deleting ended runs, and what a run is still needed for.
//!
//! Only what the database knows is checked here. Files, worktrees and other processes are the
//! caller's.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use baton_model::retention::RunFacts;
use baton_model::{PlanId, RunId, Timestamp};
use rusqlite::{Connection, Row};

use crate::column::{Fields, query_optional, query_rows};
use crate::{Change, Runs, StoreError};

/// Why something in the database needs an ended run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunKeepReason {
    /// A run below it hasn't ended.
    ChildIsUnfinished,
    /// A question of a node, a proposal about the run, or a request of one of its sessions waits
    /// for a person.
    AwaitsPerson,
}

/// What decides whether a run may be deleted.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeletableRun {
    pub id: RunId,
    pub number: u32,
    pub plan: PlanId,
    pub version: u32,
    pub parent: Option<RunId>,
    pub created_at: Timestamp,
    pub ended_at: Option<Timestamp>,
    /// The earlier run whose results it reuses.
    pub inherits: Option<RunId>,
    /// A node of it waits for an answer, whether it has ended or not.
    pub asks: bool,
    pub kept_because: Option<RunKeepReason>,
    /// Other runs that reuse results of this run, or of a run below it.
    pub inheritors: Vec<RunId>,
    /// The runs below it, at any depth. They are deleted with it.
    pub descendants: Vec<RunId>,
}

const DESCENDANTS: &str = "WITH RECURSIVE below (id) AS (
    SELECT id FROM runs WHERE parent_run = ?1
    UNION SELECT runs.id FROM runs JOIN below ON runs.parent_run = below.id)";

const WAITING_NODE: &str = "SELECT 1 FROM node_states
    WHERE run = ?1 AND asked_at IS NOT NULL AND word = 'waiting' LIMIT 1";

impl Runs<'_> {
    /// What decides whether a run may be deleted; `None` if there is no such run.
    pub fn deletable(&self, run: RunId) -> Result<Option<DeletableRun>, StoreError> {
        self.store.read(|connection| deletable(connection, run))
    }

    /// The top-level runs of a plan as far as one query knows them, newest first: `is_needed` is
    /// false for all of them.
    pub fn retention_facts(&self, plan: PlanId) -> Result<Vec<RunFacts>, StoreError> {
        let query = "SELECT id, ended_at, inherits FROM runs WHERE plan = ?1 AND parent_run IS NULL
            AND id NOT IN hidden_runs ORDER BY created_at DESC, id DESC";
        self.store.read(|connection| {
            query_rows(connection, query, [plan.0], |row| {
                Ok(RunFacts {
                    id: RunId(row.get(0)?),
                    ended_at: row.get::<_, Option<i64>>(1)?.map(Timestamp),
                    inherits: row.get::<_, Option<_>>(2)?.map(RunId),
                    is_needed: false,
                })
            })
        })
    }

    /// Deletes ended runs with the runs below them, in one transaction. Returns all that are gone.
    /// Leaves out runs that have been resumed, or that are needed, by now. Their numbers are never
    /// used again. Session files stay.
    pub fn delete(&self, runs: &[RunId]) -> Result<Vec<RunId>, StoreError> {
        self.store.write(|writing| {
            let mut found: Vec<DeletableRun> = Vec::with_capacity(runs.len());
            for run in runs {
                found.extend(deletable(writing.tx, *run)?);
            }
            // A run reuses the work of earlier ones, so the later ones go first.
            found.sort_by_key(|run| Reverse((run.created_at, run.id)));
            let mut gone: BTreeMap<RunId, PlanId> = BTreeMap::new();
            for run in found {
                let is_reused = run.inheritors.iter().any(|by| !gone.contains_key(by));
                if run.ended_at.is_none() || run.kept_because.is_some() || is_reused {
                    continue;
                }
                for id in run.descendants.iter().chain([&run.id]) {
                    let query = "SELECT plan FROM runs WHERE id = ?1";
                    let plan =
                        query_optional(writing.tx, query, [id.0], |row| Ok(PlanId(row.get(0)?)))?;
                    gone.entry(*id).or_insert(plan.unwrap_or(run.plan));
                }
                writing
                    .tx
                    .prepare_cached("DELETE FROM runs WHERE id = ?1")?
                    .execute([run.id.0])?;
            }
            let mut by_plan: BTreeMap<PlanId, Vec<RunId>> = BTreeMap::new();
            for (run, plan) in &gone {
                by_plan.entry(*plan).or_default().push(*run);
            }
            let change = |(plan, runs)| Change::RunsDeleted { plan, runs };
            writing.changes.extend(by_plan.into_iter().map(change));
            Ok(gone.into_keys().collect())
        })
    }
}

fn deletable(connection: &Connection, run: RunId) -> Result<Option<DeletableRun>, StoreError> {
    let found = query_optional(
        connection,
        "SELECT * FROM runs WHERE id = ?1 AND id NOT IN hidden_runs",
        [run.0],
        read,
    )?;
    let Some(found) = found else { return Ok(None) };
    Ok(Some(DeletableRun {
        asks: exists(connection, WAITING_NODE, run)?,
        kept_because: keep_reason(connection, run)?,
        inheritors: inheritors(connection, run)?,
        descendants: descendants(connection, run)?,
        ..found
    }))
}

/// The runs below `run`, at any depth.
pub(crate) fn descendants(connection: &Connection, run: RunId) -> Result<Vec<RunId>, StoreError> {
    let query = format!("{DESCENDANTS} SELECT id FROM below");
    query_rows(connection, &query, [run.0], |row| Ok(RunId(row.get(0)?)))
}

fn inheritors(connection: &Connection, run: RunId) -> Result<Vec<RunId>, StoreError> {
    let query = format!(
        "{DESCENDANTS}, family (id) AS (SELECT ?1 UNION ALL SELECT id FROM below)
         SELECT runs.id FROM family JOIN runs ON runs.inherits = family.id
         WHERE runs.id NOT IN (SELECT id FROM family)"
    );
    query_rows(connection, &query, [run.0], |row| Ok(RunId(row.get(0)?)))
}

fn read(row: &Row<'_>) -> Result<DeletableRun, StoreError> {
    let id = RunId(row.get("id")?);
    let fields = Fields::new(row, "runs", id);
    Ok(DeletableRun {
        id,
        number: fields.get("number")?,
        plan: PlanId(fields.get("plan")?),
        version: fields.get("version")?,
        parent: fields.get::<Option<_>>("parent_run")?.map(RunId),
        created_at: Timestamp(fields.get("created_at")?),
        ended_at: fields.get::<Option<i64>>("ended_at")?.map(Timestamp),
        inherits: fields.get::<Option<_>>("inherits")?.map(RunId),
        asks: false,
        kept_because: None,
        inheritors: Vec::new(),
        descendants: Vec::new(),
    })
}

/// Why the ended `run`, or a run below it, is needed; `None` if nothing in the database needs it.
pub(crate) fn keep_reason(
    connection: &Connection,
    run: RunId,
) -> Result<Option<RunKeepReason>, StoreError> {
    let below = format!(
        "{DESCENDANTS} SELECT 1 FROM below JOIN runs ON runs.id = below.id
         WHERE runs.ended_at IS NULL LIMIT 1"
    );
    if exists(connection, &below, run)? {
        return Ok(Some(RunKeepReason::ChildIsUnfinished));
    }
    // `+` keeps SQLite on the index of open proposals, which are few.
    let proposal = "SELECT 1 FROM proposals WHERE is_open AND +target_run = ?1 LIMIT 1";
    let request = "SELECT 1 FROM held_calls WHERE outcome IS NULL AND +run = ?1 LIMIT 1";
    for run in descendants(connection, run)?.into_iter().chain([run]) {
        for query in [WAITING_NODE, proposal, request] {
            if exists(connection, query, run)? {
                return Ok(Some(RunKeepReason::AwaitsPerson));
            }
        }
    }
    Ok(None)
}

fn exists(connection: &Connection, query: &str, run: RunId) -> Result<bool, StoreError> {
    Ok(query_optional(connection, query, [run.0], |_| Ok(()))?.is_some())
}
