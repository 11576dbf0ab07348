//! Deleting plans: a deleted plan is hidden with its runs for 30 days, then it's removed for good.

use baton_model::{PlanId, RunId, Timestamp};
use rusqlite::params;
use serde::{Deserialize, Serialize};

use crate::column::{Fields, query_listing, query_rows};
use crate::deleted_plans::{deleted_at, refuse_deleted};
use crate::{
    Change, ExecutorRow, Listing, Plans, StoreError, executors, plan_log, plans, proposals,
};

/// How long a deleted plan can be restored, in milliseconds: 30 days.
const RESTORABLE_FOR: i64 = 30 * 24 * 60 * 60 * 1000;

/// When a plan that was deleted at `deleted_at` is removed for good.
#[must_use]
pub fn deleted_until(deleted_at: Timestamp) -> Timestamp {
    Timestamp(deleted_at.0.saturating_add(RESTORABLE_FOR))
}

/// A deleted plan that can still be restored.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DeletedPlan {
    pub id: PlanId,
    pub title: String,
    pub deleted_at: Timestamp,
    /// From then on it can't be restored.
    pub deleted_until: Timestamp,
    /// Number of executable nodes.
    pub node_count: u32,
    pub run_count: u32,
}

impl Plans<'_> {
    /// Hides a plan with its runs. Nothing is removed until [`Plans::purge`].
    ///
    /// Refused while a run of the plan is `running` and `lives` returns true for its executor.
    pub fn delete(
        &self,
        plan: PlanId,
        now: Timestamp,
        lives: impl Fn(&ExecutorRow) -> bool,
    ) -> Result<(), StoreError> {
        self.delete_revision(plan, None, now, lives)
    }

    /// Hides a plan like [`delete`](Self::delete), unless it has another revision by now than the
    /// one that the caller saw.
    pub fn delete_revision(
        &self,
        plan: PlanId,
        base_revision: Option<u64>,
        now: Timestamp,
        lives: impl Fn(&ExecutorRow) -> bool,
    ) -> Result<(), StoreError> {
        self.store.write(|writing| {
            refuse_deleted(writing.tx, plan)?;
            if let Some(base) = base_revision {
                plans::require_revision(writing.tx, plan, base)?;
            }
            let runs = executors::list_for_running_runs(writing.tx, plan)?;
            let runs: Vec<_> = runs
                .into_iter()
                .filter(|(_, executor)| lives(executor))
                .map(|(run, _)| run)
                .collect();
            if !runs.is_empty() {
                return Err(StoreError::PlanIsRunning { plan, runs });
            }
            writing.tx.execute(
                "UPDATE plans SET deleted_at = ?2 WHERE id = ?1",
                params![plan.0, now.0],
            )?;
            // An interrupted node may hold a lock, and nobody can resume it while it's hidden.
            writing
                .tx
                .execute("DELETE FROM permits WHERE run IN hidden_runs", [])?;
            writing
                .tx
                .execute("DELETE FROM permit_waits WHERE run IN hidden_runs", [])?;
            let runs = "SELECT id FROM runs WHERE plan = ?1 AND ended_at IS NULL";
            let freed = query_rows(writing.tx, runs, [plan.0], |row| {
                let run = RunId(row.get(0)?);
                Ok(Change::PermitsFreed { run })
            })?;
            writing.changes.extend(freed);
            writing.changes.push(Change::PlanDeleted { plan });
            Ok(())
        })
    }

    /// Brings a deleted plan back with everything it had. Does nothing if it isn't deleted.
    pub fn restore(&self, plan: PlanId) -> Result<(), StoreError> {
        self.store.write(|writing| {
            if deleted_at(writing.tx, plan)?.is_some() {
                let query = "UPDATE plans SET deleted_at = NULL WHERE id = ?1";
                writing.tx.execute(query, [plan.0])?;
                plan_log::mark_gap(writing.tx, plan)?;
                // Lists of runs, sessions and inbox items change with it.
                writing.changes.push(Change::Everything);
            }
            Ok(())
        })
    }

    /// Removes a deleted plan with its versions, runs, proposals, and all dependent rows. Session
    /// files stay.
    ///
    /// Refused if the plan isn't deleted.
    pub fn purge(&self, plan: PlanId) -> Result<(), StoreError> {
        self.store.write(|writing| {
            if deleted_at(writing.tx, plan)?.is_none() {
                return Err(StoreError::PlanNotDeleted { plan });
            }
            proposals::remove_of_plan(writing, plan)?;
            writing
                .tx
                .execute("DELETE FROM plans WHERE id = ?1", [plan.0])?;
            writing.changes.push(Change::PlanDeleted { plan });
            Ok(())
        })
    }

    /// The deleted plans, last deleted first.
    pub fn deleted(&self) -> Result<Listing<DeletedPlan>, StoreError> {
        let query = "SELECT id, title, deleted_at, node_count,
                 (SELECT COUNT(*) FROM runs WHERE runs.plan = plans.id) AS run_count
             FROM plans WHERE deleted_at IS NOT NULL ORDER BY deleted_at DESC, id DESC";
        self.store.read(|connection| {
            query_listing(connection, query, [], |row| {
                let id = PlanId(row.get("id")?);
                let fields = Fields::new(row, "plans", id);
                let deleted_at = Timestamp(fields.get("deleted_at")?);
                Ok(DeletedPlan {
                    id,
                    title: fields.get("title")?,
                    deleted_at,
                    deleted_until: deleted_until(deleted_at),
                    node_count: fields.get("node_count")?,
                    run_count: fields.get("run_count")?,
                })
            })
        })
    }
}
