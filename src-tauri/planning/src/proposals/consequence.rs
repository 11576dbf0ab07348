//! What follows for a proposal from its planner's run and from the time, whether or not anybody has stored it.
//!
//! A query shows a proposal as it stands by now and writes nothing. A process that stays stores the same and does what
//! is left to do, see [`Duty`]. Both come to the same answer: nothing here is drawn by chance, and a draft is dated by
//! the end of its run.

use baton_formats::planner::{Bench, judge, repair};
use baton_model::planning::{Draft, Proposal, ProposalEvent, ProposalState, Round};
use baton_model::{Artifact, RunId, RunState, Timestamp};
use baton_store::{RunRow, StoreError};
use uuid::Uuid;

use super::round::BEGINNING;
use super::{decision, inventory, order};
use crate::settings::StoredSettings;
use crate::{Context, PlanningError, named_tools, programs};

/// A proposal as it stands by now.
pub(super) struct Consequence {
    /// With all that follows from its run and the time.
    pub(super) proposal: Proposal,
    /// What an executor has to do for it beside storing it.
    pub(super) duty: Option<Duty>,
}

/// What only a process that executes runs may do for a proposal.
pub(super) enum Duty {
    /// Begin the run that was promised when the proposal was accepted.
    KeepPromise,
    /// Begin the latest round: its run does not exist.
    BeginRound,
    /// End the session of the latest round, which hangs.
    EndSession,
    /// Ask the planner to correct an answer that can't be used.
    Repair {
        /// The answer.
        answer: Box<Artifact>,
        /// What is wrong with it.
        faults: Vec<String>,
    },
}

/// What became of the answer of a planner.
enum Judged {
    Drafted(Draft),
    Hopeless {
        why: String,
    },
    Faulty {
        answer: Box<Artifact>,
        faults: Vec<String>,
    },
}

impl Consequence {
    /// What follows from what is stored at this moment.
    pub(super) fn of(context: &Context, proposal: Proposal) -> Result<Self, PlanningError> {
        let mut consequence = match proposal.state {
            ProposalState::Working => of_run(context, proposal)?,
            _ => Self {
                duty: promise_is_due(context, &proposal).then_some(Duty::KeepPromise),
                proposal,
            },
        };
        expire(&mut consequence.proposal, context.now())?;
        Ok(consequence)
    }
}

fn expire(proposal: &mut Proposal, now: Timestamp) -> Result<(), PlanningError> {
    let waits = matches!(
        proposal.state,
        ProposalState::Ready | ProposalState::NeedsReview
    );
    if waits && now >= proposal.expires_at {
        let at = proposal.expires_at;
        ended(proposal, &ProposalEvent::Expired, at)?;
    }
    Ok(())
}

fn ended(
    proposal: &mut Proposal,
    event: &ProposalEvent,
    at: Timestamp,
) -> Result<(), PlanningError> {
    decision::step(proposal, event)?;
    proposal.updated_at = at;
    Ok(())
}

/// The process in which a person accepted begins the run itself, unless it dies.
fn promise_is_due(context: &Context, proposal: &Proposal) -> bool {
    proposal.promised.is_some() && context.now().ms_since(proposal.updated_at) >= BEGINNING
}

fn of_run(context: &Context, proposal: Proposal) -> Result<Consequence, PlanningError> {
    let Some(round) = proposal.rounds.last() else {
        return Ok(unchanged(proposal));
    };
    match context.store.runs().get(round.run) {
        Ok(run) => of_state(context, proposal, &run),
        Err(StoreError::NotFound { .. }) => {
            let is_due = context.now().ms_since(round.at) >= BEGINNING;
            let duty = is_due.then_some(Duty::BeginRound);
            Ok(Consequence { proposal, duty })
        }
        Err(error) => Err(error.into()),
    }
}

fn unchanged(proposal: Proposal) -> Consequence {
    Consequence {
        proposal,
        duty: None,
    }
}

