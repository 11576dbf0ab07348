//! Which plans and runs are hidden because a plan was deleted.
//!
//! Two views say it, so that each query states it the same way. A sub-plan's run is hidden with the
//! run that started it.

use baton_model::{PlanId, RunId, Timestamp};
use rusqlite::Connection;

use crate::StoreError;
use crate::column::{not_found, query_optional, query_rows};

pub(crate) const MIGRATION_10: &str = "
CREATE INDEX plans_deleted ON plans (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE VIEW deleted_plans AS SELECT id FROM plans WHERE deleted_at IS NOT NULL;
CREATE VIEW hidden_runs AS
WITH RECURSIVE hidden (id) AS (
    SELECT runs.id FROM deleted_plans JOIN runs ON runs.plan = deleted_plans.id
    UNION SELECT runs.id FROM hidden JOIN runs ON runs.parent_run = hidden.id
)
SELECT id FROM hidden;
";

pub(crate) fn list(connection: &Connection) -> Result<Vec<PlanId>, StoreError> {
    let query = "SELECT id FROM deleted_plans";
    query_rows(connection, query, [], |row| Ok(PlanId(row.get(0)?)))
}

/// Fails if the plan doesn't exist or is deleted. Reads nothing that may be damaged.
pub(crate) fn refuse_deleted(connection: &Connection, plan: PlanId) -> Result<(), StoreError> {
    match deleted_at(connection, plan)? {
        Some(_) => Err(StoreError::PlanDeleted { plan }),
        None => Ok(()),
    }
}

/// Fails if the run belongs to a deleted plan.
pub(crate) fn refuse_hidden_run(connection: &Connection, run: RunId) -> Result<(), StoreError> {
    let query = "SELECT plan FROM runs WHERE id = ?1 AND id IN hidden_runs";
    match query_optional(connection, query, [run.0], |row| Ok(PlanId(row.get(0)?)))? {
        Some(plan) => Err(StoreError::PlanDeleted { plan }),
        None => Ok(()),
    }
}

/// When the plan was deleted; `None` if it wasn't. Fails if there is no such plan.
pub(crate) fn deleted_at(
    connection: &Connection,
    plan: PlanId,
) -> Result<Option<Timestamp>, StoreError> {
    let query = "SELECT deleted_at FROM plans WHERE id = ?1";
    query_optional(connection, query, [plan.0], |row| {
        Ok(row.get::<_, Option<i64>>(0)?.map(Timestamp))
    })?
    .ok_or_else(|| not_found("the plan", plan))
}
