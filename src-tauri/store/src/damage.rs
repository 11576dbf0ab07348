//! Finds rows that can't be read, and recovers the few fields that still can.

use baton_model::{PlanId, RunId, Timestamp};
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::column::{Fields, query_optional};
use crate::{
    Store, StoreError, Unreadable, artifacts, deleted_plans, node_states, plans, proposals,
    run_events, runs, sessions,
};

/// A row that can't be read, with the plan and run it belongs to.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DamagedRow {
    pub row: Unreadable,
    /// `None` if the row doesn't say, or that is damaged too.
    pub plan: Option<PlanId>,
    /// The plan's title, if it can be read.
    pub title: Option<String>,
    /// `None` if the row doesn't belong to a run.
    pub run: Option<RunId>,
}

/// What can still be read of a plan whose row is damaged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanOutline {
    /// `None` if the title is damaged too.
    pub title: Option<String>,
    /// When it was last written; 0 if unknown.
    pub updated_at: Timestamp,
}

/// What can still be read of a run whose row is damaged.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunOutline {
    pub plan: PlanId,
    /// 0 if unknown.
    pub number: u32,
    pub version: u32,
    /// When it was created; 0 if unknown.
    pub created_at: Timestamp,
    pub ended_at: Option<Timestamp>,
}

/// A table and the function that reads its rows. The rows are only checked, not kept.
struct TableScan {
    query: &'static str,
    read: fn(&Row<'_>) -> Result<(), StoreError>,
}

/// The tables behind lists, pages, and runs.
const TABLE_SCANS: [TableScan; 8] = [
    TableScan {
        query: "SELECT *, id AS plan FROM plans",
        read: |row| plans::read_row(row).map(drop),
    },
    TableScan {
        query: "SELECT * FROM plan_versions",
        read: |row| read_version(row),
    },
    TableScan {
        query: runs::SELECT_FOR_SCAN,
        read: |row| runs::read(row).map(drop),
    },
    TableScan {
        query: "SELECT * FROM run_events",
        read: |row| run_events::read(run_id_of(row)?, row).map(drop),
    },
    TableScan {
        query: "SELECT * FROM node_states",
        read: |row| node_states::read(run_id_of(row)?, row).map(drop),
    },
    TableScan {
        query: "SELECT * FROM artifacts",
        read: |row| artifacts::read(row).map(drop),
    },
    TableScan {
        query: sessions::SELECT,
        read: |row| sessions::read(row).map(drop),
    },
    TableScan {
        query: "SELECT *, planning AS plan FROM proposals",
        read: |row| proposals::read(row).map(drop),
    },
];

impl Store {
    /// Every row that can't be read, but those of deleted plans. Reads the whole database, so the
    /// time grows with its size.
    pub fn damaged_rows(&self) -> Result<Vec<DamagedRow>, StoreError> {
        self.read(|connection| {
            let mut damaged = Vec::new();
            for scan in &TABLE_SCANS {
                damaged.extend(scan_table(connection, scan)?);
            }
            let deleted = deleted_plans::list(connection)?;
            damaged.retain(|row| !row.plan.is_some_and(|plan| deleted.contains(&plan)));
            Ok(damaged)
        })
    }

    /// Returns what can be read of a plan whose row is damaged; `None` if nothing.
    pub fn plan_outline(&self, plan: PlanId) -> Result<Option<PlanOutline>, StoreError> {
        self.read(|connection| {
            query_optional(
                connection,
                "SELECT title, updated_at FROM plans WHERE id = ?1",
                [plan.0],
                |row| {
                    Ok(PlanOutline {
                        title: row.get("title").ok(),
                        updated_at: Timestamp(row.get("updated_at").unwrap_or_default()),
                    })
                },
            )
        })
    }

    /// Returns what can be read of a run whose row is damaged; `None` if even its plan is unknown.
    pub fn run_outline(&self, run: RunId) -> Result<Option<RunOutline>, StoreError> {
        let query = "SELECT plan, number, version, created_at, ended_at FROM runs WHERE id = ?1";
        let outline = |row: &Row<'_>| {
            let Ok(plan) = row.get("plan") else {
                return Ok(None);
            };
            Ok(Some(RunOutline {
                plan: PlanId(plan),
                number: row.get("number").unwrap_or_default(),
                version: row.get("version").unwrap_or_default(),
                created_at: Timestamp(row.get("created_at").unwrap_or_default()),
                ended_at: row
                    .get::<_, Option<i64>>("ended_at")
                    .unwrap_or_default()
                    .map(Timestamp),
            }))
        };
        self.read(|connection| Ok(query_optional(connection, query, [run.0], outline)?.flatten()))
    }
}

fn scan_table(connection: &Connection, scan: &TableScan) -> Result<Vec<DamagedRow>, StoreError> {
    let mut statement = connection.prepare(scan.query)?;
    let mut rows = statement.query([])?;
    let mut damaged = Vec::new();
    while let Some(row) = rows.next()? {
        match (scan.read)(row) {
            Ok(()) => {}
            Err(StoreError::Unreadable(unreadable)) => {
                damaged.push(resolve_owner(connection, row, unreadable)?)
            }
            Err(error) => return Err(error),
        }
    }
    Ok(damaged)
}

fn resolve_owner(
    connection: &Connection,
    row: &Row<'_>,
    unreadable: Unreadable,
) -> Result<DamagedRow, StoreError> {
    let run: Option<Uuid> = row.get("run").ok();
    let own: Option<Uuid> = row.get("plan").ok();
    let of_run = |run: Uuid| {
        query_optional(
            connection,
            "SELECT plan FROM runs WHERE id = ?1",
            [run],
            |row| Ok(row.get(0).ok()),
        )
    };
    let plan = match (own, run) {
        (Some(plan), _) => Some(plan),
        (None, Some(run)) => of_run(run)?.flatten(),
        (None, None) => None,
    };
    let title = |plan: Uuid| {
        query_optional(
            connection,
            "SELECT title FROM plans WHERE id = ?1",
            params![plan],
            |row| Ok(row.get(0).ok()),
        )
    };
    Ok(DamagedRow {
        row: unreadable,
        plan: plan.map(PlanId),
        title: plan.map(title).transpose()?.flatten().flatten(),
        run: run.map(RunId),
    })
}

fn run_id_of(row: &Row<'_>) -> Result<RunId, StoreError> {
    Ok(RunId(row.get("run")?))
}

fn read_version(row: &Row<'_>) -> Result<(), StoreError> {
    let (plan, version): (Uuid, u32) = (row.get("plan")?, row.get("version")?);
    let fields = Fields::new(
        row,
        "plan_versions",
        format_args!("{plan}, version {version}"),
    );
    fields.json::<baton_model::Plan>("content").map(drop)
}
