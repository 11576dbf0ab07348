//! Held calls: calls by agents that need a person's approval. Each waits here until a person allows
//! or denies it.
//!
//! A call is bound to the plan revision it was made on, and ends with the run of its session.

use baton_model::{NodeId, PlanId, RunId, Timestamp};
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::column::{Fields, json, not_found, query_optional, query_rows};
use crate::{Actor, Change, HeldCallId, Store, StoreError};

// The input is compared as text: equal calls of one actor share a row.
pub(crate) const MIGRATION_8: &str = "
CREATE TABLE held_calls (
    id BLOB PRIMARY KEY,
    actor TEXT NOT NULL,
    run BLOB REFERENCES runs (id) ON DELETE CASCADE,
    node BLOB,
    operation TEXT NOT NULL,
    input TEXT NOT NULL,
    plan BLOB,
    revision INTEGER,
    asked_at INTEGER NOT NULL,
    outcome TEXT,
    decided_by TEXT,
    decided_at INTEGER
) STRICT;
CREATE INDEX held_calls_open ON held_calls (actor) WHERE outcome IS NULL;
CREATE INDEX held_calls_of_run ON held_calls (run) WHERE run IS NOT NULL;
";

/// Maximum number of waiting calls per actor.
pub const MAX_HELD_CALLS_PER_ACTOR: u32 = 20;

/// How a held call was resolved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum HeldCallOutcome {
    /// A person allowed the call, and it was carried out.
    Allowed,
    /// A person allowed the call, but carrying it out failed.
    Failed {
        /// The reason, in a form to show to people.
        message: String,
    },
    /// A person answered the question that the call asked.
    Answered {
        /// The answer.
        text: String,
    },
    /// A person denied the call.
    Refused,
    /// The plan changed in the meantime.
    Outdated,
    /// The run of its session has ended.
    RunEnded,
}

/// A call to hold.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq)]
pub struct NewHeldCall {
    /// Used only if no equal call is waiting.
    pub id: HeldCallId,
    pub actor: Actor,
    /// The node, and its run, that the caller works for.
    pub run_node: Option<(RunId, NodeId)>,
    pub operation: String,
    pub input: Value,
    /// The plan that the call is about, and the revision that the caller knew.
    pub plan: Option<(PlanId, u64)>,
    pub asked_at: Timestamp,
}

/// A held call with its outcome.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq)]
pub struct HeldCallRow {
    pub call: NewHeldCall,
    /// `None` while the call is waiting.
    pub outcome: Option<HeldCallOutcome>,
    pub decided_by: Option<Actor>,
    pub decided_at: Option<Timestamp>,
}

/// The result of adding a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HoldOutcome {
    /// The call waits under this id, which may belong to an equal call added earlier.
    Waiting(HeldCallId),
    /// The actor already has [`MAX_HELD_CALLS_PER_ACTOR`] waiting calls.
    TooMany,
}

/// Handle for the table `held_calls`; see [`Store::held_calls`].
#[derive(Clone, Copy)]
pub struct HeldCalls<'store> {
    store: &'store Store,
}

impl Store {
    /// Access to the table `held_calls`.
    #[must_use]
    pub fn held_calls(&self) -> HeldCalls<'_> {
        HeldCalls { store: self }
    }
}

