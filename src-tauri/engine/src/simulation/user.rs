//! The simulated user: issues any command at any time, and unblocks the run when nothing can
//! progress.

use baton_model::run::Answer;
use std::rc::Rc;

use baton_model::run::{Command, ReplanEnd, WaitingFor};
use baton_model::{NodeId, NodeState, ProposalId, Run, RunState};
use baton_store::Actor;
use serde_json::Value;
use uuid::Uuid;

use super::rng::SeededRng;
use super::world::World;

/// Any command. Whether it is valid is for the run to decide.
pub(super) fn random_command(world: &World) -> Option<Command> {
    let run = replayed(world)?;
    let mut state = world.state();
    let rng = &mut state.rng;
    let ids: Vec<NodeId> = world.plan.nodes.iter().map(|node| node.id).collect();
    let node = *rng.pick(&ids)?;
    if world.replans() && rng.per_mille(300) {
        return Some(replan(&run, rng));
    }
    if rng.per_mille(400)
        && let Some(answer) = run
            .nodes()
            .find_map(|(node, view)| answer(node.id, &view.state, rng.per_mille(800)))
    {
        return Some(answer);
    }
    Some(match rng.below(28) {
        0..3 => Command::Pause {
            stop_running: rng.per_mille(500),
        },
        3..8 => Command::Resume,
        8 => Command::Cancel,
        9..13 => Command::RetryNode {
            node,
            resume: rng.per_mille(300),
        },
        13 => Command::RerunFrom { node },
        14 if rng.per_mille(500) => Command::ContinueNode {
            node,
            message: "Now do the rest.".to_owned(),
        },
        14 => Command::RerunNode { node },
        15 if rng.per_mille(500) => Command::RerunFailed,
        15 => Command::RerunStale,
        16..18 => Command::SkipNode { node, stop: false },
        18..20 => Command::MarkDone {
            node,
            handoff: "Done manually.".to_owned(),
            stop: false,
        },
        20 => Command::MarkFailed { node },
        21 => Command::EditArtifact {
            node,
            text: "Other words.".to_owned(),
        },
        22 => Command::Checkpoint {
            name: "here".to_owned(),
            data: Value::Null,
            files: None,
        },
        23 => Command::Rollback {
            checkpoint: 0,
            files: false,
        },
        _ => Command::Approve {
            node,
            allow: rng.per_mille(800),
        },
    })
}

/// Starts replanning, or reports the end of a proposal; sometimes one that nothing waits for.
fn replan(run: &Run, rng: &mut SeededRng) -> Command {
    let proposal = ProposalId(Uuid::from_u128(rng.below(2).into()));
    match run.replanned_by() {
        Some(waited_for) if rng.per_mille(700) => {
            let ends = [
                ReplanEnd::Accepted { run: None },
                ReplanEnd::Rejected,
                ReplanEnd::GivenUp,
            ];
            let end = rng.pick(&ends).copied().unwrap_or(ReplanEnd::GivenUp);
            Command::EndReplan {
                proposal: waited_for,
                end,
            }
        }
        Some(_) if rng.per_mille(500) => Command::EndReplan {
            proposal,
            end: ReplanEnd::GivenUp,
        },
        _ => Command::BeginReplan { proposal },
    }
}

/// Answers open questions, stops hanging sessions and resumes a stalled run; false when there is
/// nothing to do.
pub(super) fn unblock_run(world: &Rc<World>) -> bool {
    let Some(run) = replayed(world) else {
        return false;
    };
    let owner = world.owner();
    if let Some(owner) = owner.filter(|_| run.state().is_running()) {
        if let Some(command) = run
            .nodes()
            .find_map(|(node, view)| answer(node.id, &view.state, true))
        {
            world.enqueue_command(owner, command, Actor::PERSON);
            return true;
        }
        return let_time_pass(world, owner);
    }
    if matches!(run.state(), RunState::Paused { .. }) {
        world.take_over(0);
        world.enqueue_command(0, Command::Resume, Actor::PERSON);
        return true;
    }
    false
}

/// Hanging sessions reach their time limit, as long as an executor follows them.
fn let_time_pass(world: &World, owner: usize) -> bool {
    let mut state = world.state();
    let state = &mut *state;
    let pools = &state.executors[owner].pools;
    let mut followed = state
        .machine
        .keepers
        .iter_mut()
        .filter(|(session, keeper)| {
            keeper.is_alive() && pools.iter().any(|pool| pool.follows(**session))
        });
    followed
        .next()
        .map(|(_, keeper)| keeper.time_up())
        .is_some()
}

fn answer(node: NodeId, state: &NodeState, allow: bool) -> Option<Command> {
    let NodeState::Waiting { what } = state else {
        return None;
    };
    match what {
        WaitingFor::Person { request, .. } => {
            let answer = if allow {
                Answer::AllowOnce
            } else {
                Answer::deny()
            };
            Some(Command::Answer {
                node,
                request: request.clone(),
                answer,
            })
        }
        WaitingFor::Approval { .. } => Some(Command::Approve { node, allow }),
        WaitingFor::Input { .. } => Some(Command::GiveInput {
            node,
            value: "left".to_owned(),
        }),
        _ => None,
    }
}

fn replayed(world: &World) -> Option<Run> {
    let run = world.state().run;
    world.store.runs().replay(run).ok().map(|(run, _)| run)
}
