//! Retention: which runs of a plan are deleted after a while, and when a plan is archived.
//!
//! Only decides. Nothing that something else needs is ever chosen: see [`RunFacts::is_needed`].

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::{RunId, Timestamp};

#[cfg(test)]
mod tests;

/// One day in milliseconds.
const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// A rule that says which ended runs of a plan are kept. A run is kept if one of the limits keeps
/// it; a limit that isn't set keeps none. If neither is set, all runs are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Retention {
    /// Keeps this many runs of the plan, the newest ones.
    pub keep_last: Option<u32>,
    /// Keeps runs that ended at most this many days ago.
    pub keep_days: Option<u32>,
    /// Archives the plan after this many days without a run or an edit; `None` for never.
    pub archive_after_days: Option<u32>,
}

/// A limit of a rule that is out of range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidRetention {
    /// The number of runs to keep.
    #[error(
        "the number of runs to keep must be from 1 to {}",
        Retention::MAX_KEEP_LAST
    )]
    KeepLast,
    /// The number of days to keep runs.
    #[error(
        "the number of days to keep runs must be from 1 to {}",
        Retention::MAX_DAYS
    )]
    KeepDays,
    /// The number of days until a plan is archived.
    #[error(
        "the number of days until a plan is archived must be from 1 to {}",
        Retention::MAX_DAYS
    )]
    ArchiveAfterDays,
}

impl Retention {
    /// The largest accepted number of runs.
    pub const MAX_KEEP_LAST: u32 = 100_000;
    /// The largest accepted number of days.
    pub const MAX_DAYS: u32 = 3650;

    /// Checks the limits.
    ///
    /// # Errors
    ///
    /// The first limit that is out of range.
    pub fn check(&self) -> Result<(), InvalidRetention> {
        let fits = |limit: Option<u32>, max| limit.is_none_or(|limit| (1..=max).contains(&limit));
        if !fits(self.keep_last, Self::MAX_KEEP_LAST) {
            return Err(InvalidRetention::KeepLast);
        }
        if !fits(self.keep_days, Self::MAX_DAYS) {
            return Err(InvalidRetention::KeepDays);
        }
        if !fits(self.archive_after_days, Self::MAX_DAYS) {
            return Err(InvalidRetention::ArchiveAfterDays);
        }
        Ok(())
    }

    /// Whether the rule ever deletes a run.
    #[must_use]
    pub fn deletes_runs(&self) -> bool {
        self.keep_last.is_some() || self.keep_days.is_some()
    }

    /// The runs to delete among `runs`: all top-level runs of one plan, newest first.
    #[must_use]
    pub fn expired_runs(&self, runs: &[RunFacts], now: Timestamp) -> Vec<RunId> {
        if !self.deletes_runs() {
            return Vec::new();
        }
        let mut expired = Vec::new();
        let mut reused = HashSet::new();
        for (position, run) in runs.iter().enumerate() {
            if self.keeps(position, run, now) || run.is_needed || reused.contains(&run.id) {
                // Later runs come first, so all that reuse a run's work are known by now.
                reused.extend(run.inherits);
            } else {
                expired.push(run.id);
            }
        }
        expired
    }

    fn keeps(&self, position: usize, run: &RunFacts, now: Timestamp) -> bool {
        let is_recent = self.keep_last.is_some_and(|last| position < last as usize);
        is_recent
            || run.ended_at.is_none_or(|ended| {
                self.keep_days
                    .is_some_and(|days| now.ms_since(ended) <= u64::from(days) * DAY_MS)
            })
    }

    /// Whether a plan with these facts is archived now.
    #[must_use]
    pub fn archives(&self, plan: &PlanFacts, now: Timestamp) -> bool {
        !plan.is_archived
            && !plan.has_unfinished_run
            && self
                .archive_after_days
                .is_some_and(|days| now.ms_since(plan.last_activity) > u64::from(days) * DAY_MS)
    }
}

/// What a rule needs to know of a run.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunFacts {
    pub id: RunId,
    /// `None` for a run that hasn't ended, which is always kept.
    pub ended_at: Option<Timestamp>,
    /// The earlier run whose results it reuses.
    pub inherits: Option<RunId>,
    /// A question or a request waits for a person, a worktree has work that isn't merged, or a
    /// child run hasn't ended.
    pub is_needed: bool,
}

/// What a rule needs to know of a plan.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanFacts {
    pub is_archived: bool,
    /// One of its runs runs, or waits for somebody.
    pub has_unfinished_run: bool,
    /// The last edit, or the start or end of its last run.
    pub last_activity: Timestamp,
}
