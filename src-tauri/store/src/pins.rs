//! What persons settled for edges of a run. Derived from its events in the transaction that stores these.

use baton_model::run::Event;
use baton_model::{ArtifactId, NodeId, RunId, Timestamp};
use rusqlite::{Connection, Row, params};

use crate::column::{Fields, rows};
use crate::{Recorded, Store, StoreError};

pub(crate) const MIGRATION_5: &str = "
CREATE TABLE pins (
    run BLOB NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    child BLOB NOT NULL,
    parent BLOB NOT NULL,
    text TEXT NOT NULL,
    artifact BLOB,
    pinned_at INTEGER NOT NULL,
    PRIMARY KEY (run, child, parent)
) STRICT, WITHOUT ROWID;
";

/// What a child receives over one edge, whatever its parent hands on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PinRow {
    /// The child.
    pub child: NodeId,
    /// The parent.
    pub parent: NodeId,
    /// The text, Markdown.
    pub text: String,
    /// The handoff from which the person started.
    pub artifact: Option<ArtifactId>,
    /// When it was pinned.
    pub pinned_at: Timestamp,
}

/// What persons settled for edges.
#[derive(Clone, Copy)]
pub struct Pins<'store> {
    store: &'store Store,
}

impl Store {
    /// What persons settled for edges.
    #[must_use]
    pub fn pins(&self) -> Pins<'_> {
        Pins { store: self }
    }
}

impl Pins<'_> {
    /// All pins of a run.
    pub fn of_run(&self, run: RunId) -> Result<Vec<PinRow>, StoreError> {
        self.store.read(|connection| {
            rows(
                connection,
                "SELECT * FROM pins WHERE run = ?1",
                [run.0],
                read,
            )
        })
    }

    /// The edges of a run that have a pin, each as parent and child; without the texts, which may be long.
    pub fn edges_of(&self, run: RunId) -> Result<Vec<(NodeId, NodeId)>, StoreError> {
        let edge = |row: &Row<'_>| Ok((NodeId(row.get("parent")?), NodeId(row.get("child")?)));
        self.store.read(|connection| {
            rows(
                connection,
                "SELECT child, parent FROM pins WHERE run = ?1 ORDER BY child, parent",
                [run.0],
                edge,
            )
        })
    }
}

fn read(row: &Row<'_>) -> Result<PinRow, StoreError> {
    let child = NodeId(row.get("child")?);
    let fields = Fields::of(row, "pins", child);
    Ok(PinRow {
        child,
        parent: NodeId(fields.get("parent")?),
        text: fields.get("text")?,
        artifact: fields.get::<Option<_>>("artifact")?.map(ArtifactId),
        pinned_at: Timestamp(fields.get("pinned_at")?),
    })
}

/// What an event changes in the pins of its run.
pub(crate) fn follow(
    connection: &Connection,
    run: RunId,
    record: &Recorded,
) -> Result<(), StoreError> {
    match &record.event {
        Event::HandoffPinned {
            parent,
            child,
            text,
            artifact,
        } => {
            connection
                .prepare_cached(
                    "INSERT OR REPLACE INTO pins (run, child, parent, text, artifact, pinned_at)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                )?
                .execute(params![
                    run.0,
                    child.0,
                    parent.0,
                    text,
                    artifact.map(|artifact| artifact.0),
                    record.at.0
                ])?;
        }
        Event::HandoffUnpinned { parent, child } => {
            connection
                .prepare_cached("DELETE FROM pins WHERE run = ?1 AND child = ?2 AND parent = ?3")?
                .execute(params![run.0, child.0, parent.0])?;
        }
        _ => {}
    }
    Ok(())
}
