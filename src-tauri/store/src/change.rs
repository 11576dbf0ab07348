//! What has changed, told to whoever listens in this process and left for other processes to read.
//!
//! The store is the truth; a change only says where to look again. Changes of one kind that follow each
//! other closely may arrive as one.

use baton_model::{NodeId, PlanId, ProposalId, RunId};
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::column::{json, rows};
use crate::{HeldCallId, RequestId, StoreError};

// The newest rows always stay, so that the ids grow without AUTOINCREMENT, which would cost every commit a page.
pub(crate) const MIGRATION_1: &str = "
CREATE TABLE changes (
    id INTEGER PRIMARY KEY,
    origin BLOB NOT NULL,
    change TEXT NOT NULL
) STRICT;
";

/// How many changes are kept for processes that come late; whoever is further behind looks at everything again.
const KEPT: i64 = 4096;
/// Old changes are thrown away each time so many have come.
const TRIM_EVERY: i64 = 512;

/// Where to look again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(
    tag = "change",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Change {
    /// A plan is new, or its content or review is.
    PlanChanged {
        /// Which.
        plan: PlanId,
        /// The revision that it has from now on; none: something about it that no revision counts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional, type = "number"))]
        revision: Option<u64>,
    },
    /// A plan is gone, with its runs.
    PlanDeleted {
        /// Which.
        plan: PlanId,
    },
    /// A run has new events.
    RunChanged {
        /// Which.
        run: RunId,
        /// Its plan.
        plan: PlanId,
        /// The last event.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        seq: u64,
        /// The nodes whose state is new.
        nodes: Vec<NodeId>,
        /// The run's own row tells something else, too: how it goes, what is wanted of it, who works on it.
        whole: bool,
    },
    /// A proposal is new, or somebody did something with it.
    ProposalChanged {
        /// Which.
        proposal: ProposalId,
    },
    /// A setting is new.
    SettingsChanged,
    /// How a window looks was kept, in a file beside the database.
    AppStateKept,
    /// Somebody asks the executor of a run for something.
    RequestAdded {
        /// The run.
        run: RunId,
    },
    /// An executor answered a request.
    RequestAnswered {
        /// Which.
        id: RequestId,
    },
    /// A call waits for a person, or has ended.
    HeldCallChanged {
        /// Which.
        call: HeldCallId,
    },
    /// A lock, or room among an agent's sessions, was given back while others wait.
    PermitsFreed {
        /// The run whose node held it.
        run: RunId,
    },
    /// An executor took its leave while runs name it.
    ExecutorLeft,
    /// More has happened than is known: look at everything again.
    Everything,
}

/// Leaves `changes` for other processes; part of the transaction that made them.
pub(crate) fn leave(
    connection: &Connection,
    origin: Uuid,
    changes: &[Change],
) -> Result<(), StoreError> {
    let mut insert =
        connection.prepare_cached("INSERT INTO changes (origin, change) VALUES (?1, ?2)")?;
    for change in changes {
        let id = insert.insert(params![origin, json(change)?])?;
        if id % TRIM_EVERY == 0 {
            connection.execute("DELETE FROM changes WHERE id <= ?1", [id - KEPT])?;
        }
    }
    Ok(())
}

/// The id of the last change; 0 when there was none yet.
pub(crate) fn last_id(connection: &Connection) -> Result<i64, StoreError> {
    let mut statement = connection.prepare_cached("SELECT COALESCE(MAX(id), 0) FROM changes")?;
    Ok(statement.query_row([], |row| row.get(0))?)
}

/// What others than `origin` have left after `seen`, and the id of the last one.
///
/// A change that this version does not know, or a gap, becomes [`Change::Everything`].
pub(crate) fn left_by_others(
    connection: &Connection,
    origin: Uuid,
    seen: i64,
) -> Result<(Vec<Change>, i64), StoreError> {
    let query = "SELECT id, origin, change FROM changes WHERE id > ?1 ORDER BY id";
    let found = rows(connection, query, [seen], |row| {
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