fn of_state(
    context: &Context,
    mut proposal: Proposal,
    run: &RunRow,
) -> Result<Consequence, PlanningError> {
    let at = run.ended_at.unwrap_or(proposal.updated_at);
    let mut duty = None;
    match &run.state {
        RunState::Completed => return of_answer(context, proposal, run.id, at),
        RunState::Failed { message } => {
            let why = format!("the planner's session failed: {message}");
            ended(&mut proposal, &ProposalEvent::Failed { why }, at)?;
        }
        RunState::Stalled { message } => {
            let why = format!("the planner's session was interrupted: {message}");
            ended(&mut proposal, &ProposalEvent::Failed { why }, at)?;
            duty = Some(Duty::EndSession);
        }
        RunState::Cancelled => ended(&mut proposal, &ProposalEvent::Cancelled, at)?,
        RunState::Running { .. } | RunState::Paused { .. } | RunState::Replanning { .. } => {}
    }
    Ok(Consequence { proposal, duty })
}

fn of_answer(
    context: &Context,
    mut proposal: Proposal,
    run: RunId,
    at: Timestamp,
) -> Result<Consequence, PlanningError> {
    match judged(context, &proposal, run, at)? {
        Judged::Drafted(draft) => {
            let days = StoredSettings::read(&context.store)?.proposal_days;
            ended(&mut proposal, &ProposalEvent::Drafted, at)?;
            proposal.expires_at = at.plus_ms(days.ms(proposal.request.automatic));
            proposal.draft = Some(draft);
            Ok(unchanged(proposal))
        }
        Judged::Hopeless { why } => {
            ended(&mut proposal, &ProposalEvent::Failed { why }, at)?;
            Ok(unchanged(proposal))
        }
        Judged::Faulty { answer, faults } => {
            let duty = Some(Duty::Repair { answer, faults });
            Ok(Consequence { proposal, duty })
        }
    }
}

fn judged(
    context: &Context,
    proposal: &Proposal,
    run: RunId,
    at: Timestamp,
) -> Result<Judged, PlanningError> {
    let answers = context.store.artifacts().latest_of(run)?.rows;
    let Some(answer) = answers.into_iter().next() else {
        let why = "the planner's session ended without an answer".to_owned();
        return Ok(Judged::Hopeless { why });
    };
    let answer = Box::new(answer.content);
    let is_repaired = |round: &Round| !round.faults.is_empty();
    Ok(match draft(context, proposal, &answer.text, run, at)? {
        Ok(draft) => Judged::Drafted(draft),
        Err(faults) if proposal.rounds.last().is_some_and(is_repaired) => Judged::Hopeless {
            why: format!(
                "neither the planner's answer nor its correction can be used: {}",
                faults.join("; ")
            ),
        },
        Err(faults) => Judged::Faulty { answer, faults },
    })
}

fn draft(
    context: &Context,
    proposal: &Proposal,
    answer: &str,
    run: RunId,
    at: Timestamp,
) -> Result<Result<Draft, Vec<String>>, PlanningError> {
    let base = decision::base(context, proposal)?;
    let servers = context.engine.tools().servers();
    let plans_agent = base
        .as_ref()
        .and_then(|plan| plan.settings.agent.as_deref());
    let bench = Bench {
        request: &proposal.request,
        base: base.as_deref(),
        installed: &programs::installed(context),
        default_is_installed: order::default_agent(context, base.as_deref()).is_some(),
        mistakes: &|call| {
            baton_tools::check(call, &servers)
                .iter()
                .map(ToString::to_string)
                .collect()
        },
        not_there: &|node| {
            let tools = named_tools::faults(context, plans_agent, node).into_iter();
            tools
                .chain(inventory::missing_plan(context, node))
                .collect()
        },
    };
    Ok(judge(answer, &bench, &mut identifiers(run, at)).map_err(|faults| repair(&faults)))
}

/// Identifiers for what a draft adds: the same at every look, so that a person decides about what they were shown.
fn identifiers(run: RunId, at: Timestamp) -> impl FnMut() -> Uuid {
    let (millis, mut count) = (u64::try_from(at.0).unwrap_or(0), 0_u32);
    move || {
        count += 1;
        let number = count.to_be_bytes();
        let hash = Uuid::new_v5(&run.0, &number);
        let mut bytes = [0; 10];
        bytes.copy_from_slice(&hash.as_bytes()[..10]);
        // Version 7 sorts by time, then by these: in the order of the answer.
        bytes[..4].copy_from_slice(&number);
        uuid::Builder::from_unix_timestamp_millis(millis, &bytes).into_uuid()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_of_a_draft_are_the_same_at_every_look() {
        let (run, other) = (RunId(Uuid::from_u128(7)), RunId(Uuid::from_u128(8)));
        let of = |run| {
            let mut next = identifiers(run, Timestamp(1_000));
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
