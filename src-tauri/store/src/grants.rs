//! Leave that persons gave for more than one call. Leave for a node stands with its run; leave for the
//! plan is kept beside the plan's versions, so that giving it neither makes a version nor voids an approval, and
//! counts in later runs until somebody takes it back, or a version is saved that changes the node in which it was given.
//! Then it is gone, and does not come back with that node.
//!
//! The rows follow from the events of runs. Whether a call is covered is for the run to say.

use baton_model::run::Event;
use baton_model::{Grant, NodeId, Plan, PlanId, RunId, Timestamp};
use rusqlite::{Connection, Row, params};
use sha2::{Digest, Sha256};

use crate::column::{Fields, rows};
use crate::{Change, Store, StoreError, plan_versions};

// A row without a run is leave for the plan.
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

// The words with which a command has to begin, and what the node held for which leave was given for the plan.
pub(crate) const MIGRATION_9: &str = "
ALTER TABLE grants ADD COLUMN command_begins TEXT;
ALTER TABLE grants ADD COLUMN node_digest BLOB;
";

/// Leave, and where it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrantRow {
    /// The plan.
    pub plan: PlanId,
    /// The run and its node that have it; `None`: every run of the plan.
    pub of: Option<(RunId, NodeId)>,
    /// The node in which leave for the plan was given. Unknown of what was given before format 9.
    pub given_in: Option<NodeId>,
    /// What for.
    pub grant: Grant,
    /// When it was given.
    pub at: Timestamp,
}

/// The leave that was given.
#[derive(Clone, Copy)]
pub struct Grants<'store> {
    store: &'store Store,
}

impl Store {
    /// The leave that was given.
    #[must_use]
    pub fn grants(&self) -> Grants<'_> {
        Grants { store: self }
    }
}

impl Grants<'_> {
    /// All leave of a plan and of its runs, the oldest first.
    pub fn list(&self, plan: PlanId) -> Result<Vec<GrantRow>, StoreError> {
        let query = "SELECT * FROM grants WHERE plan = ?1 ORDER BY at, rowid";
        self.store
            .read(|connection| rows(connection, query, [plan.0], read))
    }

    /// What is allowed in every run of this content of the plan: of what was given in a node, only if it is the same node still.
    pub fn of_plan(&self, plan: &Plan) -> Result<Vec<GrantRow>, StoreError> {
        let query = "SELECT * FROM grants WHERE plan = ?1 AND run IS NULL ORDER BY at, rowid";
        let rows = self
            .store
            .read(|connection| rows(connection, query, [plan.id.0], read_with_digest))?;
        let holds = |row: &GrantRow, digest: &Option<Vec<u8>>| {
            digest.is_none() || *digest == digest_in(plan, row.given_in)
        };
        Ok(rows
            .into_iter()
            .filter(|(row, digest)| holds(row, digest))
            .map(|(row, _)| row)
            .collect())
    }

    /// Takes back what was allowed in every run of the plan. Runs that go on have to be told as well.
    pub fn take_back(&self, plan: PlanId, grant: &Grant) -> Result<(), StoreError> {
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

/// What an event of a run changes.
pub(crate) fn follow(
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
                Some(node) => digest_in(
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

/// Ends the leave for the plan that was given in nodes which `plan`, its new content, changes or no longer has.
pub(crate) fn end_changed(connection: &Connection, plan: &Plan) -> Result<(), StoreError> {
    let query = "SELECT * FROM grants WHERE plan = ?1 AND run IS NULL";
    for (row, digest) in rows(connection, query, [plan.id.0], read_with_digest)? {
        if digest.is_none() || digest != digest_in(plan, row.given_in) {
            remove(connection, plan.id, None, &row.grant)?;
        }
    }
    Ok(())
}

/// A fingerprint of what the node does; `None` when the plan has no such node.
fn digest_in(plan: &Plan, node: Option<NodeId>) -> Option<Vec<u8>> {
    let work = plan.work_of(node?)?;
    Some(Sha256::digest(work).to_vec())
}

/// The command to the letter, or its first words.
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
    let fields = Fields::of(row, "grants", plan);
    let run = fields.get::<Option<_>>("run")?.map(RunId);
    let node = fields.get::<Option<_>>("node")?.map(NodeId);
    let tool: String = fields.get("tool")?;
    let grant = match fields.get::<Option<String>>("command_begins")? {
        Some(words) => Grant::beginning(&tool, &words),
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
