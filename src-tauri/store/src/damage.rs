//! Rows that cannot be read, by name, and the little that still can be read of them.

use baton_model::{PlanId, RunId, Timestamp};
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::column::{Fields, one};
use crate::{
    Store, StoreError, Unreadable, artifacts, node_states, plans, proposals, run_events, runs,
    sessions,
};

/// A row that cannot be read, and whose it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DamagedRow {
    /// Which row, and what does not fit.
    pub row: Unreadable,
    /// The plan to which it belongs, as far as that can be read.
    pub plan: Option<PlanId>,
    /// The plan's title.
    pub title: Option<String>,
    /// The run to which it belongs, if it belongs to one.
    pub run: Option<RunId>,
}

/// What can be read of a plan whose row is damaged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanOutline {
    /// Its title; `None` when even that is damaged.
    pub title: Option<String>,
    /// When it was last written; 0 when it is not known.
    pub updated_at: Timestamp,
}

/// What can be read of a run whose row is damaged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunOutline {
    /// Its plan.
    pub plan: PlanId,
    /// The version that it executes.
    pub version: u32,
    /// When it was made; 0 when it is not known.
    pub created_at: Timestamp,
    /// When it ended, if it has.
    pub ended_at: Option<Timestamp>,
}

/// A table, and how one of its rows is read. What is read is dropped.
struct Scan {
    query: &'static str,
    read: fn(&Row<'_>) -> Result<(), StoreError>,
}

/// The rows of which a list, a page or a run is made.
const SCANS: [Scan; 8] = [
    Scan {
        query: "SELECT *, id AS plan FROM plans",
        read: |row| plans::read_row(row).map(drop),
    },
    Scan {
        query: "SELECT * FROM plan_versions",
        read: |row| read_version(row),
    },
    Scan {
        query: runs::SCAN,
        read: |row| runs::read(row).map(drop),
    },
    Scan {
        query: "SELECT * FROM run_events",
        read: |row| run_events::read(run_of(row)?, row).map(drop),
    },
    Scan {
        query: "SELECT * FROM node_states",
        read: |row| node_states::read(run_of(row)?, row).map(drop),
    },
    Scan {
        query: "SELECT * FROM artifacts",
        read: |row| artifacts::read(row).map(drop),
    },
    Scan {
        query: sessions::SELECT,
        read: |row| sessions::read(row).map(drop),
    },
    Scan {
        query: "SELECT *, planning AS plan FROM proposals",
        read: |row| proposals::read(row).map(drop),
    },
];

impl Store {
    /// Every row that cannot be read. Reads all of the database and takes as long as that takes.
    pub fn damaged_rows(&self) -> Result<Vec<DamagedRow>, StoreError> {
        self.read(|connection| {
            let mut damaged = Vec::new();
            for scan in &SCANS {
                damaged.extend(find(connection, scan)?);
            }
            Ok(damaged)
        })
    }

    /// What can be read of a plan whose row is damaged; `None`: nothing.
    pub fn plan_outline(&self, plan: PlanId) -> Result<Option<PlanOutline>, StoreError> {
        self.read(|connection| {
            one(
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

    /// What can be read of a run whose row is damaged; `None`: not even its plan.
    pub fn run_outline(&self, run: RunId) -> Result<Option<RunOutline>, StoreError> {
        let query = "SELECT plan, version, created_at, ended_at FROM runs WHERE id = ?1";
        let outline = |row: &Row<'_>| {
            let Ok(plan) = row.get("plan") else {
                return Ok(None);
            };
            Ok(Some(RunOutline {
                plan: PlanId(plan),
                version: row.get("version").unwrap_or_default(),
                created_at: Timestamp(row.get("created_at").unwrap_or_default()),
                ended_at: row
                    .get::<_, Option<i64>>("ended_at")
                    .unwrap_or_default()
                    .map(Timestamp),
            }))
        };
        self.read(|connection| Ok(one(connection, query, [run.0], outline)?.flatten()))
    }
}

fn find(connection: &Connection, scan: &Scan) -> Result<Vec<DamagedRow>, StoreError> {
    let mut statement = connection.prepare(scan.query)?;
    let mut rows = statement.query([])?;
    let mut damaged = Vec::new();
    while let Some(row) = rows.next()? {
        match (scan.read)(row) {
            Ok(()) => {}
            Err(StoreError::Unreadable(unreadable)) => {
                damaged.push(whose(connection, row, unreadable)?)
            }
            Err(error) => return Err(error),
        }
    }
    Ok(damaged)
}

fn whose(
    connection: &Connection,
    row: &Row<'_>,
    unreadable: Unreadable,
) -> Result<DamagedRow, StoreError> {
    let run: Option<Uuid> = row.get("run").ok();
    let own: Option<Uuid> = row.get("plan").ok();
    let of_run = |run: Uuid| {
        one(
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
        one(
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

fn run_of(row: &Row<'_>) -> Result<RunId, StoreError> {
    Ok(RunId(row.get("run")?))
}

fn read_version(row: &Row<'_>) -> Result<(), StoreError> {
    let (plan, version): (Uuid, u32) = (row.get("plan")?, row.get("version")?);
    let fields = Fields::of(
        row,
        "plan_versions",
        format_args!("{plan}, version {version}"),
    );
    fields.json::<baton_model::Plan>("content").map(drop)
}
