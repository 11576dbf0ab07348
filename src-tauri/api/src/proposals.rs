//! Operations on proposals: plans that an agent drew up, and changes to plans that wait for a person.

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
mod view;

use baton_model::planning::{Proposal, ProposalEvent, ProposalKind, ProposalState};
use baton_model::{PlanId, ProposalId};
use baton_store::ProposalRow;

pub(crate) use decision::{accept, reject};
pub(crate) use follow::Follower;
pub(crate) use order::{
    Ordered, explain, from_session, generate, replan, replan_automatically, split,
};

use self::consequence::Consequence;
use crate::wire::*;
use crate::{ApiError, App};

/// The most that one list holds.
const LIST_LIMIT: u32 = 500;

/// Lists proposals, the latest first. Those that cannot be read are left out and logged.
pub(crate) fn list(app: &App, input: ProposalsFilter) -> Result<Vec<ProposalSummary>, ApiError> {
    let limit = input.limit.min(LIST_LIMIT);
    let filter = baton_store::ProposalsFilter {
        open: input.open,
        plan: input.plan,
        limit,
    };
    let listing = app.store.proposals().list(filter)?;
    for unreadable in &listing.unreadable {
        tracing::error!(%unreadable, "a proposal cannot be listed");
    }
    let current = listing
        .rows
        .into_iter()
        .map(|row| Ok(Consequence::of(app, row.proposal)?.proposal));
    current
        .filter(|found| {
            !input.open
                || found
                    .as_ref()
                    .map_or(true, |proposal: &Proposal| proposal.state.is_open())
        })
        .map(|proposal: Result<_, ApiError>| view::summary(app, &proposal?))
        .collect()
}

/// Those that wait for a person's word, each with the plan of its planner.
pub(crate) fn waiting(app: &App) -> Result<Vec<(PlanId, ProposalSummary)>, ApiError> {
    let filter = baton_store::ProposalsFilter {
        open: true,
        plan: None,
        limit: LIST_LIMIT,
    };
    let mut waiting = Vec::new();
    for row in app.store.proposals().list(filter)?.rows {
        let proposal = Consequence::of(app, row.proposal)?.proposal;
        let is_asked = matches!(
            proposal.state,
            ProposalState::Ready | ProposalState::NeedsReview
        );
        // An explanation is there to be read, and decides nothing.
        if is_asked && proposal.request.subject.kind() != ProposalKind::Explain {
            waiting.push((proposal.planning, view::summary(app, &proposal)?));
        }
    }
    Ok(waiting)
}

/// Shows a proposal.
pub(crate) fn get(app: &App, input: ProposalRef) -> Result<ProposalView, ApiError> {
    view::view(app, &current(app, input.proposal)?)
}

/// A proposal as it stands by now, whether or not a process has stored that.
pub(crate) fn current(app: &App, proposal: ProposalId) -> Result<Proposal, ApiError> {
    let stored = app.store.proposals().get(proposal)?.proposal;
    Ok(Consequence::of(app, stored)?.proposal)
}

/// Calls a planner off, or puts a proposal away.
pub(crate) fn cancel(app: &App, input: ProposalRef) -> Result<ProposalView, ApiError> {
    let row = follow::settled(app, input.proposal)?;
    let was_working = row.proposal.state == ProposalState::Working;
    let row = happened(app, row, &ProposalEvent::Cancelled)?;
    if was_working {
        round::call_off(app, &row.proposal);
    }
    view::view(app, &row.proposal)
}

/// Asks for another try.
pub(crate) fn retry(app: &App, input: ProposalRetry) -> Result<ProposalView, ApiError> {
    let mut row = follow::settled(app, input.proposal)?;
    decision::keep_feedback(app, &mut row.proposal, &input.feedback);
    let row = round::again(app, row, &ProposalEvent::Retried)?;
    view::view(app, &row.proposal)
}

/// Stores that `event` happened to a proposal, and tells the run that waits for it.
fn happened(app: &App, row: ProposalRow, event: &ProposalEvent) -> Result<ProposalRow, ApiError> {
    let ProposalRow {
        mut proposal,
        revision,
    } = row;
    decision::step(&mut proposal, event)?;
    proposal.updated_at = app.now();
    let row = app
        .store
        .proposals()
        .update(&proposal, revision, None, &app.actor())?;
    crate::replans::tell_run(app, &row.proposal);
    Ok(row)
}
