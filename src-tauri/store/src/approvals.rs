//! Approvals: who let which version of a plan run, when, and what was approved.
//!
//! Versions that were approved before format 9 have none: who approved them, when, and with which files is not known.

use baton_model::approval::{Digest, FileDigest};
use baton_model::{PlanId, Timestamp};
use rusqlite::{Connection, Row, params};

use crate::column::{Fields, json, one, rows};
use crate::{Actor, Store, StoreError};

// A version that is approved again, because a file has changed, has several.
pub(crate) const MIGRATION_9: &str = "
CREATE TABLE approvals (
    id INTEGER PRIMARY KEY,
    plan BLOB NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    actor TEXT NOT NULL,
    at INTEGER NOT NULL,
    digest BLOB NOT NULL,
    files TEXT NOT NULL
) STRICT;
CREATE INDEX approvals_of_plan ON approvals (plan, version);
";

/// An approval of one version of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovalRow {
    /// The version.
    pub version: u32,
    /// The approval.
    pub approval: Approval,
}

/// A person's decision that a version may run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    /// Who approved, and by which way.
    pub actor: Actor,
    /// When.
    pub at: Timestamp,
    /// Of the plan, its criteria and the files that these run.
    pub digest: Digest,
    /// The files that the criteria run, as they were then.
    pub files: Vec<FileDigest>,
}

/// The approvals of plans.
#[derive(Clone, Copy)]
pub struct Approvals<'store> {
    store: &'store Store,
}

impl Store {
    /// The approvals of plans.
    #[must_use]
    pub fn approvals(&self) -> Approvals<'_> {
        Approvals { store: self }
    }
}

impl Approvals<'_> {
    /// The approvals of a plan, the newest first.
    pub fn list(&self, plan: PlanId) -> Result<Vec<ApprovalRow>, StoreError> {
        let query = "SELECT * FROM approvals WHERE plan = ?1 ORDER BY id DESC";
        self.store
            .read(|connection| rows(connection, query, [plan.0], |row| read(row, plan)))
    }

    /// The newest approval of one version.
    pub fn newest(&self, plan: PlanId, version: u32) -> Result<Option<Approval>, StoreError> {
        let query =
            "SELECT * FROM approvals WHERE plan = ?1 AND version = ?2 ORDER BY id DESC LIMIT 1";
        self.store.read(|connection| {
            let row = one(connection, query, params![plan.0, version], |row| {
                read(row, plan)
            })?;
            Ok(row.map(|row| row.approval))
        })
    }
}

pub(crate) fn add(
    connection: &Connection,
    plan: PlanId,
    version: u32,
    approval: &Approval,
) -> Result<(), StoreError> {
    let query = "INSERT INTO approvals (plan, version, actor, at, digest, files) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let Approval {
        actor,
        at,
        digest,
        files,
    } = approval;
    connection.prepare_cached(query)?.execute(params![
        plan.0,
        version,
        actor,
        at.0,
        digest.0,
        json(files)?
    ])?;
    Ok(())
}

fn read(row: &Row<'_>, plan: PlanId) -> Result<ApprovalRow, StoreError> {
    let fields = Fields::of(row, "approvals", plan);
    Ok(ApprovalRow {
        version: fields.get("version")?,
        approval: Approval {
            actor: fields.get("actor")?,
            at: Timestamp(fields.get("at")?),
            digest: Digest(fields.get("digest")?),
            files: fields.json("files")?,
        },
    })
}
