//! The current state of a proposal, derived from its planner's run and the time, whether or not it
//! has been stored.
//!
//! A query returns this state and writes nothing. A long-running process stores it and performs the
//! pending action, see [`PendingAction`]. Both get the same result: nothing here is random, and a
//! draft is dated by the end of its run.

use baton_formats::planner::{AnswerContext, fault_messages, parse_answer};
use baton_model::planning::{Draft, Proposal, ProposalEvent, ProposalState, Round};
use baton_model::{Artifact, RunId, RunState, Timestamp};
use baton_store::{RunRow, StoreError};
use uuid::Uuid;

use super::base::base;
use super::event::apply_event;
use super::inventory;
use super::lifetime::lifetime_ms;
use super::planning_agent::default_agent;
use super::round::START_GRACE_MS;
use crate::{Context, PlanningError, agent_programs, named_tools};

/// The current state of a proposal.
pub(super) struct DerivedProposal {
    /// The proposal, updated by its run and the current time.
    pub(super) proposal: Proposal,
    /// What an executor has to do in addition to storing it.
    pub(super) pending_action: Option<PendingAction>,
}

/// Work for a proposal that only a process that executes runs may do.
pub(super) enum PendingAction {
    /// Start the run that was promised when the proposal was accepted.
    BeginPromisedRun,
    /// Start the run of the latest round, which does not exist yet.
    BeginRound,
    /// Cancel the session of the latest round, which was interrupted.
    EndSession,
    /// Ask the planner to correct an invalid answer.
    Repair {
        answer: Box<Artifact>,
        /// Sentences for the planner.
        faults: Vec<String>,
    },
}

/// The evaluation of a planner's answer.
enum AnswerOutcome {
    Drafted(Draft),
    Unusable {
        why: String,
    },
    NeedsRepair {
        answer: Box<Artifact>,
        faults: Vec<String>,
    },
}

impl DerivedProposal {
    /// Derives the state from the store and the current time.
    pub(super) fn derive(context: &Context, proposal: Proposal) -> Result<Self, PlanningError> {
        let mut derived_proposal = match proposal.state {
            ProposalState::Working => derive_from_run(context, proposal)?,
            _ => Self {
                pending_action: is_promised_run_due(context, &proposal)
                    .then_some(PendingAction::BeginPromisedRun),
                proposal,
            },
        };
        expire(&mut derived_proposal.proposal, context.now())?;
        Ok(derived_proposal)
    }
}

fn expire(proposal: &mut Proposal, now: Timestamp) -> Result<(), PlanningError> {
    let waits = match proposal.state {
        ProposalState::Ready | ProposalState::NeedsReview => true,
        // It waits for its submitter, who may never come back.
        ProposalState::Working => proposal.submission.is_some(),
        _ => false,
    };
    if waits && now >= proposal.expires_at {
        let at = proposal.expires_at;
        apply_event_at(proposal, &ProposalEvent::Expired, at)?;
    }
    Ok(())
}

fn apply_event_at(
    proposal: &mut Proposal,
    event: &ProposalEvent,
    at: Timestamp,
) -> Result<(), PlanningError> {
    apply_event(proposal, event)?;
    proposal.updated_at = at;
    Ok(())
}

/// Whether the process in which a person accepted has had enough time to start the run itself.
fn is_promised_run_due(context: &Context, proposal: &Proposal) -> bool {
    proposal.promised.is_some() && context.now().ms_since(proposal.updated_at) >= START_GRACE_MS
}

fn derive_from_run(
    context: &Context,
    proposal: Proposal,
) -> Result<DerivedProposal, PlanningError> {
    let Some(round) = proposal.rounds.last() else {
        return Ok(unchanged(proposal));
    };
    match context.store.runs().get(round.run) {
        Ok(run) => derive_from_run_state(context, proposal, &run),
        Err(StoreError::NotFound { .. }) => {
            let is_due = context.now().ms_since(round.at) >= START_GRACE_MS;
            let pending_action = is_due.then_some(PendingAction::BeginRound);
            Ok(DerivedProposal {
                proposal,
                pending_action,
            })
        }
        Err(error) => Err(error.into()),
    }
}

fn unchanged(proposal: Proposal) -> DerivedProposal {
    DerivedProposal {
        proposal,
        pending_action: None,
    }
}

fn derive_from_run_state(
    context: &Context,
    mut proposal: Proposal,
    run: &RunRow,
) -> Result<DerivedProposal, PlanningError> {
    let at = run.ended_at.unwrap_or(proposal.updated_at);
    let mut pending_action = None;
    match &run.state {
        RunState::Completed => return derive_from_answer(context, proposal, run.id, at),
        RunState::Failed { message, .. } => {
            let why = format!("the planner's session failed: {message}");
            apply_event_at(&mut proposal, &ProposalEvent::Failed { why }, at)?;
        }
        RunState::Stalled { message } => {
            let why = format!("the planner's session was interrupted: {message}");
            apply_event_at(&mut proposal, &ProposalEvent::Failed { why }, at)?;
            pending_action = Some(PendingAction::EndSession);
        }
        RunState::Cancelled => apply_event_at(&mut proposal, &ProposalEvent::Cancelled, at)?,
        RunState::Running { .. } | RunState::Paused { .. } | RunState::Replanning { .. } => {}
    }
    Ok(DerivedProposal {
        proposal,
        pending_action,
    })
}

