//! The handoffs that attempts left. Each is stored once and never changed.

use baton_model::{Artifact, ArtifactId, Attempt, NodeId, RunId, Timestamp};
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

use crate::column::{Fields, json, listing, missing, one};
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

/// A handoff to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewArtifact {
    /// Its id.
    pub id: ArtifactId,
    /// The node that leaves it.
    pub node: NodeId,
    /// The attempt; the latest one when a person wrote it.
    pub attempt: Attempt,
    /// What it says.
    pub content: Artifact,
    /// When it was made.
    pub created_at: Timestamp,
}

/// A handoff as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ArtifactRow {
    /// Its id.
    pub id: ArtifactId,
    /// The run.
    pub run: RunId,
    /// The node that left it.
    pub node: NodeId,
    /// The attempt.
    pub attempt: Attempt,
    /// What it says.
    pub content: Artifact,
    /// When it was made.
    pub created_at: Timestamp,
}

/// The handoffs.
#[derive(Clone, Copy)]
pub struct Artifacts<'store> {
    store: &'store Store,
}

impl Store {
    /// The handoffs.
    #[must_use]
    pub fn artifacts(&self) -> Artifacts<'_> {
        Artifacts { store: self }
    }
}

impl Artifacts<'_> {
    /// One handoff.
    pub fn get(&self, artifact: ArtifactId) -> Result<ArtifactRow, StoreError> {
        self.store.read(|connection| {
            one(
                connection,
                "SELECT * FROM artifacts WHERE id = ?1",
                [artifact.0],
                read,
            )?
            .ok_or_else(|| missing("the artifact", artifact))
        })
    }

    /// The last handoff of each node of a run, in the order of the plan. Nodes that left none are not in it.
    pub fn latest_of(&self, run: RunId) -> Result<Listing<ArtifactRow>, StoreError> {
        let query = "SELECT artifacts.* FROM node_states JOIN artifacts ON artifacts.id = node_states.artifact
             WHERE node_states.run = ?1 ORDER BY node_states.position";
        self.store
            .read(|connection| listing(connection, query, [run.0], read))
    }

    /// All handoffs of a run, the oldest first.
    pub fn all_of(&self, run: RunId) -> Result<Listing<ArtifactRow>, StoreError> {
        let query = "SELECT * FROM artifacts WHERE run = ?1 ORDER BY created_at, id";
        self.store
            .read(|connection| listing(connection, query, [run.0], read))
    }
}

pub(crate) fn read(row: &Row<'_>) -> Result<ArtifactRow, StoreError> {
    let id = ArtifactId(row.get("id")?);
    let fields = Fields::of(row, "artifacts", id);
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
