//! Outputs of nodes that people pinned in a plan, to run the rest with them.
//!
//! They belong to the plan and not to one of its versions: a pin is no edit that needs approval.
//! The pin of a node that was removed is kept, because an undo brings the node back.

use baton_model::run::PinOrigin;
use baton_model::{Artifact, ArtifactId, NodeId, PlanId, Timestamp};
use rusqlite::{Connection, Row, params};

use crate::column::{Fields, json, query_rows};
use crate::{Change, Store, StoreError, deleted_plans};

// `pinned_nodes` of a run is the number of nodes that used their pinned output.
pub(crate) const MIGRATION_11: &str = "
CREATE TABLE pinned_outputs (
    plan BLOB NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    node BLOB NOT NULL,
    content TEXT NOT NULL,
    artifact BLOB,
    run INTEGER,
    pinned_by TEXT NOT NULL,
    pinned_at INTEGER NOT NULL,
    PRIMARY KEY (plan, node)
) STRICT, WITHOUT ROWID;
ALTER TABLE runs ADD COLUMN pinned_nodes INTEGER NOT NULL DEFAULT 0;
";

/// A node's output that a person pinned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PinnedOutputRow {
    #[expect(missing_docs, reason = "the name says it")]
    pub node: NodeId,
    /// A copy of the handoff, so that it outlives its run.
    pub content: Artifact,
    /// The handoff that was pinned, or whose text was edited; `None` if the text was typed. Its run
    /// may have been deleted since.
    pub artifact: Option<ArtifactId>,
    /// Who pinned it, when, and from which run.
    pub origin: PinOrigin,
}

/// Handle for the table `pinned_outputs`; see [`Store::pinned_outputs`].
#[derive(Clone, Copy)]
pub struct PinnedOutputs<'store> {
    store: &'store Store,
}

impl Store {
    /// Access to the table `pinned_outputs`.
    #[must_use]
    pub fn pinned_outputs(&self) -> PinnedOutputs<'_> {
        PinnedOutputs { store: self }
    }
}

impl PinnedOutputs<'_> {
    /// All pinned outputs of a plan, also of nodes that it no longer has.
    pub fn list(&self, plan: PlanId) -> Result<Vec<PinnedOutputRow>, StoreError> {
        let query = "SELECT * FROM pinned_outputs WHERE plan = ?1 ORDER BY node";
        self.store
            .read(|connection| query_rows(connection, query, [plan.0], read))
    }

    /// Pins an output, in place of an earlier one of the node.
    pub fn pin(&self, plan: PlanId, row: &PinnedOutputRow) -> Result<(), StoreError> {
        self.store.write(|writing| {
            deleted_plans::refuse_deleted(writing.tx, plan)?;
            insert(writing.tx, plan, row)?;
            writing.changes.push(changed(plan));
            Ok(())
        })
    }

    /// Removes the pin of a node. Nothing happens if there is none.
    pub fn unpin(&self, plan: PlanId, node: NodeId) -> Result<(), StoreError> {
        self.store.write(|writing| {
            deleted_plans::refuse_deleted(writing.tx, plan)?;
            let removed = writing
                .tx
                .prepare_cached("DELETE FROM pinned_outputs WHERE plan = ?1 AND node = ?2")?
                .execute(params![plan.0, node.0])?;
            if removed > 0 {
                writing.changes.push(changed(plan));
            }
            Ok(())
        })
    }
}

/// The plan's content is the same, so its revision is too.
fn changed(plan: PlanId) -> Change {
    Change::PlanChanged {
        plan,
        revision: None,
    }
}

fn insert(connection: &Connection, plan: PlanId, row: &PinnedOutputRow) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO pinned_outputs (plan, node, content, artifact, run, pinned_by, pinned_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![
            plan.0,
            row.node.0,
            json(&row.content)?,
            row.artifact.map(|artifact| artifact.0),
            row.origin.run,
            row.origin.by,
            row.origin.at.0,
        ])?;
    Ok(())
}

fn read(row: &Row<'_>) -> Result<PinnedOutputRow, StoreError> {
    let node = NodeId(row.get("node")?);
    let fields = Fields::new(row, "pinned_outputs", node);
    Ok(PinnedOutputRow {
        node,
        content: fields.json("content")?,
        artifact: fields.get::<Option<_>>("artifact")?.map(ArtifactId),
        origin: PinOrigin {
            by: fields.get("pinned_by")?,
            at: Timestamp(fields.get("pinned_at")?),
            run: fields.get("run")?,
        },
    })
}
