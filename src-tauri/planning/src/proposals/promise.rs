//! The run that was promised when a proposal was accepted. It is named before it begins, so that it begins once, also
//! when Baton dies in between.

use baton_model::planning::{Proposal, ProposalState, Subject};
use baton_store::{ProposalRow, StoreError};

use crate::{Context, PlanningError, replans};

/// Begins the promised run, if there is one. Whoever is second finds it there, and all is well.
///
/// A person who did not wait and began a run of the plan meanwhile is promised nothing any more; nor is one who has
/// deleted the plan or the run before.
pub(super) fn keep(context: &Context, row: ProposalRow) -> Result<ProposalRow, PlanningError> {
    let (Some(run), Subject::Replan { run: before, .. }) =
        (row.proposal.promised, &row.proposal.request.subject)
    else {
        return Ok(row);
    };
    let before = *before;
    replans::tell_run(context, &row.proposal);
    if let (false, ProposalState::Accepted { plan, version, .. }) =
        (is_overtaken(context, &row.proposal)?, &row.proposal.state)
    {
        match replans::go_on(context, before, run, (*plan, *version)) {
            Err(error) if error.is_not_found() => {
                tracing::warn!(%run, %error, "a promised run is not begun")
            }
            begun => begun?,
        }
    }
    baton_engine::crash_point("after promised run");
    let ProposalRow {
        mut proposal,
        revision,
    } = row;
    proposal.promised = None;
    match context
        .store
        .proposals()
        .update(&proposal, revision, None, &context.actor())
    {
        Err(StoreError::ProposalMoved { .. }) => Ok(context.store.proposals().get(proposal.id)?),
        kept => Ok(kept?),
    }
}

/// Whether a run of the plan has begun since the acceptance, by somebody else.
fn is_overtaken(context: &Context, proposal: &Proposal) -> Result<bool, PlanningError> {
    let ProposalState::Accepted { plan, .. } = proposal.state else {
        return Ok(true);
    };
    let latest = context
        .store
        .runs()
        .list(Some(plan), 1)?
        .rows
        .into_iter()
        .next();
    Ok(latest.is_some_and(|latest| {
        Some(latest.id) != proposal.promised && latest.created_at > proposal.updated_at
    }))
}
