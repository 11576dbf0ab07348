//! Attempts of nodes, derived from a run's events in the transaction that stores those events.

use std::collections::HashMap;

use baton_model::run::Event;
use baton_model::{
    ArtifactId, Attempt, AttemptTimes, NodeId, Outcome, RunId, SessionId, Timestamp, WorkTime,
};
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

use crate::column::{Fields, json, query_rows};
use crate::node_states::CHANGED_SINCE;
use crate::{Store, StoreError};

pub(crate) const MIGRATION_1: &str = "
CREATE TABLE attempts (
    run BLOB NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    node BLOB NOT NULL,
    attempt INTEGER NOT NULL,
    session BLOB NOT NULL,
    reserved_at INTEGER NOT NULL,
    started_at INTEGER,
    ended_at INTEGER,
    outcome TEXT,
    artifact BLOB,
    PRIMARY KEY (run, node, attempt)
) STRICT, WITHOUT ROWID;
";

/// One attempt of one node in one run.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AttemptRow {
    /// Counts from 1 per node.
    pub attempt: Attempt,
    pub session: SessionId,
    /// The agent that ran it; `None` for commands.
    pub executed_by: Option<String>,
    /// When its concurrency slot was reserved.
    pub reserved_at: Timestamp,
    /// When its session started.
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    pub outcome: Option<Outcome>,
    pub artifact: Option<ArtifactId>,
    /// How long it waited and worked.
    pub times: WorkTime,
    /// Usage as the agent reports it; `None` if it isn't known.
    #[cfg_attr(feature = "bindings", ts(type = "unknown"))]
    pub usage: Option<serde_json::Value>,
}

/// Handle for the table `attempts`; see [`Store::attempts`].
#[derive(Clone, Copy)]
pub struct Attempts<'store> {
    store: &'store Store,
}

impl Store {
    /// Access to the table `attempts`.
    #[must_use]
    pub fn attempts(&self) -> Attempts<'_> {
        Attempts { store: self }
    }
}

impl<'store> Attempts<'store> {
    pub(crate) fn store(&self) -> &'store Store {
        self.store
    }
}

impl Attempts<'_> {
    /// The attempts of one node in one run, first attempt first.
    pub fn list(&self, run: RunId, node: NodeId) -> Result<Vec<AttemptRow>, StoreError> {
        let query =
            "SELECT attempts.*, sessions.agent, sessions.usage, sessions.worked_ms FROM attempts
             LEFT JOIN sessions ON sessions.id = attempts.session
             WHERE attempts.run = ?1 AND attempts.node = ?2 ORDER BY attempts.attempt";
        self.store.read(|connection| {
            query_rows(connection, query, params![run.0, node.0], |row| {
                read(run, node, row)
            })
        })
    }

    /// The times of a run's nodes. Leaves out nodes without attempts, and nodes that
    /// [`NodeStates::changed_since`](crate::NodeStates::changed_since) leaves out.
    pub fn times_changed_since(
        &self,
        run: RunId,
        since: u64,
    ) -> Result<HashMap<NodeId, WorkTime>, StoreError> {
        let query = format!(
            "SELECT attempts.node, {TIMES} FROM attempts LEFT JOIN sessions ON sessions.id = attempts.session
             WHERE attempts.run = ?1
                 AND attempts.node IN (SELECT node FROM node_states WHERE run = ?1 AND {CHANGED_SINCE})"
        );
        let rows = self.store.read(|connection| {
            query_rows(connection, &query, params![run.0, since], |row| {
                Ok((NodeId(row.get("node")?), read_attempt_times(row)?))
            })
        })?;
        let mut by_node: HashMap<NodeId, Vec<AttemptTimes>> = HashMap::new();
        for (node, times) in rows
            .into_iter()
            .filter_map(|(node, times)| Some((node, times?)))
        {
            by_node.entry(node).or_default().push(times);
        }
        let times = |(node, attempts)| (node, WorkTime::of_attempts(attempts));
        Ok(by_node.into_iter().map(times).collect())
    }

    /// How long the programs of these attempts of a run ran, in milliseconds. Leaves out attempts
    /// that are live, and those for which it is unknown.
    pub fn worked_ms(
        &self,
        run: RunId,
        attempts: &[(NodeId, Attempt)],
    ) -> Result<HashMap<(NodeId, Attempt), u64>, StoreError> {
        let query = format!(
            "SELECT {TIMES} FROM attempts LEFT JOIN sessions ON sessions.id = attempts.session
             WHERE attempts.run = ?1 AND attempts.node = ?2 AND attempts.attempt = ?3"
        );
        self.store.read(|connection| {
            let mut worked = HashMap::new();
            for (node, attempt) in attempts {
                let key = params![run.0, node.0, attempt.0];
                let found =
                    query_rows(connection, &query, key, |row| Ok(read_attempt_times(row)?))?;
                let known = found
                    .into_iter()
                    .flatten()
                    .find_map(|times| times.worked_ms());
                worked.extend(known.map(|known| ((*node, *attempt), known)));
            }
            Ok(worked)
        })
    }

    /// Sessions of unfinished attempts in unfinished runs. Some may not have started yet.
    pub fn open_sessions(&self) -> Result<Vec<SessionId>, StoreError> {
        let query =
            "SELECT attempts.session FROM runs CROSS JOIN attempts ON attempts.run = runs.id
             WHERE runs.ended_at IS NULL AND attempts.ended_at IS NULL";
        self.store
            .read(|connection| query_rows(connection, query, [], |row| Ok(SessionId(row.get(0)?))))
    }
}

