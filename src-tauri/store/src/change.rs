//! Changes: what was changed, reported to listeners in this process and stored for other processes.
//!
//! The database is the source of truth; a change only says what to read again. Several changes of
//! one kind in quick succession may arrive as one.

use baton_model::{NodeId, PlanId, ProposalId, RunId};
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::column::{json, query_rows};
use crate::{HeldCallId, RequestId, StoreError};

// The newest rows are never deleted, so ids keep growing without AUTOINCREMENT, which would cost
// every commit an extra page.
pub(crate) const MIGRATION_1: &str = "
CREATE TABLE changes (
    id INTEGER PRIMARY KEY,
    origin BLOB NOT NULL,
    change TEXT NOT NULL
) STRICT;
";

/// How many changes are kept for processes that lag behind. A process that is further behind
/// reloads everything.
const MAX_KEPT_CHANGES: i64 = 4096;
/// Old changes are deleted once per this many inserts.
const TRIM_EVERY: i64 = 512;

/// What was changed, and therefore has to be read again.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(
    tag = "change",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Change {
    /// A plan was added, or its content or review changed.
    PlanChanged {
        plan: PlanId,
        /// The plan's new revision; `None` if the change doesn't count as a revision.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional, type = "number"))]
        revision: Option<u64>,
    },
    /// A plan was deleted together with its runs.
    PlanDeleted { plan: PlanId },
    /// A run has new events.
    RunChanged {
        run: RunId,
        plan: PlanId,
        /// Number of the last event.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        seq: u64,
        /// Nodes whose state changed.
        nodes: Vec<NodeId>,
        /// The run's own row changed too: its state, goal, or executor.
        whole: bool,
    },
    /// Ended runs of a plan were deleted.
    RunsDeleted { plan: PlanId, runs: Vec<RunId> },
    /// A proposal was added or changed.
    ProposalChanged { proposal: ProposalId },
    /// A setting was changed.
    SettingsChanged,
    /// A window's layout was saved to a file next to the database.
    AppStateKept,
    /// A request was added for the executor of a run.
    RequestAdded { run: RunId },
    /// An executor answered a request.
    RequestAnswered { id: RequestId },
    /// A held call was added or resolved.
    HeldCallChanged { call: HeldCallId },
    /// A lock or an agent slot was released while other nodes wait for it.
    PermitsFreed {
        /// The run whose node held it.
        run: RunId,
    },
    /// An executor exited while runs still name it.
    ExecutorLeft,
    /// The individual changes aren't known: reload everything.
    Everything,
}

/// Publishes `changes` to other processes, in the transaction that made them.
pub(crate) fn publish(
    connection: &Connection,
    origin: Uuid,
    changes: &[Change],
) -> Result<(), StoreError> {
    let mut insert =
        connection.prepare_cached("INSERT INTO changes (origin, change) VALUES (?1, ?2)")?;
    for change in changes {
        let id = insert.insert(params![origin, json(change)?])?;
        if id % TRIM_EVERY == 0 {
            connection.execute(
                "DELETE FROM changes WHERE id <= ?1",
                [id - MAX_KEPT_CHANGES],
            )?;
        }
    }
    Ok(())
}

/// The id of the last change; 0 if there is none yet.
pub(crate) fn last_id(connection: &Connection) -> Result<i64, StoreError> {
    let mut statement = connection.prepare_cached("SELECT COALESCE(MAX(id), 0) FROM changes")?;
    Ok(statement.query_row([], |row| row.get(0))?)
}

/// Changes that processes other than `origin` published after `seen`, and the id of the last one.
///
/// A change that this version doesn't know, or a gap in the ids, becomes [`Change::Everything`].
pub(crate) fn published_by_others(
    connection: &Connection,
    origin: Uuid,
    seen: i64,
) -> Result<(Vec<Change>, i64), StoreError> {
    let query = "SELECT id, origin, change FROM changes WHERE id > ?1 ORDER BY id";
    let found = query_rows(connection, query, [seen], |row| {
        Ok((
            row.get::<_, i64>(0)?,
            row.get::<_, Uuid>(1)?,
            row.get::<_, String>(2)?,
        ))
    })?;
    let last = found.last().map_or(seen, |(id, ..)| *id);
    let gap = found.first().is_some_and(|(id, ..)| *id > seen + 1);
    let mut changes = Vec::new();
    if gap {
        changes.push(Change::Everything);
    }
    for (_, _, change) in found.into_iter().filter(|(_, by, _)| *by != origin) {
        let change = serde_json::from_str(&change).unwrap_or(Change::Everything);
        if changes.last() != Some(&change) {
            changes.push(change);
        }
    }
    Ok((changes, last))
}
