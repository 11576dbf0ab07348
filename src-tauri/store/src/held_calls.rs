//! Calls of agents that only a person may carry out. Each waits here until a person allows or refuses it.
//!
//! A call is bound to the revision of the plan it was made on, and ends with the run of its session.

use baton_model::{NodeId, PlanId, RunId, Timestamp};
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::column::{Fields, json, missing, one, rows};
use crate::{Actor, Change, Store, StoreError};

// The input is compared as text: equal calls of one actor are one.
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

/// How many calls of one actor wait at most.
pub const HELD_CALLS_OF_ACTOR: u32 = 20;

/// The number of a call that waits for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(transparent)]
pub struct HeldCallId(#[cfg_attr(feature = "bindings", ts(type = "string"))] pub Uuid);

impl std::fmt::Display for HeldCallId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// What became of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum HeldCallOutcome {
    /// A person allowed it, and it was carried out.
    Allowed,
    /// A person allowed it, and it could not be carried out.
    Failed {
        /// Why, for people.
        message: String,
    },
    /// A person said no.
    Refused,
    /// The plan has changed since.
    Outdated,
    /// The run of its session has ended.
    RunEnded,
}

/// A call to be held.
#[derive(Debug, Clone, PartialEq)]
pub struct NewHeldCall {
    /// Its number, when it is a new one.
    pub id: HeldCallId,
    /// Who called.
    pub actor: Actor,
    /// The node of a run that the caller works for.
    pub of: Option<(RunId, NodeId)>,
    /// The operation.
    pub operation: String,
    /// Its input.
    pub input: Value,
    /// The plan that it is about, and the revision that the caller knew.
    pub plan: Option<(PlanId, u64)>,
    /// When it was made.
    pub asked_at: Timestamp,
}

/// A call that waits for a person, or has waited.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldCallRow {
    /// The call.
    pub call: NewHeldCall,
    /// What became of it; `None` while it waits.
    pub outcome: Option<HeldCallOutcome>,
    /// Who decided.
    pub decided_by: Option<Actor>,
    /// When.
    pub decided_at: Option<Timestamp>,
}

/// What adding a call came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// It waits under this number, which an equal call may have brought.
    Waits(HeldCallId),
    /// So many of this actor wait already that no other is taken.
    TooMany,
}

/// The calls that wait for a person.
#[derive(Clone, Copy)]
pub struct HeldCalls<'store> {
    store: &'store Store,
}

impl Store {
    /// The calls that wait for a person.
    #[must_use]
    pub fn held_calls(&self) -> HeldCalls<'_> {
        HeldCalls { store: self }
    }
}

impl HeldCalls<'_> {
    /// Holds a call, unless an equal one of the same actor waits already.
    pub fn add(&self, call: &NewHeldCall) -> Result<Held, StoreError> {
        self.store.write(|writing| {
            let actor = call.actor.to_string();
            let input = json(&call.input)?;
            if let Some(equal) = equal(writing.tx, &actor, &call.operation, &input)? {
                return Ok(Held::Waits(equal));
            }
            let count = "SELECT COUNT(*) FROM held_calls WHERE actor = ?1 AND outcome IS NULL";
            let open: u32 = writing
                .tx
                .prepare_cached(count)?
                .query_row([&actor], |row| row.get(0))?;
            if open >= HELD_CALLS_OF_ACTOR {
                return Ok(Held::TooMany);
            }
            insert(writing.tx, call, &input)?;
            writing
                .changes
                .push(Change::HeldCallChanged { call: call.id });
            Ok(Held::Waits(call.id))
        })
    }

    /// One call.
    pub fn get(&self, id: HeldCallId) -> Result<HeldCallRow, StoreError> {
        self.store.read(|connection| {
            one(
                connection,
                "SELECT * FROM held_calls WHERE id = ?1",
                [id.0],
                read,
            )?
            .ok_or_else(|| missing("the request", id))
        })
    }

    /// The calls that wait, the oldest first.
    pub fn open(&self) -> Result<Vec<HeldCallRow>, StoreError> {
        let query = "SELECT * FROM held_calls WHERE outcome IS NULL ORDER BY asked_at, id";
        self.store
            .read(|connection| rows(connection, query, [], read))
    }

    /// Ends a call; false when it had ended before, and then nothing changes.
    pub fn end(
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

    /// Tells why a call that a person allowed could not be carried out.
    pub fn tell_failure(&self, id: HeldCallId, message: &str) -> Result<(), StoreError> {
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

fn equal(
    connection: &Connection,
    actor: &str,
    operation: &str,
    input: &str,
) -> Result<Option<HeldCallId>, StoreError> {
    let query = "SELECT id FROM held_calls
         WHERE actor = ?1 AND outcome IS NULL AND operation = ?2 AND input = ?3";
    one(connection, query, [actor, operation, input], |row| {
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
        call.of.map(|(run, _)| run.0),
        call.of.map(|(_, node)| node.0),
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
    let fields = Fields::of(row, "held_calls", id);
    let run = fields.get::<Option<_>>("run")?.map(RunId);
    let node = fields.get::<Option<_>>("node")?.map(NodeId);
    let plan = fields.get::<Option<_>>("plan")?.map(PlanId);
    let revision = fields.get::<Option<u64>>("revision")?;
    Ok(HeldCallRow {
        call: NewHeldCall {
            id,
            actor: fields.get("actor")?,
            of: run.zip(node),
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
