//! Handoffs that attempts produced. A handoff is stored once and never changes.

use baton_model::{Artifact, ArtifactId, Attempt, NodeId, RunId, Timestamp};
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

use crate::column::{Fields, json, not_found, query_listing, query_optional, query_rows};
use crate::{Listing, Store, StoreError};

pub(crate) const MIGRATION_1: &str = "
CREATE TABLE artifacts (
    id BLOB PRIMARY KEY,
    run BLOB NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    node BLOB NOT NULL,
    attempt INTEGER NOT NULL,
    content TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX artifacts_of_run ON artifacts (run);
";

/// A handoff to store.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewArtifact {
    pub id: ArtifactId,
    pub node: NodeId,
    /// The latest attempt if a person wrote the handoff.
    pub attempt: Attempt,
    pub content: Artifact,
    pub created_at: Timestamp,
}

#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ArtifactRow {
    pub id: ArtifactId,
    pub run: RunId,
    pub node: NodeId,
    pub attempt: Attempt,
    pub content: Artifact,
    pub created_at: Timestamp,
}

/// Handle for the table `artifacts`; see [`Store::artifacts`].
#[derive(Clone, Copy)]
pub struct Artifacts<'store> {
    store: &'store Store,
}

impl Store {
    /// Access to the table `artifacts`.
    #[must_use]
    pub fn artifacts(&self) -> Artifacts<'_> {
        Artifacts { store: self }
    }
}

impl Artifacts<'_> {
    /// Returns one handoff by its id.
    pub fn get(&self, artifact: ArtifactId) -> Result<ArtifactRow, StoreError> {
        self.store.read(|connection| {
            query_optional(
                connection,
                "SELECT * FROM artifacts WHERE id = ?1",
                [artifact.0],
                read,
            )?
            .ok_or_else(|| not_found("the artifact", artifact))
        })
    }

    /// The latest handoff of each node of a run, in plan order. Nodes without a handoff are left
    /// out.
    pub fn latest_for_run(&self, run: RunId) -> Result<Listing<ArtifactRow>, StoreError> {
        let query = "SELECT artifacts.* FROM node_states JOIN artifacts ON artifacts.id = node_states.artifact
             WHERE node_states.run = ?1 ORDER BY node_states.position";
        self.store
            .read(|connection| query_listing(connection, query, [run.0], read))
    }

    /// The nodes whose latest handoffs say something else in run `b` than in run `a`. Nodes without
    /// a handoff in one of the runs are left out. A damaged handoff differs from every other one.
    pub fn nodes_that_differ(&self, a: RunId, b: RunId) -> Result<Vec<NodeId>, StoreError> {
        let query = "SELECT old.node, old_text.content AS old, new_text.content AS new
             FROM node_states AS old
             JOIN node_states AS new ON new.run = ?2 AND new.node = old.node
             JOIN artifacts AS old_text ON old_text.id = old.artifact
             JOIN artifacts AS new_text ON new_text.id = new.artifact
             WHERE old.run = ?1 AND old_text.content <> new_text.content ORDER BY new.position";
        let found = self.store.read(|connection| {
            query_rows(connection, query, [a.0, b.0], |row| {
                let is_same =
                    says_the_same(&row.get::<_, String>("old")?, &row.get::<_, String>("new")?);
                Ok((!is_same).then_some(NodeId(row.get("node")?)))
            })
        })?;
        Ok(found.into_iter().flatten().collect())
    }

    /// All handoffs of a run, oldest first.
    pub fn list_for_run(&self, run: RunId) -> Result<Listing<ArtifactRow>, StoreError> {
        let query = "SELECT * FROM artifacts WHERE run = ?1 ORDER BY created_at, id";
        self.store
            .read(|connection| query_listing(connection, query, [run.0], read))
    }
}

fn says_the_same(old: &str, new: &str) -> bool {
    let parsed = |content: &str| serde_json::from_str::<Artifact>(content).ok();
    matches!((parsed(old), parsed(new)), (Some(old), Some(new)) if old.says_the_same_as(&new))
}

pub(crate) fn read(row: &Row<'_>) -> Result<ArtifactRow, StoreError> {
    let id = ArtifactId(row.get("id")?);
    let fields = Fields::new(row, "artifacts", id);
    Ok(ArtifactRow {
        id,
        run: RunId(fields.get("run")?),
        node: NodeId(fields.get("node")?),
        attempt: Attempt(fields.get("attempt")?),
        content: fields.json("content")?,
        created_at: Timestamp(fields.get("created_at")?),
    })
}

pub(crate) fn add(
    connection: &Connection,
    run: RunId,
    artifacts: &[NewArtifact],
) -> Result<(), StoreError> {
    for artifact in artifacts {
        connection
            .prepare_cached(
                "INSERT INTO artifacts (id, run, node, attempt, content, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .execute(params![
                artifact.id.0,
                run.0,
                artifact.node.0,
                artifact.attempt.0,
                json(&artifact.content)?,
                artifact.created_at.0,
            ])?;
    }
    Ok(())
}
