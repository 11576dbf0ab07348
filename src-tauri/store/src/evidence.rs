//! Evidence about attempts beyond their handoffs. Stored once and never changed.

use baton_model::{Attempt, Evidence, NodeId, RunId, Timestamp};
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

use crate::column::{Fields, json, query_optional, query_rows};
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

#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEvidence {
    pub node: NodeId,
    pub attempt: Attempt,
    pub content: Evidence,
    /// When the evidence was collected.
    pub created_at: Timestamp,
}

/// Stored evidence of one attempt.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EvidenceRow {
    pub attempt: Attempt,
    pub content: Evidence,
    /// When the evidence was collected.
    pub created_at: Timestamp,
}

/// Handle for the table `evidence`; see [`Store::evidence`].
#[derive(Clone, Copy)]
pub struct Evidences<'store> {
    store: &'store Store,
}

impl Store {
    /// Access to the table `evidence`.
    #[must_use]
    pub fn evidence(&self) -> Evidences<'_> {
        Evidences { store: self }
    }
}

impl Evidences<'_> {
    /// Evidence of one attempt; `None` if there was none, or if the Baton version that ran it
    /// didn't collect any.
    pub fn get(
        &self,
        run: RunId,
        node: NodeId,
        attempt: Attempt,
    ) -> Result<Option<EvidenceRow>, StoreError> {
        let query = "SELECT * FROM evidence WHERE run = ?1 AND node = ?2 AND attempt = ?3";
        self.store.read(|connection| {
            query_optional(
                connection,
                query,
                params![run.0, node.0, attempt.0],
                |row| read(node, row),
            )
        })
    }

    /// Evidence of all attempts of a run, by node, first attempt first.
    pub fn of_run(&self, run: RunId) -> Result<Vec<(NodeId, EvidenceRow)>, StoreError> {
        let query = "SELECT * FROM evidence WHERE run = ?1 ORDER BY node, attempt";
        let read = |row: &Row<'_>| {
            let node = NodeId(row.get("node")?);
            Ok((node, read(node, row)?))
        };
        self.store
            .read(|connection| query_rows(connection, query, [run.0], read))
    }
}

fn read(node: NodeId, row: &Row<'_>) -> Result<EvidenceRow, StoreError> {
    let attempt: u32 = row.get("attempt")?;
    let fields = Fields::new(
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
