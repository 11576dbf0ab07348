//! Applies the rules of retention: deletes old runs, and archives plans that nobody uses.

use std::collections::{BTreeMap, BTreeSet};

use baton_model::{PlanId, Retention, RunId};
use baton_store::{RetainedPlan, StoreError};

use crate::settings::StoredSettings;
use crate::{Context, PlanningError, run_deletion};

/// How many runs are deleted at once. Starts of runs wait that long.
const CHUNK: usize = 100;

/// What the rules did.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct RetentionResult {
    /// Runs that were deleted, with the runs below them.
    pub deleted: Vec<RunId>,
    /// Plans that were archived.
    pub archived: Vec<PlanId>,
}

/// Applies the rules to `only`, or to all plans. Ends early once `is_closing` returns true. Runs
/// that something needs stay, and are checked again next time.
pub fn apply(
    context: &Context,
    only: Option<PlanId>,
    is_closing: impl Fn() -> bool,
) -> Result<RetentionResult, PlanningError> {
    let default = StoredSettings::read(&context.store)?.retention;
    let mut result = RetentionResult::default();
    for plan in context.store.retained_plans()? {
        if is_closing() {
            break;
        }
        if only.is_some_and(|only| only != plan.plan) {
            continue;
        }
        let rule = plan.retention.unwrap_or(default);
        if archive(context, &plan, &rule)? {
            result.archived.push(plan.plan);
        }
        let expired = expired_runs(context, plan.plan, &rule)?;
        for chunk in expired.chunks(CHUNK) {
            let done = run_deletion::delete(context, chunk)?;
            result.deleted.extend(done.deleted);
            if is_closing() {
                break;
            }
        }
    }
    Ok(result)
}

fn archive(
    context: &Context,
    plan: &RetainedPlan,
    rule: &Retention,
) -> Result<bool, PlanningError> {
    let now = context.now();
    if !rule.archives(&plan.facts, now) {
        return Ok(false);
    }
    match context.store.plans().archive(plan.plan, now) {
        Ok(()) => Ok(true),
        // It was started or deleted in the meantime.
        Err(
            StoreError::PlanIsRunning { .. }
            | StoreError::PlanDeleted { .. }
            | StoreError::NotFound { .. },
        ) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// The runs of a plan to delete. Asks only about those that are old enough what needs them.
fn expired_runs(
    context: &Context,
    plan: PlanId,
    rule: &Retention,
) -> Result<Vec<RunId>, PlanningError> {
    if !rule.deletes_runs() {
        return Ok(Vec::new());
    }
    let now = context.now();
    let mut facts = context.store.runs().retention_facts(plan)?;
    let old: BTreeSet<RunId> = rule.expired_runs(&facts, now).into_iter().collect();
    let needed = needed_runs(context, &old)?;
    for run in &mut facts {
        run.is_needed = needed.contains(&run.id);
    }
    Ok(rule.expired_runs(&facts, now))
}

/// Those of `runs` that a question, a worktree, or an unfinished run below them needs.
fn needed_runs(
    context: &Context,
    runs: &BTreeSet<RunId>,
) -> Result<BTreeSet<RunId>, PlanningError> {
    let mut needed = BTreeSet::new();
    // Each run and the runs below it, with the top-level run.
    let mut families: BTreeMap<RunId, RunId> = BTreeMap::new();
    for run in runs {
        let Some(found) = context.store.runs().deletable(*run)? else {
            continue;
        };
        if found.kept_because.is_some() || found.asks {
            needed.insert(*run);
        }
        families.extend(found.descendants.iter().chain([run]).map(|id| (*id, *run)));
    }
    let unmerged = run_deletion::unmerged_runs(context, &families.keys().copied().collect())?;
    needed.extend(unmerged.iter().filter_map(|run| families.get(run)));
    Ok(needed)
}
