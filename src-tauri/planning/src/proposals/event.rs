//! Events of proposals: what each changes, and storing it.

use baton_model::artifact::truncate;
use baton_model::planning::{Feedback, Proposal, ProposalEvent, REJECTION_LIMIT};
use baton_model::review::RejectionReason;
use baton_store::{ProposalRow, ProposalUpdate};

use crate::{Context, PlanningError, RefusalReason, replans};

/// The maximum length of feedback, in bytes.
const FEEDBACK_LIMIT: usize = 20_000;

/// Applies `event` to a proposal, stores it with what belongs to it, and notifies the run that waits for it.
pub(super) fn store_event(
    context: &Context,
    row: ProposalRow,
    event: &ProposalEvent,
    update: ProposalUpdate<'_>,
) -> Result<ProposalRow, PlanningError> {
    let ProposalRow {
        mut proposal,
        revision,
    } = row;
    apply_event(&mut proposal, event)?;
    proposal.updated_at = context.now();
    let row = context
        .store
        .proposals()
        .update(&proposal, revision, update, &context.actor())?;
    replans::notify_run(context, &row.proposal);
    Ok(row)
}

/// Adds a person's feedback for the planner's or the submitter's next attempt.
pub(super) fn add_feedback(
    context: &Context,
    proposal: &mut Proposal,
    reason: Option<RejectionReason>,
    text: &str,
) {
    let text = text.trim();
    if !text.is_empty() || reason.is_some() {
        let text = truncate(text, FEEDBACK_LIMIT).into_owned();
        proposal.feedback.push(Feedback {
            at: context.now(),
            text,
            reason,
        });
    }
}

/// Applies `event` to the state of a proposal, or refuses it.
pub(super) fn apply_event(
    proposal: &mut Proposal,
    event: &ProposalEvent,
) -> Result<(), PlanningError> {
    let state = proposal.state.after(event, REJECTION_LIMIT);
    proposal.state = state.map_err(|error| {
        PlanningError::new(RefusalReason::Refused, error.to_string()).with_fix("reload it")
    })?;
    Ok(())
}
