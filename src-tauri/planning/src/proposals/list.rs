//! Queries for proposals. Results include what follows from their runs and the current time.

use baton_model::planning::{Proposal, ProposalKind, ProposalState};
use baton_model::{ProposalId, RunState};
use baton_store::ProposalsFilter;

use super::derived_proposal::DerivedProposal;
use crate::{Context, PlanningError};

/// The maximum length of a list.
pub(super) const LIST_LIMIT: u32 = 500;

/// Lists all or only open proposals, latest first. Unreadable ones are skipped and logged.
pub fn list(context: &Context, filter: ProposalsFilter) -> Result<Vec<Proposal>, PlanningError> {
    let open = filter.open;
    let limit = filter.limit.min(LIST_LIMIT);
    let listing = context
        .store
        .proposals()
        .list(ProposalsFilter { limit, ..filter })?;
    for unreadable in &listing.unreadable {
        tracing::error!(%unreadable, "couldn't read a proposal");
    }
    let mut current = Vec::with_capacity(listing.rows.len());
    for row in listing.rows {
        current.push(DerivedProposal::derive(context, row.proposal)?.proposal);
    }
    current.retain(|proposal| !open || proposal.state.is_open());
    Ok(current)
}

/// The proposals that wait for a person's decision.
pub fn waiting(context: &Context) -> Result<Vec<Proposal>, PlanningError> {
    let filter = ProposalsFilter {
        open: true,
        plan: None,
        limit: LIST_LIMIT,
    };
    let mut waiting = list(context, filter)?;
    waiting.retain(|proposal| {
        let is_asked = matches!(
            proposal.state,
            ProposalState::Ready | ProposalState::NeedsReview
        );
        // There is nothing to decide about an explanation.
        is_asked && proposal.request.subject.kind() != ProposalKind::Explain
    });
    Ok(waiting)
}

/// The current state of a proposal, whether or not a process has stored it.
pub fn current(context: &Context, proposal: ProposalId) -> Result<Proposal, PlanningError> {
    let stored = context.store.proposals().get(proposal)?.proposal;
    Ok(DerivedProposal::derive(context, stored)?.proposal)
}

/// The current state of a run. A run that waits for a proposal returns to its previous state as
/// soon as the proposal has ended, whether or not a process has notified the run.
pub fn current_run_state(context: &Context, state: RunState) -> Result<RunState, PlanningError> {
    let RunState::Replanning { proposal, before } = state else {
        return Ok(state);
    };
    let ended = match current(context, proposal) {
        Ok(found) => found.state.replan_end().is_some(),
        Err(error) if error.is_not_found() => true,
        Err(error) => return Err(error),
    };
    Ok(if ended {
        before.into()
    } else {
        RunState::Replanning { proposal, before }
    })
}
