//! The review of a plan: a draft is submitted, and a person approves or rejects it.

use baton_model::review::ReviewEvent;
use baton_model::{Node, PlanId, ReviewState};
use baton_planning::problems::refuse_problems;
use baton_store::{Actor, PlanRecord, Rejection};

use crate::wire::*;
use crate::{ApiError, App, Code, plans};

/// The rejection after which a person has to look at the plan before it can be submitted again.
const REJECTION_LIMIT: usize = 3;

/// Submits a draft. A plan that couldn't be approved is refused with its problems.
pub(crate) fn submit(app: &App, input: PlanSubmit) -> Result<PlanView, ApiError> {
    let (record, content) = app.store.plans().current(input.plan)?;
    refuse_after_rejections(app, &record)?;
    refuse_problems("the plan can't be submitted", &content)?;
    if !content.nodes.iter().any(Node::is_executable) {
        return Err(
            ApiError::new(Code::Invalid, "the plan has no nodes").with_fix("add at least one node")
        );
    }
    let record = at_revision(record, input.base_revision);
    app.store.plans().review(
        &record,
        ReviewEvent::Proposed,
        None,
        &app.actor(),
        app.now(),
    )?;
    plans::view(app, input.plan)
}

/// Withdraws a plan from review, by a person or by whoever submitted it.
pub(crate) fn withdraw(app: &App, input: PlanRef) -> Result<PlanView, ApiError> {
    let (record, _) = app.store.plans().current(input.plan)?;
    refuse_after_rejections(app, &record)?;
    let actor = app.actor();
    if !actor.is_person() && submitter(app, input.plan)?.is_some_and(|by| by != actor) {
        let message = "only a person or the submitter may withdraw this plan";
        return Err(ApiError::new(Code::Refused, message).with_fix("ask a person to reject it"));
    }
    app.store
        .plans()
        .review(&record, ReviewEvent::Withdrawn, None, &actor, app.now())?;
    plans::view(app, input.plan)
}

/// Rejects a plan. The third rejection asks a person to look at it before it is submitted again.
pub(crate) fn reject(app: &App, input: PlanReject) -> Result<PlanView, ApiError> {
    let (record, _) = app.store.plans().current(input.plan)?;
    let earlier = rejections_since_approval(app, input.plan)?;
    // A plan that waits for a person's review is rejected for good.
    let event = if record.review != ReviewState::NeedsReview && earlier + 1 >= REJECTION_LIMIT {
        ReviewEvent::RejectedTooOften
    } else {
        ReviewEvent::Rejected
    };
    let rejection = Rejection {
        plan: Some(input.plan),
        version: Some(record.version),
        proposal: None,
        reason: input.reason,
        words: input.feedback.trim().to_owned(),
        actor: app.actor(),
        at: app.now(),
    };
    let record = at_revision(record, input.base_revision);
    app.store
        .plans()
        .review(&record, event, Some(&rejection), &app.actor(), app.now())?;
    plans::view(app, input.plan)
}

/// Fails if the plan was rejected so often that a person is next, and the caller is none.
fn refuse_after_rejections(app: &App, record: &PlanRecord) -> Result<(), ApiError> {
    if record.review != ReviewState::NeedsReview || app.actor().is_person() {
        return Ok(());
    }
    let message = format!("the plan was rejected {REJECTION_LIMIT} times, so a person is next");
    Err(ApiError::new(Code::Refused, message).with_fix("ask a person to look at it"))
}

/// How often the plan itself was rejected since it was approved last.
fn rejections_since_approval(app: &App, plan: PlanId) -> Result<usize, ApiError> {
    let approved = app.store.approvals().list(plan)?.into_iter().next();
    let since = approved.map(|row| row.approval.at);
    let rejections = app.store.rejections().of_plan(plan)?;
    let counted = rejections
        .iter()
        .filter(|found| found.proposal.is_none() && since.is_none_or(|since| found.at > since));
    Ok(counted.count())
}

fn at_revision(record: PlanRecord, base: Option<u64>) -> PlanRecord {
    PlanRecord {
        revision: base.unwrap_or(record.revision),
        ..record
    }
}

/// Who submitted the plan last.
fn submitter(app: &App, plan: PlanId) -> Result<Option<Actor>, ApiError> {
    Ok(app.store.plan_log().last_submitter(plan)?)
}
