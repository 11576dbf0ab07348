//! Proposals: plans, and changes to plans, that an agent made and that wait for a person.
//!
//! A planner is a session like any other. A proposal owns a plan with one node
//! (`NodeKind::Planning`) that no list shows, and the runs of that plan are the attempts of the
//! planner. The answer is the handoff of the node. `baton_formats::planner` evaluates it, and
//! `derived_proposal` derives the proposal from its run, so that every process comes to the same
//! state after a crash. Only [`accept`] stores a plan. It names the run that an acceptance promises
//! (`Proposal::promised`), so that the run starts only once.

mod auto_replan;
mod base;
mod briefing;
mod decision;
mod derived_proposal;
mod directory;
mod event;
mod existing_planner;
mod follower;
mod freshness;
mod given_context;
mod inventory;
mod lifetime;
mod list;
mod open_submission;
mod planning_agent;
mod promised_run;
mod requests;
mod round;
mod session_text;
mod submission;

use baton_model::ProposalId;
use baton_model::planning::{Proposal, ProposalEvent, ProposalState};
use baton_store::ProposalUpdate;

pub use auto_replan::propose_if_enabled;
pub use base::base;
pub use decision::{Acceptance, Rejected, accept, done_nodes, reject};
pub use freshness::freshness;
pub use given_context::GivenContext;
pub use list::{current, current_run_state, list, waiting};
pub use open_submission::open_submission;
pub use requests::{Planner, SessionSource, explain, fill, from_session, generate, replan, split};
pub use submission::{Revision, Submitted, comment, revise, submit};

use crate::{Context, PlanningError, RefusalReason};

/// Cancels a planner, or discards a proposal.
pub fn cancel(context: &Context, proposal: ProposalId) -> Result<Proposal, PlanningError> {
    let row = follower::load_current(context, proposal)?;
    submission::refuse_others(context, &row.proposal)?;
    let was_working =
        row.proposal.state == ProposalState::Working && row.proposal.planning.is_some();
    let update = ProposalUpdate::default();
    let row = event::store_event(context, row, &ProposalEvent::Cancelled, update)?;
    if was_working {
        round::cancel_session(context, &row.proposal);
    }
    Ok(row.proposal)
}

/// Asks the planner, or the submitter, for another attempt.
pub fn retry(
    context: &Context,
    proposal: ProposalId,
    feedback: &str,
) -> Result<Proposal, PlanningError> {
    let mut row = follower::load_current(context, proposal)?;
    let is_submitted = row.proposal.submission.is_some();
    if is_submitted && !context.actor().is_person() {
        let message = "only a person asks a submitter for another draft";
        return Err(
            PlanningError::new(RefusalReason::Refused, message).with_fix("submit a new proposal")
        );
    }
    event::add_feedback(context, &mut row.proposal, None, feedback);
    let row = if !is_submitted {
        round::retry(context, row, &ProposalEvent::Retried, None)?
    } else {
        let life = lifetime::lifetime_ms(context, &row.proposal.request.cwd, true)?;
        row.proposal.expires_at = context.now().plus_ms(life);
        let update = ProposalUpdate::default();
        event::store_event(context, row, &ProposalEvent::Retried, update)?
    };
    Ok(row.proposal)
}
