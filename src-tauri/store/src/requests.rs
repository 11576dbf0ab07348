//! Requests from other processes to the executor that owns a run, and the executor's answers.
//!
//! Only the owner writes to a run's history. A shell command or a second window adds a request here
//! and is notified of the answer by a [`Change`].

use baton_model::run::Command;
use baton_model::{ExecutorId, RunId, Timestamp};
use rusqlite::{Row, params};
use serde::{Deserialize, Serialize};

use crate::column::{Fields, json, not_found, query_listing, query_optional};
use crate::{Actor, Change, Listing, RequestId, Store, StoreError};

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

/// The executor's answer to a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum RequestOutcome {
    /// The executor carried out the command.
    Granted,
    /// The executor refused the command.
    Refused {
        /// The reason, in a form to show to people.
        message: String,
    },
}

/// A request that waits for its answer.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestRow {
    pub id: RequestId,
    pub run: RunId,
    pub command: Command,
    pub actor: Actor,
    pub created_at: Timestamp,
}

/// Handle for the table `requests`; see [`Store::requests`].
#[derive(Clone, Copy)]
pub struct Requests<'store> {
    store: &'store Store,
}

impl Store {
    /// Access to the table `requests`.
    #[must_use]
    pub fn requests(&self) -> Requests<'_> {
        Requests { store: self }
    }
}

impl Requests<'_> {
    /// Adds a request to the executor of `run`.
    pub fn add(
        &self,
        run: RunId,
        command: &Command,
        actor: &Actor,
        now: Timestamp,
    ) -> Result<RequestId, StoreError> {
        self.store.write(|writing| {
            if query_optional(writing.tx, "SELECT 1 FROM runs WHERE id = ?1", [run.0], |_| Ok(()))?.is_none() {
                return Err(not_found("the run", run));
            }
            let id = writing
                .tx
                .prepare_cached("INSERT INTO requests (run, command, actor, created_at) VALUES (?1, ?2, ?3, ?4)")?
                .insert(params![run.0, json(command)?, actor, now.0])?;
            writing.changes.push(Change::RequestAdded { run });
            Ok(RequestId(id))
        })
    }

    /// Unanswered requests to `executor`, oldest first.
    pub fn pending_for(&self, executor: ExecutorId) -> Result<Listing<RequestRow>, StoreError> {
        let query = "SELECT requests.* FROM requests JOIN runs ON runs.id = requests.run
             WHERE requests.outcome IS NULL AND runs.executor = ?1 ORDER BY requests.id";
        self.store
            .read(|connection| query_listing(connection, query, [executor.0], read))
    }

    /// Answers a request. A second answer changes nothing.
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

    /// The answer to a request, or `None` if there is none yet.
    pub fn outcome(&self, id: RequestId) -> Result<Option<RequestOutcome>, StoreError> {
        self.store.read(|connection| {
            query_optional(
                connection,
                "SELECT outcome FROM requests WHERE id = ?1",
                [id.0],
                |row| Fields::new(row, "requests", id.0).optional_json("outcome"),
            )?
            .ok_or_else(|| not_found("the request", id.0))
        })
    }
}

fn read(row: &Row<'_>) -> Result<RequestRow, StoreError> {
    let id = RequestId(row.get("id")?);
    let fields = Fields::new(row, "requests", id.0);
    Ok(RequestRow {
        id,
        run: RunId(fields.get("run")?),
        command: fields.json("command")?,
        actor: fields.get("actor")?,
        created_at: Timestamp(fields.get("created_at")?),
    })
}