impl HeldCalls<'_> {
    /// Holds a call unless an equal call of the same actor is already waiting.
    pub fn add(&self, call: &NewHeldCall) -> Result<HoldOutcome, StoreError> {
        self.store.write(|writing| {
            let actor = call.actor.to_string();
            let input = json(&call.input)?;
            if let Some(equal) = find_equal(writing.tx, &actor, &call.operation, &input)? {
                return Ok(HoldOutcome::Waiting(equal));
            }
            let count = "SELECT COUNT(*) FROM held_calls WHERE actor = ?1 AND outcome IS NULL";
            let open: u32 = writing
                .tx
                .prepare_cached(count)?
                .query_row([&actor], |row| row.get(0))?;
            if open >= MAX_HELD_CALLS_PER_ACTOR {
                return Ok(HoldOutcome::TooMany);
            }
            insert(writing.tx, call, &input)?;
            writing
                .changes
                .push(Change::HeldCallChanged { call: call.id });
            Ok(HoldOutcome::Waiting(call.id))
        })
    }

    /// Returns one call by its id.
    pub fn get(&self, id: HeldCallId) -> Result<HeldCallRow, StoreError> {
        self.store.read(|connection| {
            query_optional(
                connection,
                "SELECT * FROM held_calls WHERE id = ?1",
                [id.0],
                read,
            )?
            .ok_or_else(|| not_found("the request", id))
        })
    }

    /// Waiting calls, oldest first. Leaves out those of deleted plans and their runs.
    pub fn list_open(&self) -> Result<Vec<HeldCallRow>, StoreError> {
        let query = "SELECT * FROM held_calls WHERE outcome IS NULL
                AND (run IS NULL OR run NOT IN hidden_runs) AND (plan IS NULL OR plan NOT IN deleted_plans)
            ORDER BY asked_at, id";
        self.store
            .read(|connection| query_rows(connection, query, [], read))
    }

    /// Resolves a call. Returns false and changes nothing if it was already resolved.
    pub fn resolve(
        &self,
        id: HeldCallId,
        outcome: &HeldCallOutcome,
        by: &Actor,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        self.store.write(|writing| {
            let query = "UPDATE held_calls SET outcome = ?2, decided_by = ?3, decided_at = ?4
                 WHERE id = ?1 AND outcome IS NULL";
            let found = writing.tx.prepare_cached(query)?.execute(params![
                id.0,
                json(outcome)?,
                by,
                at.0
            ])?;
            if found > 0 {
                writing.changes.push(Change::HeldCallChanged { call: id });
            }
            Ok(found > 0)
        })
    }

    /// Records why a call that a person allowed couldn't be carried out.
    pub fn record_failure(&self, id: HeldCallId, message: &str) -> Result<(), StoreError> {
        self.store.write(|writing| {
            let outcome = json(&HeldCallOutcome::Failed {
                message: message.to_owned(),
            })?;
            writing
                .tx
                .prepare_cached("UPDATE held_calls SET outcome = ?2 WHERE id = ?1")?
                .execute(params![id.0, outcome])?;
            writing.changes.push(Change::HeldCallChanged { call: id });
            Ok(())
        })
    }
}

fn find_equal(
    connection: &Connection,
    actor: &str,
    operation: &str,
    input: &str,
) -> Result<Option<HeldCallId>, StoreError> {
    let query = "SELECT id FROM held_calls
         WHERE actor = ?1 AND outcome IS NULL AND operation = ?2 AND input = ?3";
    query_optional(connection, query, [actor, operation, input], |row| {
        Ok(HeldCallId(row.get(0)?))
    })
}

fn insert(connection: &Connection, call: &NewHeldCall, input: &str) -> Result<(), StoreError> {
    let query =
        "INSERT INTO held_calls (id, actor, run, node, operation, input, plan, revision, asked_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    connection.prepare_cached(query)?.execute(params![
        call.id.0,
        call.actor,
        call.run_node.map(|(run, _)| run.0),
        call.run_node.map(|(_, node)| node.0),
        call.operation,
        input,
        call.plan.map(|(plan, _)| plan.0),
        call.plan.map(|(_, revision)| revision),
        call.asked_at.0
    ])?;
    Ok(())
}

fn read(row: &Row<'_>) -> Result<HeldCallRow, StoreError> {
    let id = HeldCallId(row.get("id")?);
    let fields = Fields::new(row, "held_calls", id);
    let run = fields.get::<Option<_>>("run")?.map(RunId);
    let node = fields.get::<Option<_>>("node")?.map(NodeId);
    let plan = fields.get::<Option<_>>("plan")?.map(PlanId);
    let revision = fields.get::<Option<u64>>("revision")?;
    Ok(HeldCallRow {
        call: NewHeldCall {
            id,
            actor: fields.get("actor")?,
            run_node: run.zip(node),
            operation: fields.get("operation")?,
            input: fields.json("input")?,
            plan: plan.zip(revision),
            asked_at: Timestamp(fields.get("asked_at")?),
        },
        outcome: fields.optional_json("outcome")?,
        decided_by: fields.get("decided_by")?,
        decided_at: fields.get::<Option<i64>>("decided_at")?.map(Timestamp),
    })
}