fn read(run: RunId, node: NodeId, row: &Row<'_>) -> Result<AttemptRow, StoreError> {
    let attempt: u32 = row.get("attempt")?;
    let fields = Fields::new(
        row,
        "attempts",
        format_args!("{run}, node {node}, attempt {attempt}"),
    );
    Ok(AttemptRow {
        attempt: Attempt(attempt),
        session: SessionId(fields.get("session")?),
        executed_by: fields.get("agent")?,
        reserved_at: Timestamp(fields.get("reserved_at")?),
        started_at: fields.get::<Option<_>>("started_at")?.map(Timestamp),
        ended_at: fields.get::<Option<_>>("ended_at")?.map(Timestamp),
        outcome: fields.optional_json("outcome")?,
        artifact: fields.get::<Option<_>>("artifact")?.map(ArtifactId),
        times: read_times(row)?,
        usage: fields.optional_json("usage")?,
    })
}

/// The columns that [`read_attempt_times`] reads, of `attempts` joined with `sessions`.
pub(crate) const TIMES: &str = "attempts.reserved_at, attempts.started_at, attempts.ended_at,
    attempts.outcome, sessions.worked_ms";

/// The times of one attempt. A session whose attempt's row is missing has none.
pub(crate) fn read_times(row: &Row<'_>) -> Result<WorkTime, StoreError> {
    Ok(WorkTime::of_attempts(read_attempt_times(row)?))
}

fn read_attempt_times(row: &Row<'_>) -> rusqlite::Result<Option<AttemptTimes>> {
    let Some(reserved_at) = row.get::<_, Option<i64>>("reserved_at")? else {
        return Ok(None);
    };
    let outcome: Option<String> = row.get("outcome")?;
    let outcome = outcome.and_then(|outcome| serde_json::from_str::<Outcome>(&outcome).ok());
    Ok(Some(AttemptTimes {
        reserved_at: Timestamp(reserved_at),
        started_at: row.get::<_, Option<_>>("started_at")?.map(Timestamp),
        ended_at: row.get::<_, Option<_>>("ended_at")?.map(Timestamp),
        worked_ms: row.get("worked_ms")?,
        lost: matches!(outcome, Some(Outcome::Lost { .. })),
    }))
}

/// Applies an event to the run's attempts.
pub(crate) fn apply_event(
    connection: &Connection,
    run: RunId,
    at: Timestamp,
    event: &Event,
) -> Result<(), StoreError> {
    match event {
        Event::NodeReserved {
            node,
            attempt,
            session,
            ..
        } => {
            connection
                .prepare_cached(
                    "INSERT INTO attempts (run, node, attempt, session, reserved_at) VALUES (?1, ?2, ?3, ?4, ?5)",
                )?
                .execute(params![run.0, node.0, attempt.0, session.0, at.0])?;
        }
        // The next attempt reuses the number, so this attempt's row and its session's row must go.
        Event::NodeWithdrawn { node, attempt } => {
            let key = params![run.0, node.0, attempt.0];
            connection
                .prepare_cached(
                    "DELETE FROM sessions WHERE id =
                         (SELECT session FROM attempts WHERE run = ?1 AND node = ?2 AND attempt = ?3)",
                )?
                .execute(key)?;
            connection
                .prepare_cached(
                    "DELETE FROM attempts WHERE run = ?1 AND node = ?2 AND attempt = ?3",
                )?
                .execute(key)?;
        }
        Event::NodeStarted { node, attempt, .. } => {
            connection
                .prepare_cached("UPDATE attempts SET started_at = ?4 WHERE run = ?1 AND node = ?2 AND attempt = ?3")?
                .execute(params![run.0, node.0, attempt.0, at.0])?;
        }
        Event::NodeEnded {
            node,
            attempt,
            outcome,
            artifact,
            ..
        } => {
            connection
                .prepare_cached(
                    "UPDATE attempts SET ended_at = ?4, outcome = ?5, artifact = ?6
                     WHERE run = ?1 AND node = ?2 AND attempt = ?3",
                )?
                .execute(params![
                    run.0,
                    node.0,
                    attempt.0,
                    at.0,
                    json(outcome)?,
                    artifact.map(|artifact| artifact.0)
                ])?;
        }
        Event::MergeTried {
            node,
            attempt,
            outcome,
        } => {
            connection
                .prepare_cached(
                    "UPDATE attempts SET ended_at = ?4, outcome = ?5 WHERE run = ?1 AND node = ?2 AND attempt = ?3",
                )?
                .execute(params![run.0, node.0, attempt.0, at.0, json(outcome)?])?;
        }
        _ => {}
    }
    Ok(())
}
