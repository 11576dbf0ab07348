//! The contents of all plan versions. A version's content is only replaced by one that differs in
//! layout.

use baton_model::{Plan, PlanId, Timestamp};
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};

use crate::column::{Fields, json, not_found, query_optional, query_rows};
use crate::{Actor, Store, StoreError};

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

/// One version of a plan, without its content.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct VersionRow {
    /// Counts from 1 per plan.
    pub version: u32,
    /// The version it was made from.
    pub previous: Option<u32>,
    pub author: Actor,
    pub at: Timestamp,
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

    /// All versions of a plan, newest first.
    pub fn list(&self, plan: PlanId) -> Result<Vec<VersionRow>, StoreError> {
        let query = "SELECT plan, version, author, at, previous FROM plan_versions WHERE plan = ?1 ORDER BY version DESC";
        self.store.read(|connection| {
            query_rows(connection, query, [plan.0], |row| {
                Ok(VersionRow {
                    version: row.get("version")?,
                    previous: row.get("previous")?,
                    author: row.get("author")?,
                    at: Timestamp(row.get("at")?),
                })
            })
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
    version: u32,
    previous: Option<u32>,
    author: &Actor,
    now: Timestamp,
) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "INSERT INTO plan_versions (plan, version, content, author, at, previous) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![plan.id.0, version, json(plan)?, author, now.0, previous])?;
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
