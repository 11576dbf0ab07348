//! Proposals: plans that an agent drew up, and changes to plans that wait for a person.

mod briefing;
mod consequence;
mod decision;
mod directory;
mod duplicate;
mod follow;
mod inventory;
mod order;
mod promise;
mod round;
mod session_text;

use baton_model::ProposalId;
use baton_model::planning::{Proposal, ProposalEvent, ProposalKind, ProposalState};
use baton_store::{ProposalRow, ProposalsFilter};

pub use decision::{Acceptance, accept, base, done_nodes, reject};
pub use order::{Origin, Planner, explain, from_session, generate, replan, split};

pub(crate) use follow::Follower;
pub(crate) use order::{Ordered, replan_automatically};

use self::consequence::Consequence;
use crate::{Context, PlanningError};

/// The most that one list holds.
const LIST_LIMIT: u32 = 500;

/// Lists proposals, the latest first: those that are open, or all. What can't be read is left out and logged.
pub fn list(context: &Context, filter: ProposalsFilter) -> Result<Vec<Proposal>, PlanningError> {
    let open = filter.open;
    let limit = filter.limit.min(LIST_LIMIT);
    let listing = context
        .store
        .proposals()
        .list(ProposalsFilter { limit, ..filter })?;
    for unreadable in &listing.unreadable {
        tracing::error!(%unreadable, "a proposal cannot be listed");
    }
    let mut current = Vec::with_capacity(listing.rows.len());
    for row in listing.rows {
        current.push(Consequence::of(context, row.proposal)?.proposal);
    }
    current.retain(|proposal| !open || proposal.state.is_open());
    Ok(current)
}

/// Those that wait for a person's word.
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
        // An explanation is there to be read, and decides nothing.
        is_asked && proposal.request.subject.kind() != ProposalKind::Explain
    });
    Ok(waiting)
}

/// A proposal as it stands by now, whether or not a process has stored that.
pub fn current(context: &Context, proposal: ProposalId) -> Result<Proposal, PlanningError> {
    let stored = context.store.proposals().get(proposal)?.proposal;
    Ok(Consequence::of(context, stored)?.proposal)
}

/// Calls a planner off, or puts a proposal away.
pub fn cancel(context: &Context, proposal: ProposalId) -> Result<Proposal, PlanningError> {
    let row = follow::settled(context, proposal)?;
    let was_working = row.proposal.state == ProposalState::Working;
    let row = happened(context, row, &ProposalEvent::Cancelled)?;
    if was_working {
        round::call_off(context, &row.proposal);
    }
    Ok(row.proposal)
}

/// Asks for another try.
pub fn retry(
    context: &Context,
    proposal: ProposalId,
    feedback: &str,
) -> Result<Proposal, PlanningError> {
    let mut row = follow::settled(context, proposal)?;
    decision::keep_feedback(context, &mut row.proposal, feedback);
    let row = round::again(context, row, &ProposalEvent::Retried)?;
    Ok(row.proposal)
}

/// Stores that `event` happened to a proposal, and tells the run that waits for it.
fn happened(
    context: &Context,
    row: ProposalRow,
    event: &ProposalEvent,
) -> Result<ProposalRow, PlanningError> {
    let ProposalRow {
        mut proposal,
        revision,
    } = row;
    decision::step(&mut proposal, event)?;
    proposal.updated_at = context.now();
    let row = context
        .store
        .proposals()
        .update(&proposal, revision, None, &context.actor())?;
    crate::replans::tell_run(context, &row.proposal);
    Ok(row)
}
