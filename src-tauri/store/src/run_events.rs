//! The history of each run: what happened, when, and caused by whom. Events are appended and never
//! changed; two database triggers enforce that for every program.
//!
//! The events of a run are numbered from 1 without gaps. A reader that stopped after `n` asks for
//! events after `n` and misses none. Events are added by [`Runs::append`](crate::Runs::append).

use std::collections::HashMap;
use std::sync::Arc;

use baton_model::arbiter::AgentChoice;
use baton_model::run::{Caller, Event};
use baton_model::{Attempt, NodeId, RunId, Timestamp};
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

use crate::column::{Fields, json, query_rows};
use crate::{Actor, Store, StoreError};

pub(crate) const MIGRATION_1: &str = "
CREATE TABLE run_events (
    run BLOB NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    node BLOB,
    event TEXT NOT NULL,
    PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER run_events_stay_as_they_are BEFORE UPDATE ON run_events
BEGIN
    SELECT RAISE(ABORT, 'events of a run are never changed');
END;
-- When a plan is deleted, the run has gone before its events.
CREATE TRIGGER run_events_stay BEFORE DELETE ON run_events
WHEN EXISTS (SELECT 1 FROM runs WHERE id = OLD.run)
BEGIN
    SELECT RAISE(ABORT, 'events of a run are never deleted');
END;
";

/// An event with its time and actor.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedEvent {
    pub at: Timestamp,
    /// Who caused the event.
    pub actor: Actor,
    pub event: Event,
}

#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StoredEvent {
    /// Position in the run's history, from 1.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub seq: u64,
    pub at: Timestamp,
    /// Who caused the event.
    pub actor: Actor,
    pub event: Event,
}

/// Handle for the table `run_events`; see [`Store::run_events`].
#[derive(Clone, Copy)]
pub struct RunEvents<'store> {
    store: &'store Store,
}

impl Store {
    /// Access to the table `run_events`.
    #[must_use]
    pub fn run_events(&self) -> RunEvents<'_> {
        RunEvents { store: self }
    }
}

