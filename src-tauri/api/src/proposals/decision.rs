//! What a person says to a proposal.

use std::sync::Arc;

use baton_model::artifact::cut;
use baton_model::planning::{
    Draft, Feedback, Proposal, ProposalEvent, ProposedChange, REJECTION_LIMIT, Subject,
};
use baton_model::{NodeId, Plan, PlanId, RunId};
use baton_store::{PlanRecord, PlanWrite, ProposalRow};
use uuid::Uuid;

use super::{follow, happened, promise, round, view};
use crate::wire::*;
use crate::{ApiError, App, Code, approvals, plans, preflight, replans};

/// The most of what a person says that is kept, in bytes.
const FEEDBACK_LIMIT: usize = 20_000;

/// Takes a proposal over, whole or in part. Refused when the plan has moved since the planner saw it.
pub(crate) fn accept(app: &App, input: ProposalAccept) -> Result<ProposalAccepted, ApiError> {
    let ProposalRow {
        mut proposal,
        revision,
    } = follow::settled(app, input.proposal)?;
    let Some(Draft::Plan { plan: draft, .. }) = proposal.draft.clone() else {
        let message = "there is nothing to accept: no plan has been drafted";
        return Err(ApiError::new(Code::Refused, message));
    };
    let (write, plan, version) = match proposal.request.subject.target() {
        None if input.changes.is_some() => {
            let message = "a new plan is accepted whole";
            return Err(ApiError::new(Code::BadInput, message).with_fix("edit it afterwards"));
        }
        None => (PlanWrite::New(draft.as_ref().clone()), draft.id, 1),
        Some((plan, seen)) => {
            let (record, current) = app.store.plans().current(plan)?;
            refuse_moved(&record, seen)?;
            let next = next(&current, &draft, input.changes.as_deref())?;
            let version = record.version + u32::from(!current.differs_only_in_layout(&next));
            (
                PlanWrite::Changed {
                    plan: next,
                    base_revision: record.revision,
                },
                plan,
                version,
            )
        }
    };
    let (PlanWrite::New(next) | PlanWrite::Changed { plan: next, .. }) = &write;
    let run = goes_on(app, &proposal, input.resume)?.then(|| RunId(Uuid::now_v7()));
    if run.is_some() {
        // Going on approves the new version, and what cannot run is not approved; without it the proposal can be accepted.
        preflight::require_of_itself(app, next)?;
    }
    step(
        &mut proposal,
        &ProposalEvent::Accepted { plan, version, run },
    )?;
    proposal.updated_at = app.now();
    proposal.promised = run;
    let approval = run.map(|_| approvals::of(app, next)).transpose()?;
    app.store.proposals().accept(
        &proposal,
        revision,
        &write,
        approval.as_ref(),
        &view::actor(&proposal),
    )?;
    baton_engine::crash_point("after acceptance");
    replans::tell_run(app, &proposal);
    promise::keep(
        app,
        ProposalRow {
            proposal,
            revision: revision + 1,
        },
    )?;
    Ok(ProposalAccepted {
        plan: plans::view(app, plan)?,
        run,
    })
}

fn refuse_moved(record: &PlanRecord, seen: u32) -> Result<(), ApiError> {
    if record.version == seen {
        return Ok(());
    }
    let message = format!(
        "the plan has been changed since the planner saw it (version {}, the proposal is for {seen})",
        record.version
    );
    Err(ApiError::new(Code::Conflict, message).with_fix("ask for a new proposal"))
}

/// The content that the plan gets. Nodes stay where a person has put them meanwhile.
fn next(current: &Plan, draft: &Plan, taken: Option<&[ProposedChange]>) -> Result<Plan, ApiError> {
    let mut next = match taken {
        Some([]) => {
            return Err(
                ApiError::new(Code::BadInput, "the list of changes is empty")
                    .with_fix("name at least one change, or leave out the list to accept all"),
            );
        }
        Some(taken) => ProposedChange::apply(current, draft, taken),
        None => draft.clone(),
    };
    for node in &mut next.nodes {
        node.position = current
            .node(node.id)
            .and_then(|old| old.position)
            .or(node.position);
    }
    plans::refuse_problems(&next)?;
    Ok(next)
}

/// Whether a run goes on with the new version: when that is wanted, and the one before stands still.
fn goes_on(app: &App, proposal: &Proposal, wanted: bool) -> Result<bool, ApiError> {
    match &proposal.request.subject {
        _ if !wanted => Ok(false),
        Subject::Replan { run, .. } => replans::refuse_running(app, *run).map(|()| true),
        _ => Err(ApiError::new(
            Code::BadInput,
            "only a plan that was replanned after a run can continue it",
        )),
    }
}

/// Says no to a proposal. The planner may try again at once, with all that was said so far, until the third time.
pub(crate) fn reject(app: &App, input: ProposalReject) -> Result<ProposalView, ApiError> {
    let mut row = follow::settled(app, input.proposal)?;
    let event = ProposalEvent::Rejected {
        times: row.proposal.rejections + 1,
        again: input.again,
    };
    row.proposal.rejections += 1;
    keep_feedback(app, &mut row.proposal, &input.feedback);
    let tries_again = input.again && row.proposal.rejections < REJECTION_LIMIT;
    let row = match tries_again {
        true => round::again(app, row, &event)?,
        false => happened(app, row, &event)?,
    };
    view::view(app, &row.proposal)
}

/// Keeps what a person said, for the planner's next try.
pub(super) fn keep_feedback(app: &App, proposal: &mut Proposal, text: &str) {
    let text = text.trim();
    if !text.is_empty() {
        let text = cut(text, FEEDBACK_LIMIT).into_owned();
        proposal.feedback.push(Feedback {
            at: app.now(),
            text,
        });
    }
}

/// Moves a proposal on, or refuses in words.
pub(super) fn step(proposal: &mut Proposal, event: &ProposalEvent) -> Result<(), ApiError> {
    let state = proposal.state.after(event, REJECTION_LIMIT);
    proposal.state = state.map_err(|error| {
        let message = format!("the proposal is {} by now", error.state.words());
        ApiError::new(Code::Refused, message).with_fix("look at it again")
    })?;
    Ok(())
}

/// The finished nodes of the latest run that executed the plan of a proposal.
pub(super) fn done_nodes(
    app: &App,
    plan: PlanId,
    run: Option<RunId>,
) -> Result<std::collections::HashSet<NodeId>, ApiError> {
    let latest = || {
        Ok::<_, ApiError>(
            app.store
                .runs()
                .list(Some(plan), 1)?
                .rows
                .into_iter()
                .next()
                .map(|row| row.id),
        )
    };
    let Some(run) = run.map_or_else(latest, |run| Ok(Some(run)))? else {
        return Ok(Default::default());
    };
    Ok(replans::done_in(app, run)?.into_keys().collect())
}

/// The version that a proposal is about.
pub(super) fn base(app: &App, proposal: &Proposal) -> Result<Option<Arc<Plan>>, ApiError> {
    let target = proposal.request.subject.target();
    target
        .map(|(plan, version)| plans::content(app, plan, version))
        .transpose()
}
