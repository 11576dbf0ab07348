//! Permissions that a person granted for more than one call.
//!
//! A grant for a node lives as long as its run. A grant for the plan is stored next to the plan's
//! versions: it creates no version, doesn't void an approval, and applies to later runs until it is
//! revoked or a saved version changes the node in which it was given. It is deleted then, and
//! doesn't return if the node is restored.
//!
//! The rows are derived from run events. Whether a call is covered is decided by the run.

use baton_model::run::Event;
use baton_model::{Grant, NodeId, Plan, PlanId, RunId, Timestamp};
use rusqlite::{Connection, Row, params};
use sha2::{Digest, Sha256};

use crate::column::{Fields, query_rows};
use crate::{Change, Store, StoreError, plan_versions};

// A row without a run is a grant for the plan.
pub(crate) const MIGRATION_5: &str = "
CREATE TABLE grants (
    plan BLOB NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    run BLOB REFERENCES runs (id) ON DELETE CASCADE,
    node BLOB,
    tool TEXT NOT NULL,
    command TEXT,
    at INTEGER NOT NULL
) STRICT;
CREATE INDEX grants_of_plan ON grants (plan);
";

// The command prefix, and a digest of the node in which a grant for the plan was given.
pub(crate) const MIGRATION_9: &str = "
ALTER TABLE grants ADD COLUMN command_begins TEXT;
ALTER TABLE grants ADD COLUMN node_digest BLOB;
";

/// A grant and its scope.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrantRow {
    pub plan: PlanId,
    /// The run and node that it applies to; `None` for all runs of the plan.
    pub of: Option<(RunId, NodeId)>,
    /// The node in which a grant for the plan was given. Unknown for grants from before format 9.
    pub given_in: Option<NodeId>,
    pub grant: Grant,
    pub at: Timestamp,
}

/// Handle for the table `grants`; see [`Store::grants`].
#[derive(Clone, Copy)]
pub struct Grants<'store> {
    store: &'store Store,
}

impl Store {
    /// Access to the table `grants`.
    #[must_use]
    pub fn grants(&self) -> Grants<'_> {
        Grants { store: self }
    }
}

impl Grants<'_> {
    /// All grants of a plan and its runs, oldest first.
    pub fn list(&self, plan: PlanId) -> Result<Vec<GrantRow>, StoreError> {
        let query = "SELECT * FROM grants WHERE plan = ?1 ORDER BY at, rowid";
        self.store
            .read(|connection| query_rows(connection, query, [plan.0], read))
    }

    /// Grants that apply to every run of this plan content. A grant given in a node counts only
    /// while that node is unchanged.
    pub fn list_effective(&self, plan: &Plan) -> Result<Vec<GrantRow>, StoreError> {
        let query = "SELECT * FROM grants WHERE plan = ?1 AND run IS NULL ORDER BY at, rowid";
        let rows = self
            .store
            .read(|connection| query_rows(connection, query, [plan.id.0], read_with_digest))?;
        let holds = |row: &GrantRow, digest: &Option<Vec<u8>>| {
            digest.is_none() || *digest == node_digest(plan, row.given_in)
        };
        Ok(rows
            .into_iter()
            .filter(|(row, digest)| holds(row, digest))
            .map(|(row, _)| row)
            .collect())
    }

    /// Revokes a grant for the plan. Runs that are in progress have to be notified separately.
    pub fn revoke(&self, plan: PlanId, grant: &Grant) -> Result<(), StoreError> {
        self.store.write(|writing| {
            remove(writing.tx, plan, None, grant)?;
            writing.changes.push(Change::PlanChanged {
                plan,
                revision: None,
            });
            Ok(())
        })
    }
}

/// Applies an event of a run.
pub(crate) fn apply_event(
    connection: &Connection,
    (plan, version, run): (PlanId, u32, RunId),
    at: Timestamp,
    event: &Event,
) -> Result<(), StoreError> {
    match event {
        Event::Granted {
            grant,
            of,
            given_in,
        } => {
            let of = of.map(|node| (run, node));
            let digest = match given_in {
                Some(node) => node_digest(
                    &plan_versions::content(connection, plan, version)?,
                    Some(*node),
                ),
                None => None,
            };
            let node = of.map(|(_, node)| node).or(*given_in);
            remove(connection, plan, of, grant)?;
            let (command, begins) = columns(grant);
            connection
                .prepare_cached(
                    "INSERT INTO grants (plan, run, node, tool, command, at, command_begins, node_digest)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                )?
                .execute(params![
                    plan.0,
                    of.map(|(run, _)| run.0),
                    node.map(|node| node.0),
                    grant.tool,
                    command,
                    at.0,
                    begins,
                    digest
                ])?;
            Ok(())
        }
        Event::GrantRevoked { grant, of } => {
            remove(connection, plan, of.map(|node| (run, node)), grant)
        }
        _ => Ok(()),
    }
}

/// Deletes grants for the plan whose node `plan`, the new content, changes or no longer has.
pub(crate) fn delete_outdated(connection: &Connection, plan: &Plan) -> Result<(), StoreError> {
    let query = "SELECT * FROM grants WHERE plan = ?1 AND run IS NULL";
    for (row, digest) in query_rows(connection, query, [plan.id.0], read_with_digest)? {
        if digest.is_none() || digest != node_digest(plan, row.given_in) {
            remove(connection, plan.id, None, &row.grant)?;
        }
    }
    Ok(())
}

/// A digest of what the node does; `None` if the plan has no such node.
fn node_digest(plan: &Plan, node: Option<NodeId>) -> Option<Vec<u8>> {
    let work = plan.work_fingerprint(node?)?;
    Some(Sha256::digest(work).to_vec())
}

/// The exact command, or its prefix.
fn columns(grant: &Grant) -> (Option<&str>, Option<&str>) {
    let command = grant.command.as_deref();
    if grant.begins {
        (None, command)
    } else {
        (command, None)
    }
}

fn remove(
    connection: &Connection,
    plan: PlanId,
    of: Option<(RunId, NodeId)>,
    grant: &Grant,
) -> Result<(), StoreError> {
    let (command, begins) = columns(grant);
    connection
        .prepare_cached(
            "DELETE FROM grants WHERE plan = ?1 AND run IS ?2 AND (run IS NULL OR node IS ?3) AND tool = ?4
                 AND command IS ?5 AND command_begins IS ?6",
        )?
        .execute(params![plan.0, of.map(|(run, _)| run.0), of.map(|(_, node)| node.0), grant.tool, command, begins])?;
    Ok(())
}

fn read(row: &Row<'_>) -> Result<GrantRow, StoreError> {
    read_with_digest(row).map(|(row, _)| row)
}

fn read_with_digest(row: &Row<'_>) -> Result<(GrantRow, Option<Vec<u8>>), StoreError> {
    let plan = PlanId(row.get("plan")?);
    let fields = Fields::new(row, "grants", plan);
    let run = fields.get::<Option<_>>("run")?.map(RunId);
    let node = fields.get::<Option<_>>("node")?.map(NodeId);
    let tool: String = fields.get("tool")?;
    let grant = match fields.get::<Option<String>>("command_begins")? {
        Some(words) => Grant::with_prefix(&tool, &words),
        None => Grant::exact(&tool, fields.get::<Option<String>>("command")?.as_deref()),
    };
    let row = GrantRow {
        plan,
        of: run.zip(node),
        given_in: node.filter(|_| run.is_none()),
        grant,
        at: Timestamp(fields.get("at")?),
    };
    Ok((row, fields.get("node_digest")?))
}
