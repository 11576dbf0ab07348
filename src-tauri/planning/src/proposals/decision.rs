//! What a person says to a proposal.

use std::sync::Arc;

use baton_model::artifact::cut;
use baton_model::planning::{
    Draft, Feedback, Proposal, ProposalEvent, ProposedChange, REJECTION_LIMIT, Subject,
};
use baton_model::{NodeId, Plan, PlanId, ProposalId, RunId};
use baton_store::{Actor, PlanRecord, PlanWrite, ProposalRow};
use uuid::Uuid;

use super::{follow, happened, promise, round};
use crate::contents::content;
use crate::problems::refuse_problems;
use crate::{Context, PlanningError, Reason, approvals, preflight, replans};

/// The most of what a person says that is kept, in bytes.
const FEEDBACK_LIMIT: usize = 20_000;

/// What of a proposal a person accepts.
#[derive(Debug, Clone, PartialEq)]
pub struct Acceptance {
    /// The changes; none named: all of them.
    pub changes: Option<Vec<ProposedChange>>,
    /// Approve the new version and begin a run in which finished, unchanged nodes stay done.
    pub resume: bool,
}

/// Accepts a proposal, whole or in part: the plan that it became or changed, and the run that goes on with it. Refused
/// when the plan has moved since the planner saw it.
pub fn accept(
    context: &Context,
    proposal: ProposalId,
    acceptance: &Acceptance,
) -> Result<(PlanId, Option<RunId>), PlanningError> {
    let ProposalRow {
        mut proposal,
        revision,
    } = follow::settled(context, proposal)?;
    let Some(Draft::Plan { plan: draft, .. }) = proposal.draft.clone() else {
        let message = "there is nothing to accept: no plan has been drafted";
        return Err(PlanningError::new(Reason::Refused, message));
    };
    let (write, plan, version) = match proposal.request.subject.target() {
        None if acceptance.changes.is_some() => {
            let message = "a new plan is accepted whole";
            return Err(
                PlanningError::new(Reason::BadInput, message).with_fix("edit it afterwards")
            );
        }
        None => (PlanWrite::New(draft.as_ref().clone()), draft.id, 1),
        Some((plan, seen)) => {
            let (record, current) = context.store.plans().current(plan)?;
            refuse_moved(&record, seen)?;
            let next = next(&current, &draft, acceptance.changes.as_deref())?;
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
    let run = goes_on(context, &proposal, acceptance.resume)?.then(|| RunId(Uuid::now_v7()));
    if run.is_some() {
        // Going on approves the new version, and what cannot run is not approved; without it the proposal can be accepted.
        preflight::require_of_itself(context, next)?;
    }
    step(
        &mut proposal,
        &ProposalEvent::Accepted { plan, version, run },
    )?;
    proposal.updated_at = context.now();
    proposal.promised = run;
    let approval = run.map(|_| approvals::of(context, next)).transpose()?;
    context.store.proposals().accept(
        &proposal,
        revision,
        &write,
        approval.as_ref(),
        &author(&proposal),
    )?;
    baton_engine::crash_point("after acceptance");
    replans::tell_run(context, &proposal);
    promise::keep(
        context,
        ProposalRow {
            proposal,
            revision: revision + 1,
        },
    )?;
    Ok((plan, run))
}

fn refuse_moved(record: &PlanRecord, seen: u32) -> Result<(), PlanningError> {
    if record.version == seen {
        return Ok(());
    }
    let message = format!(
        "the plan has been changed since the planner saw it (version {}, the proposal is for {seen})",
        record.version
    );
    Err(PlanningError::new(Reason::Conflict, message).with_fix("ask for a new proposal"))
}

/// The content that the plan gets. Nodes stay where a person has put them meanwhile.
fn next(
    current: &Plan,
    draft: &Plan,
    taken: Option<&[ProposedChange]>,
) -> Result<Plan, PlanningError> {
    let mut next = match taken {
        Some([]) => {
            return Err(
                PlanningError::new(Reason::BadInput, "the list of changes is empty")
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
    refuse_problems(&next)?;
    Ok(next)
}

/// Whether a run goes on with the new version: when that is wanted, and the one before stands still.
fn goes_on(context: &Context, proposal: &Proposal, wanted: bool) -> Result<bool, PlanningError> {
    match &proposal.request.subject {
        _ if !wanted => Ok(false),
        Subject::Replan { run, .. } => replans::refuse_running(context, *run).map(|()| true),
        _ => Err(PlanningError::new(
            Reason::BadInput,
            "only a plan that was replanned after a run can continue it",
        )),
    }
}

/// Says no to a proposal. The planner may try again at once, with all that was said so far, until the third time.
pub fn reject(
    context: &Context,
    proposal: ProposalId,
    feedback: &str,
    again: bool,
) -> Result<Proposal, PlanningError> {
    let mut row = follow::settled(context, proposal)?;
    let event = ProposalEvent::Rejected {
        times: row.proposal.rejections + 1,
        again,
    };
    row.proposal.rejections += 1;
    keep_feedback(context, &mut row.proposal, feedback);
    let tries_again = again && row.proposal.rejections < REJECTION_LIMIT;
    let row = match tries_again {
        true => round::again(context, row, &event)?,
        false => happened(context, row, &event)?,
    };
    Ok(row.proposal)
}

/// Keeps what a person said, for the planner's next try.
pub(super) fn keep_feedback(context: &Context, proposal: &mut Proposal, text: &str) {
    let text = text.trim();
    if !text.is_empty() {
        let text = cut(text, FEEDBACK_LIMIT).into_owned();
        proposal.feedback.push(Feedback {
            at: context.now(),
            text,
        });
    }
}

/// Moves a proposal on, or refuses in words.
pub(super) fn step(proposal: &mut Proposal, event: &ProposalEvent) -> Result<(), PlanningError> {
    let state = proposal.state.after(event, REJECTION_LIMIT);
    proposal.state = state.map_err(|error| {
        let message = format!("the proposal is {} by now", error.state.words());
        PlanningError::new(Reason::Refused, message).with_fix("look at it again")
    })?;
    Ok(())
}

/// The finished nodes of the latest run that executed the plan of a proposal.
pub fn done_nodes(
    context: &Context,
    plan: PlanId,
    run: Option<RunId>,
) -> Result<std::collections::HashSet<NodeId>, PlanningError> {
    let latest = || {
        Ok::<_, PlanningError>(
            context
                .store
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
    Ok(replans::done_in(context, run)?.into_keys().collect())
}

/// The version that a proposal is about.
pub fn base(context: &Context, proposal: &Proposal) -> Result<Option<Arc<Plan>>, PlanningError> {
    let target = proposal.request.subject.target();
    target
        .map(|(plan, version)| content(context, plan, version))
        .transpose()
}

/// Who wrote the plan that a proposal becomes.
fn author(proposal: &Proposal) -> Actor {
    match proposal.request.subject {
        Subject::Explain { .. } => Actor::PERSON,
        _ => Actor::Agent(proposal.request.agent.clone()),
    }
}
