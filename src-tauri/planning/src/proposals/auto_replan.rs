//! Replans that Baton requests itself, after a failed run whose plan asks for it.

use std::collections::HashMap;

use baton_model::plan::ReplanMode;
use baton_model::{PlanId, ProposalId, RunId, RunState};
use baton_store::RunRow;

use super::requests::{RequestOutcome, replan_automatically};
use crate::plan_versions::plan_version;
use crate::{Context, PlanningError, replans};

/// A cache of which plans have automatic replans enabled.
#[derive(Default)]
pub(crate) struct AutoReplans {
    enabled_by_plan: HashMap<PlanId, bool>,
}

impl AutoReplans {
    /// Drops what is known of a plan that changed.
    pub(crate) fn forget(&mut self, plan: PlanId) {
        self.enabled_by_plan.remove(&plan);
    }

    /// Requests a replan if the run has failed, its plan enables that, and the limit is not
    /// reached.
    pub(crate) fn run_changed(&mut self, context: &Context, run: RunId, plan: PlanId) {
        let is_enabled = *self
            .enabled_by_plan
            .entry(plan)
            .or_insert_with(|| auto_replan_enabled(context, plan));
        if is_enabled && let Err(error) = propose(context, run) {
            tracing::warn!(%run, %error, "couldn't request an automatic replan");
        }
    }

    /// Does the same for runs that failed while no long-running process existed, or whose process
    /// died before its request.
    pub(crate) fn catch_up(&mut self, context: &Context) -> Result<(), PlanningError> {
        for row in context.store.runs().latest_failed()?.rows {
            self.run_changed(context, row.id, row.plan);
        }
        Ok(())
    }
}

/// Requests a replan after a run, if its plan enables that. Returns the open proposal about the
/// run, even if something else requested it.
pub fn propose_if_enabled(
    context: &Context,
    run: RunId,
) -> Result<Option<ProposalId>, PlanningError> {
    let row = context.store.runs().get(run)?;
    if auto_replan_enabled(context, row.plan) {
        propose(context, run)?;
    }
    let about = context.store.proposals().about_run(run)?.rows;
    let open = about.iter().rev().find(|row| row.proposal.state.is_open());
    if let Some(row) = open {
        // The process that requested it may be gone.
        context.follow_proposals();
        replans::notify_run(context, &row.proposal);
    }
    Ok(open.map(|row| row.proposal.id))
}

fn auto_replan_enabled(context: &Context, plan: PlanId) -> bool {
    context
        .store
        .plans()
        .current(plan)
        .is_ok_and(|(_, plan)| plan.settings.replan == ReplanMode::Propose)
}

fn propose(context: &Context, run: RunId) -> Result<(), PlanningError> {
    let row = context.store.runs().get(run)?;
    if !matches!(row.state, RunState::Failed { .. }) || row.parent.is_some() {
        return Ok(());
    }
    if context.store.runs().lacks_approval_after_import(run)? {
        return Ok(());
    }
    baton_engine::crash_point("before replan");
    let Some(proposal) = propose_once(context, &row)? else {
        return Ok(());
    };
    baton_engine::crash_point("after replan");
    replans::notify_run(context, &context.store.proposals().get(proposal)?.proposal);
    Ok(())
}

fn propose_once(context: &Context, row: &RunRow) -> Result<Option<ProposalId>, PlanningError> {
    // If several processes see the run fail, only one sends a request.
    let _lock = context.interprocess_lock()?;
    if !context.store.proposals().about_run(row.id)?.rows.is_empty() {
        return Ok(None);
    }
    let plan = plan_version(context, row.plan, row.version)?;
    // The version that the run executed must enable it, not only the current one.
    if plan.settings.replan != ReplanMode::Propose {
        return Ok(None);
    }
    let tries = count_automatic_replans(context, row.id)?;
    if tries >= plan.settings.max_retries.min(MAX_AUTOMATIC_REPLANS) as usize {
        return Ok(None);
    }
    Ok(match replan_automatically(context, row.id)? {
        RequestOutcome::Started(proposal) => Some(proposal.id),
        RequestOutcome::AlreadyPlanned { sentence } => {
            tracing::info!(run = %row.id, %sentence, "a planner is already working on this goal, so no replan is requested");
            None
        }
    })
}

/// The upper limit of automatic replans, regardless of the plan.
const MAX_AUTOMATIC_REPLANS: u32 = 3;

/// The number of automatic replans in the chain of runs that led to `run`.
fn count_automatic_replans(context: &Context, run: RunId) -> Result<usize, PlanningError> {
    let (mut tries, mut at) = (0, Some(run));
    while let Some(run) = at {
        at = context.store.run_events().inherited_from(run)?;
        if let Some(before) = at {
            let about = context.store.proposals().about_run(before)?.rows;
            tries += usize::from(about.iter().any(|row| row.proposal.request.automatic));
        }
    }
    Ok(tries)
}
