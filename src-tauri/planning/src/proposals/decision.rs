//! A person's decision on a proposal.

use baton_model::planning::{
    Draft, Proposal, ProposalEvent, ProposedChange, REJECTION_LIMIT, Subject, list_changes,
};
use baton_model::review::RejectionReason;
use baton_model::{NodeId, Plan, PlanId, ProposalId, RunId};
use baton_store::{Actor, PlanRecord, PlanWrite, ProposalRow, ProposalUpdate, Rejection};
use uuid::Uuid;

use super::event::{add_feedback, apply_event, store_event};
use super::{follower, freshness, promised_run, round, submission};
use crate::problems::refuse_unsavable;
use crate::{Context, PlanningError, RefusalReason, approvals, preflight, replans};

/// The parts of a proposal that a person accepts.
#[derive(Debug, Clone, PartialEq)]
pub struct Acceptance {
    /// The accepted changes; `None` accepts all.
    pub changes: Option<Vec<ProposedChange>>,
    /// The round of the draft that the person saw; `None` accepts the newest.
    pub round: Option<u32>,
    /// Also approve the new version and start a run in which finished, unchanged nodes stay done.
    pub resume: bool,
}

/// What a person says when rejecting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rejected<'a> {
    /// The round of the draft that the person saw; `None` rejects the newest.
    pub round: Option<u32>,
    /// What is wrong, from a list.
    pub reason: Option<RejectionReason>,
    /// What is wrong, in words; may be empty.
    pub feedback: &'a str,
    /// Whether the planner or the submitter should try again.
    pub again: bool,
}

