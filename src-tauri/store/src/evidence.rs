//! What is known of attempts beside their handoffs. Each is stored once and never changed.

use baton_model::{Attempt, Evidence, NodeId, RunId, Timestamp};
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

use crate::column::{Fields, json, one, rows};
use crate::{Store, StoreError};

pub(crate) const MIGRATION_5: &str = "
CREATE TABLE evidence (
    run BLOB NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    node BLOB NOT NULL,
    attempt INTEGER NOT NULL,
    content TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (run, node, attempt)
) STRICT, WITHOUT ROWID;
";

/// Evidence to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEvidence {
    /// The node.
    pub node: NodeId,
    /// The attempt.
    pub attempt: Attempt,
    /// What is known.
    pub content: Evidence,
    /// When it was gathered.
    pub created_at: Timestamp,
}

/// Evidence as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct EvidenceRow {
    /// The attempt.
    pub attempt: Attempt,
    /// What is known.
    pub content: Evidence,
    /// When it was gathered.
    pub created_at: Timestamp,
}

/// What is known of attempts.
#[derive(Clone, Copy)]
pub struct Evidences<'store> {
    store: &'store Store,
}

impl Store {
    /// What is known of attempts.
    #[must_use]
    pub fn evidence(&self) -> Evidences<'_> {
        Evidences { store: self }
    }
}

impl Evidences<'_> {
    /// What is known of one attempt; `None` when it left none, or was made by a Baton that gathered none.
    pub fn get(
        &self,
        run: RunId,
        node: NodeId,
        attempt: Attempt,
    ) -> Result<Option<EvidenceRow>, StoreError> {
        let query = "SELECT * FROM evidence WHERE run = ?1 AND node = ?2 AND attempt = ?3";
        self.store.read(|connection| {
            one(
                connection,
                query,
                params![run.0, node.0, attempt.0],
                |row| read(node, row),
            )
        })
    }

    /// What is known of all attempts of a run, by node, the first attempt first.
    pub fn of_run(&self, run: RunId) -> Result<Vec<(NodeId, EvidenceRow)>, StoreError> {
        let query = "SELECT * FROM evidence WHERE run = ?1 ORDER BY node, attempt";
        let read = |row: &Row<'_>| {
            let node = NodeId(row.get("node")?);
            Ok((node, read(node, row)?))
        };
        self.store
            .read(|connection| rows(connection, query, [run.0], read))
    }
}

fn read(node: NodeId, row: &Row<'_>) -> Result<EvidenceRow, StoreError> {
    let attempt: u32 = row.get("attempt")?;
    let fields = Fields::of(
        row,
        "evidence",
        format_args!("node {node}, attempt {attempt}"),
    );
    Ok(EvidenceRow {
        attempt: Attempt(attempt),
        content: fields.json("content")?,
        created_at: Timestamp(fields.get("created_at")?),
    })
}

pub(crate) fn add(
    connection: &Connection,
    run: RunId,
    evidence: &[NewEvidence],
) -> Result<(), StoreError> {
    for known in evidence {
        connection
            .prepare_cached(
                "INSERT INTO evidence (run, node, attempt, content, created_at) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![run.0, known.node.0, known.attempt.0, json(&known.content)?, known.created_at.0])?;
    }
    Ok(())
}
