//! What other processes ask of the executor that owns a run, and what it answered.
//!
//! Only the owner writes to a run's history; a shell or a second window leaves its wish here and is told of
//! the answer by a [`Change`].

use baton_model::run::Command;
use baton_model::{ExecutorId, RunId, Timestamp};
use rusqlite::{Row, params};
use serde::{Deserialize, Serialize};

use crate::column::{Fields, json, listing, missing, one};
use crate::{Actor, Change, Listing, Store, StoreError};

pub(crate) const MIGRATION_1: &str = "
CREATE TABLE requests (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run BLOB NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    command TEXT NOT NULL,
    actor TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    outcome TEXT,
    answered_at INTEGER
) STRICT;
CREATE INDEX requests_open ON requests (run) WHERE outcome IS NULL;
";

/// The number of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(transparent)]
pub struct RequestId(#[cfg_attr(feature = "bindings", ts(type = "number"))] pub i64);

/// What became of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum RequestOutcome {
    /// It was done.
    Granted,
    /// It was not done.
    Refused {
        /// Why, for people.
        message: String,
    },
}

/// A request that waits for its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestRow {
    /// Its number.
    pub id: RequestId,
    /// The run.
    pub run: RunId,
    /// What is asked.
    pub command: Command,
    /// Who asks.
    pub actor: Actor,
    /// When.
    pub created_at: Timestamp,
}

/// The requests.
#[derive(Clone, Copy)]
pub struct Requests<'store> {
    store: &'store Store,
}

impl Store {
    /// The requests.
    #[must_use]
    pub fn requests(&self) -> Requests<'_> {
        Requests { store: self }
    }
}

impl Requests<'_> {
    /// Asks the executor of `run` for something.
    pub fn add(
        &self,
        run: RunId,
        command: &Command,
        actor: &Actor,
        now: Timestamp,
    ) -> Result<RequestId, StoreError> {
        self.store.write(|writing| {
            if one(writing.tx, "SELECT 1 FROM runs WHERE id = ?1", [run.0], |_| Ok(()))?.is_none() {
                return Err(missing("the run", run));
            }
            let id = writing
                .tx
                .prepare_cached("INSERT INTO requests (run, command, actor, created_at) VALUES (?1, ?2, ?3, ?4)")?
                .insert(params![run.0, json(command)?, actor, now.0])?;
            writing.changes.push(Change::RequestAdded { run });
            Ok(RequestId(id))
        })
    }

    /// What waits for an answer of `executor`, the oldest first.
    pub fn pending_for(&self, executor: ExecutorId) -> Result<Listing<RequestRow>, StoreError> {
        let query = "SELECT requests.* FROM requests JOIN runs ON runs.id = requests.run
             WHERE requests.outcome IS NULL AND runs.executor = ?1 ORDER BY requests.id";
        self.store
            .read(|connection| listing(connection, query, [executor.0], read))
    }

    /// Answers a request; a second answer changes nothing.
    pub fn answer(
        &self,
        id: RequestId,
        outcome: &RequestOutcome,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.store.write(|writing| {
            let found = writing
                .tx
                .prepare_cached("UPDATE requests SET outcome = ?2, answered_at = ?3 WHERE id = ?1 AND outcome IS NULL")?
                .execute(params![id.0, json(outcome)?, now.0])?;
            if found > 0 {
                writing.changes.push(Change::RequestAnswered { id });
            }
            Ok(())
        })
    }

    /// The answer to a request, or `None` while there is none.
    pub fn outcome(&self, id: RequestId) -> Result<Option<RequestOutcome>, StoreError> {
        self.store.read(|connection| {
            one(
                connection,
                "SELECT outcome FROM requests WHERE id = ?1",
                [id.0],
                |row| Fields::of(row, "requests", id.0).optional_json("outcome"),
            )?
            .ok_or_else(|| missing("the request", id.0))
        })
    }
}

fn read(row: &Row<'_>) -> Result<RequestRow, StoreError> {
    let id = RequestId(row.get("id")?);
    let fields = Fields::of(row, "requests", id.0);
    Ok(RequestRow {
        id,
        run: RunId(fields.get("run")?),
        command: fields.json("command")?,
        actor: fields.get("actor")?,
        created_at: Timestamp(fields.get("created_at")?),
    })
}
