//! The contents of all plan versions. A version's content is only replaced by one that differs in
//! layout.

use baton_model::{Plan, PlanId, RunId, Timestamp, VersionChange};
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};

use crate::column::{Fields, json, not_found, query_optional, query_rows};
use crate::{Actor, Change, Store, StoreError, deleted_plans};

pub(crate) const MIGRATION_1: &str = "
CREATE TABLE plan_versions (
    plan BLOB NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    content TEXT NOT NULL,
    author TEXT NOT NULL,
    at INTEGER NOT NULL,
    previous INTEGER,
    PRIMARY KEY (plan, version)
) STRICT;
";

// The name that a person gave a version, to find it again; and what the version changed, which
// would take too long to find out for each version of a list. NULL in versions of older formats.
pub(crate) const MIGRATION_10: &str = "
ALTER TABLE plan_versions ADD COLUMN name TEXT;
ALTER TABLE plan_versions ADD COLUMN changes TEXT;
";

/// One version of a plan, without its content.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct VersionRow {
    /// Counts from 1 per plan.
    pub version: u32,
    /// The version it was made from.
    pub previous: Option<u32>,
    pub author: Actor,
    pub at: Timestamp,
    /// The name that a person gave it.
    pub name: Option<String>,
    /// What it changed; `None` if an older Baton stored it.
    pub changes: Option<Vec<VersionChange>>,
}

/// A run and the version that it executes.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VersionRun {
    pub version: u32,
    pub run: RunId,
    /// Counts the runs of its plan from 1.
    pub number: u32,
}

/// What the row of a new version says besides its content.
pub(crate) struct NewVersion<'a> {
    pub(crate) version: u32,
    pub(crate) previous: Option<u32>,
    pub(crate) changes: &'a [VersionChange],
}

/// Handle for the table `plan_versions`; see [`Store::plan_versions`].
#[derive(Clone, Copy)]
pub struct PlanVersions<'store> {
    store: &'store Store,
}

impl Store {
    /// Access to the table `plan_versions`.
    #[must_use]
    pub fn plan_versions(&self) -> PlanVersions<'_> {
        PlanVersions { store: self }
    }
}

impl PlanVersions<'_> {
    /// Returns the content of one version.
    pub fn content(&self, plan: PlanId, version: u32) -> Result<Plan, StoreError> {
        self.store
            .read(|connection| content(connection, plan, version))
    }

    /// When a version was saved.
    pub fn saved_at(&self, plan: PlanId, version: u32) -> Result<Timestamp, StoreError> {
        let query = "SELECT at FROM plan_versions WHERE plan = ?1 AND version = ?2";
        let found = self.store.read(|connection| {
            query_optional(connection, query, params![plan.0, version], |row| {
                Ok(Timestamp(row.get("at")?))
            })
        })?;
        found.ok_or_else(|| not_found("the version", plan))
    }

    /// All versions of a plan, newest first.
    pub fn list(&self, plan: PlanId) -> Result<Vec<VersionRow>, StoreError> {
        let query = "SELECT plan, version, author, at, previous, name, changes FROM plan_versions WHERE plan = ?1 ORDER BY version DESC";
        self.store.read(|connection| {
            query_rows(connection, query, [plan.0], |row| {
                Ok(VersionRow {
                    version: row.get("version")?,
                    previous: row.get("previous")?,
                    author: row.get("author")?,
                    at: Timestamp(row.get("at")?),
                    name: row.get("name")?,
                    // A summary only: the version itself tells everything.
                    changes: row
                        .get::<_, Option<String>>("changes")?
                        .and_then(|changes| serde_json::from_str(&changes).ok()),
                })
            })
        })
    }

    /// The runs of a plan with their versions, newest first.
    pub fn runs(&self, plan: PlanId) -> Result<Vec<VersionRun>, StoreError> {
        let query = "SELECT version, id, number FROM runs WHERE plan = ?1 AND id NOT IN hidden_runs ORDER BY number DESC";
        self.store.read(|connection| {
            query_rows(connection, query, [plan.0], |row| {
                Ok(VersionRun {
                    version: row.get(0)?,
                    run: RunId(row.get(1)?),
                    number: row.get(2)?,
                })
            })
        })
    }

    /// Names a version, or removes its name.
    pub fn set_name(
        &self,
        plan: PlanId,
        version: u32,
        name: Option<&str>,
    ) -> Result<(), StoreError> {
        self.store.write(|writing| {
            deleted_plans::refuse_deleted(writing.tx, plan)?;
            let query = "UPDATE plan_versions SET name = ?3 WHERE plan = ?1 AND version = ?2";
            let parameters = params![plan.0, version, name];
            if writing.tx.prepare_cached(query)?.execute(parameters)? == 0 {
                return Err(not_found(
                    "version",
                    format_args!("{version} of plan {plan}"),
                ));
            }
            writing.changes.push(Change::PlanChanged {
                plan,
                revision: None,
            });
            Ok(())
        })
    }
}

pub(crate) fn content(
    connection: &Connection,
    plan: PlanId,
    version: u32,
) -> Result<Plan, StoreError> {
    let query = "SELECT content FROM plan_versions WHERE plan = ?1 AND version = ?2";
    query_optional(connection, query, params![plan.0, version], |row| {
        Fields::new(
            row,
            "plan_versions",
            format_args!("{plan}, version {version}"),
        )
        .json("content")
    })?
    .ok_or_else(|| not_found("version", format_args!("{version} of plan {plan}")))
}

pub(crate) fn add(
    connection: &Connection,
    plan: &Plan,
    new: &NewVersion<'_>,
    author: &Actor,
    now: Timestamp,
) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "INSERT INTO plan_versions (plan, version, content, author, at, previous, changes)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![
            plan.id.0,
            new.version,
            json(plan)?,
            author,
            now.0,
            new.previous,
            json(&new.changes)?
        ])?;
    Ok(())
}

pub(crate) fn replace(
    connection: &Connection,
    plan: &Plan,
    version: u32,
) -> Result<(), StoreError> {
    connection
        .prepare_cached("UPDATE plan_versions SET content = ?3 WHERE plan = ?1 AND version = ?2")?
        .execute(params![plan.id.0, version, json(plan)?])?;
    Ok(())
}
