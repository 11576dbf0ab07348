//! The history of each run: what happened, when, by whom. Events are added and never changed; two triggers
//! in the database hold every program to that.
//!
//! The events of a run are numbered from 1 without gaps: a reader that stopped after `n` asks for what is
//! greater than `n` and misses nothing. Adding events is [`Runs::append`](crate::Runs::append).

use std::collections::HashMap;
use std::sync::Arc;

use baton_model::arbiter::Choice;
use baton_model::run::{Caller, Event};
use baton_model::{Attempt, NodeId, RunId, Timestamp};
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

use crate::column::{Fields, json, rows};
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

/// An event with its circumstances.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// When it happened.
    pub at: Timestamp,
    /// Who made it happen.
    pub actor: Actor,
    /// What happened.
    pub event: Event,
}

/// An event as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct StoredEvent {
    /// Its number in the run, from 1.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub seq: u64,
    /// When it happened.
    pub at: Timestamp,
    /// Who made it happen.
    pub actor: Actor,
    /// What happened.
    pub event: Event,
}

/// The histories of runs.
#[derive(Clone, Copy)]
pub struct RunEvents<'store> {
    store: &'store Store,
}

impl Store {
    /// The histories of runs.
    #[must_use]
    pub fn run_events(&self) -> RunEvents<'_> {
        RunEvents { store: self }
    }
}

impl RunEvents<'_> {
    /// At most `limit` events of a run, from the one after `seq`; none when the run has no more or is not there.
    pub fn after(&self, run: RunId, seq: u64, limit: u32) -> Result<Vec<StoredEvent>, StoreError> {
        self.store
            .read(|connection| select(connection, run, seq, limit))
    }

    /// The earlier run that `run` went on from, if it did.
    pub fn inherited_from(&self, run: RunId) -> Result<Option<RunId>, StoreError> {
        let first = self.after(run, 0, 1)?.into_iter().next();
        Ok(first.and_then(|stored| match stored.event {
            Event::Started { inherits, .. } => inherits,
            _ => None,
        }))
    }

    /// What a run got from the node of another run for which it stands, if it stands for one.
    pub fn caller(&self, run: RunId) -> Result<Option<Arc<Caller>>, StoreError> {
        let first = self.after(run, 0, 1)?.into_iter().next();
        Ok(first.and_then(|stored| match stored.event {
            Event::Started { caller, .. } => caller,
            _ => None,
        }))
    }

    /// Who asked last for a pause of a run, if somebody did.
    pub fn paused_by(&self, run: RunId) -> Result<Option<Actor>, StoreError> {
        let query = "SELECT seq, at, actor, event FROM run_events
             WHERE run = ?1 AND node IS NULL AND instr(event, '\"pause_requested\"') > 0 ORDER BY seq DESC LIMIT 1";
        let events = self
            .store
            .read(|connection| rows(connection, query, [run.0], |row| read(run, row)))?;
        Ok(events.into_iter().next().map(|stored| stored.actor))
    }

    /// The last event by which another executor took the run over.
    pub fn last_takeover(&self, run: RunId) -> Result<Option<Event>, StoreError> {
        let query = "SELECT seq, at, actor, event FROM run_events
             WHERE run = ?1 AND node IS NULL AND instr(event, '\"taken_over\"') > 0 ORDER BY seq DESC";
        let events = self
            .store
            .read(|connection| rows(connection, query, [run.0], |row| read(run, row)))?;
        let is_takeover = |event: &Event| matches!(event, Event::TakenOver { .. });
        Ok(events
            .into_iter()
            .map(|stored| stored.event)
            .find(is_takeover))
    }

    /// What happened to one node, in order.
    pub fn of_node(&self, run: RunId, node: NodeId) -> Result<Vec<StoredEvent>, StoreError> {
        let query = "SELECT seq, at, actor, event FROM run_events WHERE run = ?1 AND node = ?2 ORDER BY seq";
        self.store.read(|connection| {
            rows(connection, query, params![run.0, node.0], |row| {
                read(run, row)
            })
        })
    }

    /// Who was chosen for each attempt of a node, the first one first; attempts from before format 5 have nobody.
    pub fn choices(&self, run: RunId, node: NodeId) -> Result<Vec<(Attempt, Choice)>, StoreError> {
        let events = self.of_node(run, node)?;
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

    /// Who was chosen for which attempt of a run's nodes, the last word on each; all read at once, as a list of its
    /// sessions would otherwise read the history for each of them.
    pub fn choices_of_run(
        &self,
        run: RunId,
    ) -> Result<HashMap<(NodeId, Attempt), Choice>, StoreError> {
        // Most events name no choice, and are not worth parsing.
        let query = "SELECT seq, at, actor, event FROM run_events
             WHERE run = ?1 AND node IS NOT NULL AND instr(event, '\"choice\"') > 0 ORDER BY seq";
        let events = self
            .store
            .read(|connection| rows(connection, query, [run.0], |row| read(run, row)))?;
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

    /// The whole history, as [`Run::replay`](baton_model::Run::replay) takes it.
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
    rows(connection, query, params![run.0, seq, limit], |row| {
        read(run, row)
    })
}

pub(crate) fn read(run: RunId, row: &Row<'_>) -> Result<StoredEvent, StoreError> {
    let seq = row.get("seq")?;
    let fields = Fields::of(row, "run_events", format_args!("{run}, event {seq}"));
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
    records: &[Recorded],
) -> Result<u64, StoreError> {
    let mut insert = connection.prepare_cached(
        "INSERT INTO run_events (run, seq, at, actor, node, event) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    let mut seq = last;
    for Recorded { at, actor, event } in records {
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
