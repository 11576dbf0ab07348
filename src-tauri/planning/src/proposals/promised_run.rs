//! The run that was promised when a proposal was accepted. Its id is stored before it starts, so
//! that it starts exactly once even if Baton dies in between.

use baton_model::planning::{Proposal, ProposalState, Subject};
use baton_store::{ProposalRow, ProposalUpdate, StoreError};

use crate::{Context, PlanningError, replans};

/// Starts the promised run, if there is one. Succeeds if another process has started it.
///
/// The promise is dropped if a person started another run of the plan meanwhile, or deleted the
/// plan or the previous run.
pub(super) fn begin_promised_run(
    context: &Context,
    row: ProposalRow,
) -> Result<ProposalRow, PlanningError> {
    let (Some(run), Subject::Replan { run: before, .. }) =
        (row.proposal.promised, &row.proposal.request.subject)
    else {
        return Ok(row);
    };
    let before = *before;
    replans::notify_run(context, &row.proposal);
    if let (false, ProposalState::Accepted { plan, version, .. }) = (
        was_started_elsewhere(context, &row.proposal)?,
        &row.proposal.state,
    ) {
        match replans::begin_follow_up_run(context, before, run, (*plan, *version)) {
            Err(error) if error.is_not_found() => {
                tracing::warn!(%run, %error, "couldn't start the run of an accepted proposal")
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
    match context.store.proposals().update(
        &proposal,
        revision,
        ProposalUpdate::default(),
        &context.actor(),
    ) {
        Err(StoreError::StaleProposal { .. }) => Ok(context.store.proposals().get(proposal.id)?),
        kept => Ok(kept?),
    }
}

/// Whether another run of the plan was started since the acceptance.
fn was_started_elsewhere(context: &Context, proposal: &Proposal) -> Result<bool, PlanningError> {
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
