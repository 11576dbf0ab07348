//! Leave that persons gave for more than one call (product A8). Leave for a node stands with its run; leave for the
//! plan is kept beside the plan's versions, so that giving it neither makes a version nor voids an approval, and
//! counts in later runs until somebody takes it back.
//!
//! The rows follow from the events of runs. Whether a call is covered is for the run to say.

use baton_model::run::Event;
use baton_model::{Grant, NodeId, PlanId, RunId, Timestamp};
use rusqlite::{Connection, Row, params};

use crate::column::{Fields, rows};
use crate::{Change, Store, StoreError};

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
        self.store.read(|connection| rows(connection, query, [plan.0], read))
    }

    /// What is allowed in every run of the plan.
    pub fn of_plan(&self, plan: PlanId) -> Result<Vec<Grant>, StoreError> {
        let rows = self.list(plan)?;
        Ok(rows.into_iter().filter(|row| row.of.is_none()).map(|row| row.grant).collect())
    }

    /// Takes back what was allowed in every run of the plan. Runs that go on have to be told as well.
    pub fn take_back(&self, plan: PlanId, grant: &Grant) -> Result<(), StoreError> {
        self.store.write(|writing| {
            remove(writing.tx, plan, None, grant)?;
            writing.changes.push(Change::PlanChanged { plan });
            Ok(())
        })
    }
}

/// What an event of a run changes.
pub(crate) fn follow(
    connection: &Connection,
    (plan, run): (PlanId, RunId),
    at: Timestamp,
    event: &Event,
) -> Result<(), StoreError> {
    match event {
        Event::Granted { grant, of, .. } => {
            let of = of.map(|node| (run, node));
            remove(connection, plan, of, grant)?;
            connection
                .prepare_cached(
                    "INSERT INTO grants (plan, run, node, tool, command, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                )?
                .execute(params![
                    plan.0,
                    of.map(|(run, _)| run.0),
                    of.map(|(_, node)| node.0),
                    grant.tool,
                    grant.command,
                    at.0
                ])?;
            Ok(())
        }
        Event::GrantRevoked { grant, of } => remove(connection, plan, of.map(|node| (run, node)), grant),
        _ => Ok(()),
    }
}

fn remove(connection: &Connection, plan: PlanId, of: Option<(RunId, NodeId)>, grant: &Grant) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "DELETE FROM grants WHERE plan = ?1 AND run IS ?2 AND node IS ?3 AND tool = ?4 AND command IS ?5",
        )?
        .execute(params![plan.0, of.map(|(run, _)| run.0), of.map(|(_, node)| node.0), grant.tool, grant.command])?;
    Ok(())
}

fn read(row: &Row<'_>) -> Result<GrantRow, StoreError> {
    let plan = PlanId(row.get("plan")?);
    let fields = Fields::of(row, "grants", plan);
    let run = fields.get::<Option<_>>("run")?.map(RunId);
    let node = fields.get::<Option<_>>("node")?.map(NodeId);
    Ok(GrantRow {
        plan,
        of: run.zip(node),
        grant: Grant { tool: fields.get("tool")?, command: fields.get("command")?, begins: false },
        at: Timestamp(fields.get("at")?),
    })
}
