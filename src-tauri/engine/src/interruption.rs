//! Interrupts the runs of a database that was copied from another Baton.
//!
//! Their executors and sessions are elsewhere, or no longer exist. So each attempt is lost, the run
//! pauses until a person resumes it, and permissions that a person granted there are revoked. A
//! planner's session can't be continued at all and is canceled.

use baton_model::arbiter::EmptyRoster;
use baton_model::run::{
    ActiveGrant, Command, Context, Event, Refusal, ReplanEnd, StepError, UnlimitedPermits,
};
use baton_model::{NodeId, Outcome, Run, RunState, SessionId, Timestamp};
use baton_store::{Actor, CopiedRun, RecordedEvent, RunWrite, Store};

use crate::EngineError;

/// What people read about the attempts.
const DETAIL: &str = "the run was moved to another data directory while it was open";

/// Interrupts all open runs of the copied database `store` on behalf of `actor`. Returns how many.
pub fn interrupt_copied_runs(
    store: &Store,
    now: Timestamp,
    actor: &Actor,
) -> Result<usize, EngineError> {
    let copied = store.runs_to_interrupt()?;
    let mut interrupted = 0;
    for CopiedRun { run, planner } in copied {
        let (mut replayed, last_seq) = store.runs().replay(run)?;
        let was_open = !replayed.state().has_ended();
        let records = interruption(&mut replayed, planner, now, actor)?;
        interrupted += usize::from(was_open);
        if records.is_empty() {
            continue;
        }
        let nodes: Vec<_> = replayed
            .nodes()
            .map(|(node, state)| (node.id, state))
            .collect();
        store.runs().append(&RunWrite {
            run,
            epoch: replayed.epoch(),
            expected_last_seq: Some(last_seq),
            records: &records,
            state: replayed.state(),
            nodes: &nodes,
            artifacts: &[],
            evidence: &[],
            sessions: &[],
            worked: &[],
        })?;
    }
    Ok(interrupted)
}

/// The events that interrupt `run`, which are applied to it.
fn interruption(
    run: &mut Run,
    planner: bool,
    now: Timestamp,
    actor: &Actor,
) -> Result<Vec<RecordedEvent>, EngineError> {
    let mut records = Vec::new();
    let mut send = |run: &mut Run, command: &Command| {
        let events = decide(run, command, now)?;
        records.extend(events.into_iter().map(|event| RecordedEvent {
            at: now,
            actor: actor.clone(),
            event,
        }));
        Ok::<_, EngineError>(())
    };
    for ActiveGrant { grant, node } in run.active_grants().to_vec() {
        send(run, &Command::Revoke { grant, of: node })?;
    }
    if !run.state().has_ended() {
        send(run, &stop_command(run, planner))?;
    }
    for (node, attempt, _) in run.live_attempts().collect::<Vec<_>>() {
        send(run, &Command::SessionWithdrawn { node, attempt })?;
        let outcome = match planner {
            true => Outcome::Cancelled,
            false => Outcome::Lost {
                detail: DETAIL.to_owned(),
            },
        };
        send(
            run,
            &Command::SessionEnded {
                node,
                attempt,
                outcome,
                artifact: None,
                taken: None,
                doubt: None,
            },
        )?;
    }
    Ok(records)
}

/// What stops a run that hasn't ended. A replan continues without the run: its proposal comes along.
fn stop_command(run: &Run, planner: bool) -> Command {
    match run.state() {
        _ if planner => Command::Cancel,
        RunState::Replanning { proposal, .. } => Command::EndReplan {
            proposal: *proposal,
            end: ReplanEnd::GivenUp,
        },
        _ => Command::Pause {
            stop_running: false,
        },
    }
}

/// The events of `command`. A run that can't be paused, because it is stalled or already ending,
/// stays as it is.
fn decide(run: &mut Run, command: &Command, now: Timestamp) -> Result<Vec<Event>, EngineError> {
    let mut context = Context {
        now,
        chance: 0.0,
        new_session: &mut || SessionId(uuid::Uuid::new_v4()),
        artifact: None,
        fill_templates: &|_: NodeId, text: &str| text.to_owned(),
        roster: &EmptyRoster,
        permits: &UnlimitedPermits,
    };
    match run.step(command, &mut context) {
        Ok(step) => Ok(step.events),
        Err(StepError::Refused(Refusal::RunState { .. } | Refusal::NodeState { .. })) => {
            Ok(Vec::new())
        }
        Err(error) => Err(error.into()),
    }
}
