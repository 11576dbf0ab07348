//! Operations on proposals: plans that an agent drew up, and changes to plans that wait for a person.

mod view;

use baton_model::PlanId;
use baton_planning::proposals::{self, Acceptance, Origin, Planner};

use self::view::{summary, view};
use crate::wire::*;
use crate::{ApiError, App, Code, plans};

/// Lists proposals, the latest first.
pub(crate) fn list(app: &App, input: ProposalsFilter) -> Result<Vec<ProposalSummary>, ApiError> {
    let filter = baton_store::ProposalsFilter {
        open: input.open,
        plan: input.plan,
        limit: input.limit,
    };
    let listed = proposals::list(app.context(), filter)?;
    listed.iter().map(|found| summary(app, found)).collect()
}

/// Those that wait for a person's word, each with the plan of its planner.
pub(crate) fn waiting(app: &App) -> Result<Vec<(PlanId, ProposalSummary)>, ApiError> {
    let waiting = proposals::waiting(app.context())?;
    waiting
        .iter()
        .map(|found| Ok((found.planning, summary(app, found)?)))
        .collect()
}

/// Shows a proposal.
pub(crate) fn get(app: &App, input: ProposalRef) -> Result<ProposalView, ApiError> {
    view(app, &proposals::current(app.context(), input.proposal)?)
}

/// Cancels a planner, or puts a proposal away.
pub(crate) fn cancel(app: &App, input: ProposalRef) -> Result<ProposalView, ApiError> {
    view(app, &proposals::cancel(app.context(), input.proposal)?)
}

/// Asks for another try.
pub(crate) fn retry(app: &App, input: ProposalRetry) -> Result<ProposalView, ApiError> {
    let retried = proposals::retry(app.context(), input.proposal, &input.feedback)?;
    view(app, &retried)
}

/// Accepts a proposal, whole or in part.
pub(crate) fn accept(app: &App, input: ProposalAccept) -> Result<ProposalAccepted, ApiError> {
    let acceptance = Acceptance {
        changes: input.changes,
        resume: input.resume,
    };
    let (plan, run) = proposals::accept(app.context(), input.proposal, &acceptance)?;
    Ok(ProposalAccepted {
        plan: plans::view(app, plan)?,
        run,
    })
}

/// Rejects a proposal. The planner may try again at once, with all that was said so far.
pub(crate) fn reject(app: &App, input: ProposalReject) -> Result<ProposalView, ApiError> {
    let ProposalReject {
        proposal,
        feedback,
        again,
    } = input;
    let rejected = proposals::reject(app.context(), proposal, &feedback, again)?;
    view(app, &rejected)
}

/// Lets an agent draw up a plan for a goal.
pub(crate) fn generate(app: &App, input: PlanGenerate) -> Result<ProposalView, ApiError> {
    let planner = planner(input.agent, input.model);
    let cwd = plans::absolute(&input.cwd)?;
    let begun = proposals::generate(app.context(), input.goal, cwd, input.constraints, planner)?;
    view(app, &begun)
}

/// Lets an agent make a plan from a session.
pub(crate) fn from_session(app: &App, input: PlanFromSession) -> Result<ProposalView, ApiError> {
    let origin = match (input.session, input.transcript) {
        (Some(session), None) => Origin::Session(session),
        (None, Some(transcript)) => Origin::Transcript(transcript),
        _ => {
            let message = "both a session and a transcript are named, or neither";
            return Err(ApiError::new(Code::BadInput, message).with_fix("name one of the two"));
        }
    };
    let planner = planner(input.agent, input.model);
    let cwd = input.cwd.as_deref().map(plans::absolute).transpose()?;
    let begun = proposals::from_session(app.context(), origin, input.wish, cwd, planner)?;
    view(app, &begun)
}

/// Lets an agent divide a node.
pub(crate) fn split(app: &App, input: PlanSplit) -> Result<ProposalView, ApiError> {
    let planner = planner(input.agent, input.model);
    let begun = proposals::split(app.context(), input.plan, input.node, input.wish, planner)?;
    view(app, &begun)
}

/// Lets an agent explain a plan, or a node of it.
pub(crate) fn explain(app: &App, input: PlanExplain) -> Result<ProposalView, ApiError> {
    let planner = planner(input.agent, input.model);
    let begun = proposals::explain(app.context(), input.plan, input.node, input.wish, planner)?;
    view(app, &begun)
}

/// Lets an agent replan after a run that did not complete.
pub(crate) fn replan(app: &App, input: RunReplan) -> Result<ProposalView, ApiError> {
    let planner = planner(input.agent, input.model);
    let begun = proposals::replan(app.context(), input.run, input.node, input.wish, planner)?;
    view(app, &begun)
}

fn planner(agent: Option<String>, model: Option<String>) -> Planner {
    Planner { agent, model }
}
