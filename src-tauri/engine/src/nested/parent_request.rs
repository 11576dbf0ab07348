//! Requests of the parent run to a nested run: to resume, pause or end.

use baton_model::run::{Command, Ending, PauseReason};
use baton_model::{NodeState, RunId, RunState, SessionId};
use baton_store::{Actor, NodeStateRow};

use super::{Nested, Stop};
use crate::engine::Engine;

/// A request to a nested run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ParentRequest {
    Run,
    /// The parent is about to pause or stop the node: until then nothing happens.
    Await,
    Pause {
        stop_running: bool,
    },
    Cancel,
}

/// The parent run's current request, according to the store.
pub(super) fn from_parent_run(nested: &Nested<'_>) -> Result<ParentRequest, Stop> {
    let (run, node) = (nested.job.run.run, nested.job.node);
    let above = nested.store().runs().get(run)?.state;
    let row = nested.store().node_states().get(run, node)?;
    let row = row.filter(|row| is_under_way(row, nested.job.session));
    // The request came after the end of the attempt: the run belongs to another attempt by now.
    let Some(row) = row else {
        return Err(Stop::Detached);
    };
    if !nested.live.stop_requested() {
        return Ok(match above {
            // The stop is on its way. A run that had ended before would be restarted only to be
            // stopped.
            RunState::Running {
                ending: Some(Ending::Pausing { stop_running: true }),
            } => ParentRequest::Await,
            RunState::Running {
                ending: Some(Ending::Pausing { stop_running }),
            } => ParentRequest::Pause { stop_running },
            _ => ParentRequest::Run,
        });
    }
    Ok(match above {
        _ if row.marks.stopping.is_some() => ParentRequest::Cancel,
        RunState::Running {
            ending: Some(Ending::Pausing { .. }),
        } => ParentRequest::Pause { stop_running: true },
        // A pause that was revoked: the node is about to resume.
        RunState::Running { ending: None } if !is_overspent(nested, &row) => {
            ParentRequest::Pause { stop_running: true }
        }
        _ => ParentRequest::Cancel,
    })
}

fn is_under_way(row: &NodeStateRow, session: SessionId) -> bool {
    row.session == Some(session)
        && matches!(row.state, NodeState::Running | NodeState::Waiting { .. })
}

fn is_overspent(nested: &Nested<'_>, row: &NodeStateRow) -> bool {
    row.marks
        .spent
        .describe_excess(&nested.node.budget)
        .is_some()
}

/// Forwards the request to `run`, which is in `state`. If the run is paused as requested, its node
/// pauses as well.
pub(super) fn forward_to_run(
    nested: &Nested<'_>,
    run: RunId,
    state: &RunState,
    order: ParentRequest,
) -> Result<(), Stop> {
    let ending = match state {
        RunState::Running { ending } => Some(ending),
        _ => None,
    };
    match (order, ending) {
        (ParentRequest::Await, _) | (ParentRequest::Cancel, Some(Some(Ending::Cancelling))) => {}
        (ParentRequest::Cancel, _) => command(nested.engine, run, Command::Cancel),
        (ParentRequest::Pause { .. }, None) => return Err(Stop::Paused),
        (ParentRequest::Pause { stop_running }, Some(None | Some(Ending::Cancelling))) => {
            command(nested.engine, run, Command::Pause { stop_running });
        }
        (
            ParentRequest::Pause { stop_running: true },
            Some(Some(Ending::Pausing {
                stop_running: false,
            })),
        ) => {
            command(nested.engine, run, Command::Pause { stop_running: true });
        }
        // It is about to pause or end anyway.
        (ParentRequest::Pause { .. }, Some(Some(_))) => {}
        (ParentRequest::Run, ending) => {
            let rests = matches!(
                state,
                RunState::Paused {
                    reason: PauseReason::Asked
                }
            );
            let is_pausing = matches!(ending, Some(Some(Ending::Pausing { .. })));
            // A run that a person paused waits for a person.
            if (rests || is_pausing)
                && nested.store().run_events().paused_by(run)? == Some(Actor::Baton)
            {
                command(nested.engine, run, Command::Resume);
            }
        }
    }
    Ok(())
}

fn command(engine: &Engine, run: RunId, command: Command) {
    if let Err(error) = engine.command(run, command, Actor::Baton) {
        // Its state has changed meanwhile, and is checked again at its next event.
        tracing::debug!(%run, %error, "couldn't pass a request on to a nested run");
    }
}
