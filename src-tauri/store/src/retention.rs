//! What the rules of retention need: the plans that they apply to, and which process applies them.

use baton_model::retention::PlanFacts;
use baton_model::{PlanId, Retention, Timestamp};
use rusqlite::params;

use crate::column::{Fields, query_rows};
use crate::{Store, StoreError};

/// Work that one process does for all of them from time to time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HousekeepingTask {
    /// Removing plans that were deleted long ago.
    PurgePlans,
    /// Applying the rules of retention.
    ApplyRetention,
}

impl HousekeepingTask {
    /// The key in the table `settings` of the last time.
    fn key(self) -> &'static str {
        match self {
            Self::PurgePlans => "plansPurgedAt",
            Self::ApplyRetention => "retentionSweptAt",
        }
    }
}

/// A plan that a rule may apply to.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetainedPlan {
    pub plan: PlanId,
    /// Its own rule; `None` for the rule of the settings.
    pub retention: Option<Retention>,
    pub facts: PlanFacts,
}

impl Store {
    /// All plans except planners' and deleted ones, oldest first. A plan whose rule can't be read is
    /// left out, so that nothing of it is deleted.
    pub fn retained_plans(&self) -> Result<Vec<RetainedPlan>, StoreError> {
        // The last start and the last end of a run are read from indexes.
        let query = "SELECT id, retention, archived_at IS NOT NULL AS is_archived,
                EXISTS (SELECT 1 FROM runs WHERE plan = plans.id AND ended_at IS NULL) AS is_unfinished,
                MAX(updated_at,
                    COALESCE((SELECT MAX(created_at) FROM runs WHERE plan = plans.id), 0),
                    COALESCE((SELECT MAX(ended_at) FROM runs WHERE plan = plans.id AND ended_at IS NOT NULL), 0)
                ) AS last_activity
            FROM plans WHERE deleted_at IS NULL AND id NOT IN planning_plans ORDER BY id";
        self.read(|connection| {
            let plans = query_rows(connection, query, [], |row| {
                let plan = PlanId(row.get("id")?);
                let fields = Fields::new(row, "plans", plan);
                let facts = PlanFacts {
                    is_archived: fields.get("is_archived")?,
                    has_unfinished_run: fields.get("is_unfinished")?,
                    last_activity: Timestamp(fields.get("last_activity")?),
                };
                let retention = match fields.optional_json("retention") {
                    Err(StoreError::Unreadable(_)) => return Ok(None),
                    read => read?,
                };
                Ok(Some(RetainedPlan {
                    plan,
                    retention,
                    facts,
                }))
            })?;
            Ok(plans.into_iter().flatten().collect())
        })
    }

    /// Claims a task, so that only one process carries it out. False if it was claimed less than
    /// `interval_ms` before `now`.
    pub fn claim_housekeeping(
        &self,
        task: HousekeepingTask,
        now: Timestamp,
        interval_ms: u64,
    ) -> Result<bool, StoreError> {
        let latest = now.0.saturating_sub_unsigned(interval_ms);
        self.write(|writing| {
            // A time in the future is from a clock that was set back.
            let query = "INSERT INTO settings (key, value) VALUES (?1, ?2)
                ON CONFLICT (key) DO UPDATE SET value = ?2
                WHERE CAST(value AS INTEGER) <= ?3 OR CAST(value AS INTEGER) > ?4";
            let changed = writing
                .tx
                .execute(query, params![task.key(), now.0.to_string(), latest, now.0])?;
            Ok(changed > 0)
        })
    }
}
