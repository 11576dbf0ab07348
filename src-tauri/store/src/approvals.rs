//! Approvals: who approved which plan version, when, and with which content.
//!
//! Versions approved before format 9 have no row here: who approved them, when, and with which
//! files isn't known. Those approved before format 11 have no state of the project.

use baton_model::approval::{Digest, FileDigest};
use baton_model::project_state::ProjectState;
use baton_model::{PlanId, Timestamp};
use rusqlite::{Connection, Row, params};

use crate::column::{Fields, json, query_optional, query_rows};
use crate::{Actor, Store, StoreError};

// A version has several rows when it was approved again because a file changed.
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

pub(crate) const MIGRATION_11: &str = "ALTER TABLE approvals ADD COLUMN project TEXT";

/// An approval with the plan version it belongs to.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovalRow {
    pub version: u32,
    /// It was made in another Baton and came with a bundle: it allows nothing here.
    pub is_history: bool,
    pub approval: Approval,
}

/// A person's decision that a plan version may run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    /// Who approved, and through which channel.
    pub actor: Actor,
    /// When the person approved.
    pub at: Timestamp,
    /// Covers the plan, its criteria, and the files that the criteria run.
    pub digest: Digest,
    /// The files that the criteria run, as they were at approval.
    pub files: Vec<FileDigest>,
    /// The commit, uncommitted files and agents at approval; `None` for one of an earlier format.
    pub project: Option<ProjectState>,
}

/// Handle for the table `approvals`; see [`Store::approvals`].
#[derive(Clone, Copy)]
pub struct Approvals<'store> {
    store: &'store Store,
}

impl Store {
    /// Access to the table `approvals`.
    #[must_use]
    pub fn approvals(&self) -> Approvals<'_> {
        Approvals { store: self }
    }
}

impl Approvals<'_> {
    /// All approvals of a plan, newest first, also those that are only history.
    pub fn list(&self, plan: PlanId) -> Result<Vec<ApprovalRow>, StoreError> {
        let query = "SELECT * FROM approvals WHERE plan = ?1 ORDER BY id DESC";
        self.store
            .read(|connection| query_rows(connection, query, [plan.0], |row| read(row, plan)))
    }

    /// The newest approval of one plan version that was made here.
    pub fn newest(&self, plan: PlanId, version: u32) -> Result<Option<Approval>, StoreError> {
        let query = "SELECT * FROM approvals WHERE plan = ?1 AND version = ?2 AND id >= 0 ORDER BY id DESC LIMIT 1";
        self.store.read(|connection| {
            let row = query_optional(connection, query, params![plan.0, version], |row| {
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
    let query = "INSERT INTO approvals (plan, version, actor, at, digest, files, project)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let Approval {
        actor,
        at,
        digest,
        files,
        project,
    } = approval;
    connection.prepare_cached(query)?.execute(params![
        plan.0,
        version,
        actor,
        at.0,
        digest.0,
        json(files)?,
        project.as_ref().map(json).transpose()?
    ])?;
    Ok(())
}

fn read(row: &Row<'_>, plan: PlanId) -> Result<ApprovalRow, StoreError> {
    let fields = Fields::new(row, "approvals", plan);
    Ok(ApprovalRow {
        version: fields.get("version")?,
        is_history: fields.get::<i64>("id")? < 0,
        approval: Approval {
            actor: fields.get("actor")?,
            at: Timestamp(fields.get("at")?),
            digest: Digest(fields.get("digest")?),
            files: fields.json("files")?,
            project: fields.optional_json("project")?,
        },
    })
}
