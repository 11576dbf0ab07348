//! Edge contents that people pinned in a run, derived from its events in the transaction that
//! stores those events.

use baton_model::run::Event;
use baton_model::{ArtifactId, NodeId, RunId, Timestamp};
use rusqlite::{Connection, Row, params};

use crate::column::{Fields, query_rows};
use crate::{RecordedEvent, Store, StoreError};

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

/// What a child receives over one edge, regardless of its parent's handoff.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PinRow {
    pub child: NodeId,
    pub parent: NodeId,
    /// The pinned text in Markdown.
    pub text: String,
    /// The handoff that the person edited.
    pub artifact: Option<ArtifactId>,
    pub pinned_at: Timestamp,
}

/// Handle for the table `pins`; see [`Store::pins`].
#[derive(Clone, Copy)]
pub struct Pins<'store> {
    store: &'store Store,
}

impl Store {
    /// Access to the table `pins`.
    #[must_use]
    pub fn pins(&self) -> Pins<'_> {
        Pins { store: self }
    }
}

impl Pins<'_> {
    /// All pins of a run.
    pub fn of_run(&self, run: RunId) -> Result<Vec<PinRow>, StoreError> {
        self.store.read(|connection| {
            query_rows(
                connection,
                "SELECT * FROM pins WHERE run = ?1",
                [run.0],
                read,
            )
        })
    }

    /// The pinned edges of a run as (parent, child), without the texts, which may be long.
    pub fn edges_of(&self, run: RunId) -> Result<Vec<(NodeId, NodeId)>, StoreError> {
        let edge = |row: &Row<'_>| Ok((NodeId(row.get("parent")?), NodeId(row.get("child")?)));
        self.store.read(|connection| {
            query_rows(
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
    let fields = Fields::new(row, "pins", child);
    Ok(PinRow {
        child,
        parent: NodeId(fields.get("parent")?),
        text: fields.get("text")?,
        artifact: fields.get::<Option<_>>("artifact")?.map(ArtifactId),
        pinned_at: Timestamp(fields.get("pinned_at")?),
    })
}

/// Applies an event to the run's pins.
pub(crate) fn apply_event(
    connection: &Connection,
    run: RunId,
    record: &RecordedEvent,
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