/// Accepts a proposal, as a whole or in part. Returns the new or changed plan, and the run that
/// continues with it. Refuses if the plan has changed since the planner read it.
pub fn accept(
    context: &Context,
    proposal: ProposalId,
    acceptance: &Acceptance,
) -> Result<(PlanId, Option<RunId>), PlanningError> {
    let ProposalRow {
        mut proposal,
        revision,
    } = follower::load_current(context, proposal)?;
    submission::refuse_other_round(&proposal, acceptance.round)?;
    freshness::require_fresh_or_person(context, &proposal)?;
    let Some(Draft::Plan { plan: draft, .. }) = proposal.draft.clone() else {
        let message = "there is nothing to accept: the planner has not drafted a plan";
        return Err(PlanningError::new(RefusalReason::Refused, message));
    };
    let (write, plan, version) = match proposal.request.subject.target() {
        None if acceptance.changes.is_some() => {
            let message = "a new plan can only be accepted as a whole";
            return Err(PlanningError::new(RefusalReason::BadInput, message)
                .with_fix("accept it, then edit it"));
        }
        None => (PlanWrite::New(draft.as_ref().clone()), draft.id, 1),
        Some((plan, seen)) => {
            let (record, current) = context.store.plans().current(plan)?;
            refuse_outdated(&record, seen)?;
            let next = accepted_content(&current, &draft, acceptance.changes.as_deref())?;
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
    let run =
        begins_follow_up_run(context, &proposal, acceptance.resume)?.then(|| RunId(Uuid::now_v7()));
    if run.is_some() {
        // Resuming approves the new version, and a plan that cannot run must not be approved.
        preflight::require_runnable(context, next)?;
    }
    apply_event(
        &mut proposal,
        &ProposalEvent::Accepted { plan, version, run },
    )?;
    proposal.updated_at = context.now();
    proposal.promised = run;
    let approval = run
        .map(|_| approvals::create_approval(context, next))
        .transpose()?;
    context.store.proposals().accept(
        &proposal,
        revision,
        &write,
        approval.as_ref(),
        &author(&proposal),
    )?;
    baton_engine::crash_point("after acceptance");
    replans::notify_run(context, &proposal);
    promised_run::begin_promised_run(
        context,
        ProposalRow {
            proposal,
            revision: revision + 1,
        },
    )?;
    Ok((plan, run))
}

fn refuse_outdated(record: &PlanRecord, seen: u32) -> Result<(), PlanningError> {
    if record.version == seen {
        return Ok(());
    }
    let message = format!(
        "the plan has changed since the planner read it (now version {}, the proposal is for version {seen})",
        record.version
    );
    Err(PlanningError::new(RefusalReason::Conflict, message).with_fix("ask for a new proposal"))
}

/// The new content of the plan. Nodes keep the positions that a person gave them meanwhile.
fn accepted_content(
    current: &Plan,
    draft: &Plan,
    taken: Option<&[ProposedChange]>,
) -> Result<Plan, PlanningError> {
    let mut next = match taken {
        Some([]) => {
            return Err(PlanningError::new(
                RefusalReason::BadInput,
                "the list of changes is empty",
            )
            .with_fix("select at least one change, or omit the list to accept all"));
        }
        Some(taken) => {
            let changes = list_changes(current, draft);
            let taken = ProposedChange::with_required(current, draft, &changes, taken);
            ProposedChange::apply(current, draft, &taken)
        }
        None => draft.clone(),
    };
    for node in &mut next.nodes {
        node.position = current
            .node(node.id)
            .and_then(|old| old.position)
            .or(node.position);
    }
    refuse_unsavable(&next)?;
    Ok(next)
}

/// Whether to start a run of the new version: if wanted, and refused while the previous one is
/// running.
fn begins_follow_up_run(
    context: &Context,
    proposal: &Proposal,
    wanted: bool,
) -> Result<bool, PlanningError> {
    match &proposal.request.subject {
        _ if !wanted => Ok(false),
        Subject::Replan { run, .. } => replans::refuse_running(context, *run).map(|()| true),
        _ => Err(PlanningError::new(
            RefusalReason::BadInput,
            "only a replan can resume a run",
        )),
    }
}

/// Rejects a proposal. With `again` the planner gets another attempt with all feedback, up to
/// [`REJECTION_LIMIT`].
pub fn reject(
    context: &Context,
    proposal: ProposalId,
    rejected: &Rejected<'_>,
) -> Result<Proposal, PlanningError> {
    let &Rejected {
        round,
        reason,
        feedback,
        again,
    } = rejected;
    let mut row = follower::load_current(context, proposal)?;
    submission::refuse_other_round(&row.proposal, round)?;
    let event = ProposalEvent::Rejected {
        times: row.proposal.rejections + 1,
        again,
    };
    row.proposal.rejections += 1;
    row.proposal.reviewed = row.proposal.draft.clone();
    add_feedback(context, &mut row.proposal, reason, feedback);
    let rejection = Rejection {
        plan: row.proposal.request.subject.target().map(|(plan, _)| plan),
        version: row
            .proposal
            .request
            .subject
            .target()
            .map(|(_, version)| version),
        proposal: Some(proposal),
        reason,
        words: feedback.trim().to_owned(),
        actor: context.actor(),
        at: context.now(),
    };
    let tries_again = again && row.proposal.rejections < REJECTION_LIMIT;
    let row = if tries_again && row.proposal.planning.is_some() {
        round::retry(context, row, &event, Some(&rejection))?
    } else {
        let update = ProposalUpdate {
            rejection: Some(&rejection),
            ..ProposalUpdate::default()
        };
        store_event(context, row, &event, update)?
    };
    Ok(row.proposal)
}

/// The finished nodes of `run`, or of the latest run of the plan.
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
    Ok(replans::finished_nodes(context, run)?.into_keys().collect())
}

/// The author of the plan that a proposal becomes.
fn author(proposal: &Proposal) -> Actor {
    match (&proposal.submission, &proposal.request.subject) {
        (Some(submission), _) => submission.by.clone().into(),
        (None, Subject::Explain { .. }) => Actor::PERSON,
        (None, _) => Actor::Agent(proposal.request.agent.clone()),
    }
}