fn derive_from_answer(
    context: &Context,
    mut proposal: Proposal,
    run: RunId,
    at: Timestamp,
) -> Result<DerivedProposal, PlanningError> {
    match evaluate_answer(context, &proposal, run, at)? {
        AnswerOutcome::Drafted(draft) => {
            let request = &proposal.request;
            let life = lifetime_ms(context, &request.cwd, request.automatic)?;
            apply_event_at(&mut proposal, &ProposalEvent::Drafted, at)?;
            proposal.expires_at = at.plus_ms(life);
            proposal.draft = Some(draft);
            Ok(unchanged(proposal))
        }
        AnswerOutcome::Unusable { why } => {
            apply_event_at(&mut proposal, &ProposalEvent::Failed { why }, at)?;
            Ok(unchanged(proposal))
        }
        AnswerOutcome::NeedsRepair { answer, faults } => {
            let pending_action = Some(PendingAction::Repair { answer, faults });
            Ok(DerivedProposal {
                proposal,
                pending_action,
            })
        }
    }
}

fn evaluate_answer(
    context: &Context,
    proposal: &Proposal,
    run: RunId,
    at: Timestamp,
) -> Result<AnswerOutcome, PlanningError> {
    let answers = context.store.artifacts().latest_for_run(run)?.rows;
    let Some(answer) = answers.into_iter().next() else {
        let why = "the planner's session ended without an answer".to_owned();
        return Ok(AnswerOutcome::Unusable { why });
    };
    let answer = Box::new(answer.content);
    let is_repaired = |round: &Round| !round.faults.is_empty();
    Ok(match draft(context, proposal, &answer.text, run, at)? {
        Ok(draft) => AnswerOutcome::Drafted(draft),
        Err(faults) if proposal.rounds.last().is_some_and(is_repaired) => AnswerOutcome::Unusable {
            why: format!(
                "the planner's answer is invalid, and so is its correction: {}",
                faults.join("; ")
            ),
        },
        Err(faults) => AnswerOutcome::NeedsRepair { answer, faults },
    })
}

fn draft(
    context: &Context,
    proposal: &Proposal,
    answer: &str,
    run: RunId,
    at: Timestamp,
) -> Result<Result<Draft, Vec<String>>, PlanningError> {
    let base = base(context, proposal)?;
    let servers = context.engine.tools().servers();
    let plans_agent = base
        .as_ref()
        .and_then(|plan| plan.settings.agent.as_deref());
    let answer_context = AnswerContext {
        request: &proposal.request,
        base: base.as_deref(),
        installed: &agent_programs::installed_agents(context),
        default_is_installed: default_agent(context, base.as_deref()).is_some(),
        call_faults: &|call| {
            baton_tools::check(call, &servers)
                .iter()
                .map(ToString::to_string)
                .collect()
        },
        missing_references: &|node| {
            let tools = named_tools::unknown_tools(context, plans_agent, node).into_iter();
            tools
                .chain(inventory::missing_plan(context, node))
                .collect()
        },
    };
    Ok(
        parse_answer(answer, &answer_context, &mut deterministic_ids(run, at))
            .map_err(|faults| fault_messages(&faults)),
    )
}

/// Identifiers for what a draft adds. They are the same each time, so that a person accepts exactly
/// what they saw.
fn deterministic_ids(run: RunId, at: Timestamp) -> impl FnMut() -> Uuid {
    let (millis, mut count) = (u64::try_from(at.0).unwrap_or(0), 0_u32);
    move || {
        count += 1;
        let number = count.to_be_bytes();
        let hash = Uuid::new_v5(&run.0, &number);
        let mut bytes = [0; 10];
        bytes.copy_from_slice(&hash.as_bytes()[..10]);
        // Version 7 ids sort by time and then by these bytes: in the order of the answer.
        bytes[..4].copy_from_slice(&number);
        uuid::Builder::from_unix_timestamp_millis(millis, &bytes).into_uuid()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draft_ids_are_deterministic() {
        let (run, other) = (RunId(Uuid::from_u128(7)), RunId(Uuid::from_u128(8)));
        let of = |run| {
            let mut next = deterministic_ids(run, Timestamp(1_000));
            [next(), next(), next()]
        };
        assert_eq!(of(run), of(run));
        assert!(
            of(run).is_sorted() && of(run)[0] != of(run)[1],
            "{:?}",
            of(run)
        );
        assert!(of(run).iter().all(|id| !of(other).contains(id)));
    }
}