impl RunEvents<'_> {
    /// At most `limit` events of a run after `seq`. Empty if the run has no more events or doesn't
    /// exist.
    pub fn list_after(
        &self,
        run: RunId,
        seq: u64,
        limit: u32,
    ) -> Result<Vec<StoredEvent>, StoreError> {
        self.store
            .read(|connection| select(connection, run, seq, limit))
    }

    /// The earlier run whose results `run` inherited, if any.
    pub fn inherited_from(&self, run: RunId) -> Result<Option<RunId>, StoreError> {
        let first = self.list_after(run, 0, 1)?.into_iter().next();
        Ok(first.and_then(|stored| match stored.event {
            Event::Started { inherits, .. } => inherits,
            _ => None,
        }))
    }

    /// The input that a child run got from the node it was started for; `None` for other runs.
    pub fn caller(&self, run: RunId) -> Result<Option<Arc<Caller>>, StoreError> {
        let first = self.list_after(run, 0, 1)?.into_iter().next();
        Ok(first.and_then(|stored| match stored.event {
            Event::Started { caller, .. } => caller,
            _ => None,
        }))
    }

    /// The actor that paused the run last; `None` if it was never paused.
    pub fn paused_by(&self, run: RunId) -> Result<Option<Actor>, StoreError> {
        let query = "SELECT seq, at, actor, event FROM run_events
             WHERE run = ?1 AND node IS NULL AND instr(event, '\"pause_requested\"') > 0 ORDER BY seq DESC LIMIT 1";
        let events = self
            .store
            .read(|connection| query_rows(connection, query, [run.0], |row| read(run, row)))?;
        Ok(events.into_iter().next().map(|stored| stored.actor))
    }

    /// The events of the run in which it was retried by itself or a checkpoint was made, in order.
    pub fn retries_and_checkpoints(&self, run: RunId) -> Result<Vec<StoredEvent>, StoreError> {
        let query = "SELECT seq, at, actor, event FROM run_events
             WHERE run = ?1 AND node IS NULL
                 AND (instr(event, '\"plan_retried\"') > 0 OR instr(event, '\"checkpoint_made\"') > 0)
             ORDER BY seq";
        self.store
            .read(|connection| query_rows(connection, query, [run.0], |row| read(run, row)))
    }

    /// The last event by which another executor took over the run.
    pub fn last_takeover(&self, run: RunId) -> Result<Option<Event>, StoreError> {
        let query = "SELECT seq, at, actor, event FROM run_events
             WHERE run = ?1 AND node IS NULL AND instr(event, '\"taken_over\"') > 0 ORDER BY seq DESC";
        let events = self
            .store
            .read(|connection| query_rows(connection, query, [run.0], |row| read(run, row)))?;
        let is_takeover = |event: &Event| matches!(event, Event::TakenOver { .. });
        Ok(events
            .into_iter()
            .map(|stored| stored.event)
            .find(is_takeover))
    }

    /// The events of one node, in order.
    pub fn list_for_node(&self, run: RunId, node: NodeId) -> Result<Vec<StoredEvent>, StoreError> {
        let query = "SELECT seq, at, actor, event FROM run_events WHERE run = ?1 AND node = ?2 ORDER BY seq";
        self.store.read(|connection| {
            query_rows(connection, query, params![run.0, node.0], |row| {
                read(run, row)
            })
        })
    }

    /// Returns which agent was chosen for each attempt of a node, first attempt first. Attempts
    /// from before format 5 have none.
    pub fn agent_choices(
        &self,
        run: RunId,
        node: NodeId,
    ) -> Result<Vec<(Attempt, AgentChoice)>, StoreError> {
        let events = self.list_for_node(run, node)?;
        let choice = |stored: StoredEvent| match stored.event {
            Event::NodeReserved {
                attempt,
                choice: Some(choice),
                ..
            }
            | Event::NodeAssigned {
                attempt, choice, ..
            } => Some((attempt, choice)),
            _ => None,
        };
        Ok(events.into_iter().filter_map(choice).collect())
    }

    /// The final agent choice for each attempt of a run's nodes. Read in one query, so that a
    /// session list doesn't read the history once per session.
    pub fn agent_choices_for_run(
        &self,
        run: RunId,
    ) -> Result<HashMap<(NodeId, Attempt), AgentChoice>, StoreError> {
        // Most events contain no choice and aren't worth parsing.
        let query = "SELECT seq, at, actor, event FROM run_events
             WHERE run = ?1 AND node IS NOT NULL AND instr(event, '\"choice\"') > 0 ORDER BY seq";
        let events = self
            .store
            .read(|connection| query_rows(connection, query, [run.0], |row| read(run, row)))?;
        let choices = events.into_iter().filter_map(|stored| match stored.event {
            Event::NodeReserved {
                node,
                attempt,
                choice: Some(choice),
                ..
            }
            | Event::NodeAssigned {
                node,
                attempt,
                choice,
            } => Some(((node, attempt), choice)),
            _ => None,
        });
        Ok(choices.collect())
    }

    /// The whole history, as input for [`Run::replay`](baton_model::Run::replay).
    pub fn history(&self, run: RunId) -> Result<Vec<(Timestamp, Event)>, StoreError> {
        self.store.read(|connection| history(connection, run))
    }
}

pub(crate) fn history(
    connection: &Connection,
    run: RunId,
) -> Result<Vec<(Timestamp, Event)>, StoreError> {
    Ok(select(connection, run, 0, u32::MAX)?
        .into_iter()
        .map(|stored| (stored.at, stored.event))
        .collect())
}

fn select(
    connection: &Connection,
    run: RunId,
    seq: u64,
    limit: u32,
) -> Result<Vec<StoredEvent>, StoreError> {
    let query = "SELECT seq, at, actor, event FROM run_events WHERE run = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3";
    query_rows(connection, query, params![run.0, seq, limit], |row| {
        read(run, row)
    })
}

/// Reads what happened, of a row that may be from a join without an event.
pub(crate) fn read_content(run: RunId, row: &Row<'_>) -> Result<Event, StoreError> {
    let seq: u64 = row.get("seq")?;
    Fields::new(row, "run_events", format_args!("{run}, event {seq}")).json("event")
}

pub(crate) fn read(run: RunId, row: &Row<'_>) -> Result<StoredEvent, StoreError> {
    let seq = row.get("seq")?;
    let fields = Fields::new(row, "run_events", format_args!("{run}, event {seq}"));
    Ok(StoredEvent {
        seq,
        at: Timestamp(fields.get("at")?),
        actor: fields.get("actor")?,
        event: fields.json("event")?,
    })
}

/// Adds `records` after the event `last` and returns the number of the last one.
pub(crate) fn add(
    connection: &Connection,
    run: RunId,
    last: u64,
    records: &[RecordedEvent],
) -> Result<u64, StoreError> {
    let mut insert = connection.prepare_cached(
        "INSERT INTO run_events (run, seq, at, actor, node, event) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    let mut seq = last;
    for RecordedEvent { at, actor, event } in records {
        seq += 1;
        insert.execute(params![
            run.0,
            seq,
            at.0,
            actor,
            event.node().map(|node| node.0),
            json(event)?
        ])?;
    }
    Ok(seq)
}
