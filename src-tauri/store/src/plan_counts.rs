//! How many plans there are in each status, with their sizes and the durations of their runs.

use baton_model::PlanStatus;
use rusqlite::Row;

use crate::plans_page::STATUS;
use crate::{Plans, StoreError};

/// The plans in one status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanCount {
    /// The status that they share.
    pub status: PlanStatus,
    /// Number of plans.
    pub plans: u32,
    /// Number of executable nodes in all of them.
    pub nodes: u64,
    /// How many of their latest runs have ended.
    pub ended_runs: u32,
    /// The time that those runs took, from start to end, in milliseconds.
    pub took_ms: u64,
}

impl Plans<'_> {
    /// Counts plans by their status: those of `user`, or all. A plan without a user belongs to
    /// `default`. Leaves out deleted plans, planners' plans, and statuses without plans.
    pub fn counts(&self, user: Option<&str>) -> Result<Vec<PlanCount>, StoreError> {
        let query = format!(
            "SELECT status, COUNT(*), SUM(node_count), COUNT(took_ms), COALESCE(SUM(took_ms), 0)
             FROM (SELECT {STATUS} AS status, node_count, (
                     SELECT took_ms FROM runs WHERE runs.plan = plans.id
                     ORDER BY runs.created_at DESC, runs.id DESC LIMIT 1
                 ) AS took_ms
                 FROM plans WHERE planner = 0 AND deleted_at IS NULL
                     AND (?1 IS NULL OR COALESCE(user, 'default') = ?1))
             GROUP BY status"
        );
        self.store.read(|connection| {
            let mut statement = connection.prepare_cached(&query)?;
            let rows = statement.query_map([user], count)?;
            // A status that no model knows is that of a damaged run.
            let known = rows.filter_map(Result::transpose);
            Ok(known.collect::<Result<_, _>>()?)
        })
    }
}

fn count(row: &Row<'_>) -> rusqlite::Result<Option<PlanCount>> {
    let name = row.get_ref(0)?.as_str()?;
    let mut all = PlanStatus::ALL.into_iter();
    let Some(status) = all.find(|status| status.as_str() == name) else {
        return Ok(None);
    };
    Ok(Some(PlanCount {
        status,
        plans: row.get(1)?,
        nodes: row.get(2)?,
        ended_runs: row.get(3)?,
        took_ms: row.get(4)?,
    }))
}
