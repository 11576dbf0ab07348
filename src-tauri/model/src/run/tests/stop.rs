//! A person stops one node: effects on the node and on the run.

use crate::plan_fixture::{node_id, plan_of};
use crate::run::{Command, Effect, NodeState, RunState, SkipReason};
use crate::{Attempt, NodeId, Outcome};

use super::scenario::{Scenario, ended, executor, failed, lost, started_run};

const A: usize = 0;
const B: usize = 1;

/// A → B, with A running.
fn running() -> (Scenario, NodeId, Attempt) {
    let mut scenario = started_run(plan_of(&["A", "B"], &[(A, B)]));
    let (node, attempt) = scenario.starts(A);
    (scenario, node, attempt)
}

fn stops(effects: &[Effect], node: NodeId) -> bool {
    effects.iter().any(
        |effect| matches!(effect, Effect::StopSession { node: stopped, .. } if *stopped == node),
    )
}

#[test]
fn stopped_node_is_interrupted_however_its_session_ends() {
    for outcome in [Outcome::Cancelled, failed(), lost()] {
        let (mut scenario, node, attempt) = running();
        let step = scenario.step_ok(Command::StopNode { node });
        assert!(stops(&step.effects, node));
        assert_eq!(
            scenario.state_name(A),
            "running",
            "it is interrupted once its processes are gone"
        );
        scenario.step_ok(ended(node, attempt, outcome.clone()));
        let detail = "stopped by a person".to_owned();
        assert_eq!(
            *scenario.state(A),
            NodeState::Interrupted { detail },
            "{outcome:?}"
        );
        assert!(matches!(scenario.run.state(), RunState::Stalled { .. }));
        scenario.step_ok(Command::RetryNode {
            node,
            resume: false,
        });
        scenario.runs(A, Outcome::Succeeded);
        scenario.runs(B, Outcome::Succeeded);
        assert_eq!(*scenario.run.state(), RunState::Completed);
    }
}

#[test]
fn late_stop_changes_nothing() {
    for command in [
        Command::StopNode { node: node_id(A) },
        Command::SkipNode {
            node: node_id(A),
            stop: true,
        },
        Command::MarkDone {
            node: node_id(A),
            handoff: String::new(),
            stop: true,
        },
    ] {
        let (mut scenario, node, attempt) = running();
        scenario.step_ok(command);
        scenario.step_ok(ended(node, attempt, Outcome::Succeeded));
        assert_eq!(*scenario.state(A), NodeState::Done { by_hand: false });
        scenario.runs(B, Outcome::Succeeded);
        assert_eq!(*scenario.run.state(), RunState::Completed);
    }
}

#[test]
fn running_node_is_skipped_after_its_session_has_ended() {
    let (mut scenario, node, attempt) = running();
    assert!(
        scenario
            .step(&Command::SkipNode { node, stop: false })
            .is_err(),
        "only if stopping was requested"
    );
    let step = scenario.step_ok(Command::SkipNode { node, stop: true });
    assert!(stops(&step.effects, node));
    scenario.step_ok(ended(node, attempt, Outcome::Cancelled));
    assert_eq!(
        *scenario.state(A),
        NodeState::Skipped {
            reason: SkipReason::ByHand
        }
    );
    scenario.runs(B, Outcome::Succeeded);
    assert_eq!(*scenario.run.state(), RunState::Completed);
}

#[test]
fn running_node_is_marked_done_after_its_session_has_ended() {
    let (mut scenario, node, attempt) = running();
    scenario.step_ok(Command::MarkDone {
        node,
        handoff: "Done by hand.".to_owned(),
        stop: true,
    });
    scenario.step_ok(ended(node, attempt, failed()));
    assert_eq!(*scenario.state(A), NodeState::Done { by_hand: true });
}

#[test]
fn reserved_node_is_skipped_without_starting() {
    let mut scenario = started_run(plan_of(&["A"], &[]));
    let (node, attempt) = scenario.attempt(A);
    assert!(
        scenario.step(&Command::StopNode { node }).is_err(),
        "no session of it is running"
    );
    scenario.step_ok(Command::SkipNode { node, stop: true });
    scenario.step_ok(Command::SessionWithdrawn { node, attempt });
    assert_eq!(
        *scenario.state(A),
        NodeState::Skipped {
            reason: SkipReason::ByHand
        }
    );
    assert_eq!(*scenario.run.state(), RunState::Completed);
}

#[test]
fn stop_survives_the_executor() {
    let (mut scenario, node, attempt) = running();
    scenario.step_ok(Command::SkipNode { node, stop: true });
    let epoch = crate::Epoch(1);
    let step = scenario.step_ok(Command::TakeOver {
        executor: executor(),
        epoch,
        record: None,
    });
    assert!(stops(&step.effects, node), "{:?}", step.effects);
    scenario.step_ok(ended(node, attempt, Outcome::Cancelled));
    assert_eq!(
        *scenario.state(A),
        NodeState::Skipped {
            reason: SkipReason::ByHand
        }
    );
}

#[test]
fn reserved_node_that_is_skipped_is_not_started_by_the_next_executor() {
    let mut scenario = started_run(plan_of(&["A"], &[]));
    let (node, _) = scenario.attempt(A);
    scenario.step_ok(Command::SkipNode { node, stop: true });
    let epoch = crate::Epoch(1);
    let step = scenario.step_ok(Command::TakeOver {
        executor: executor(),
        epoch,
        record: None,
    });
    assert!(stops(&step.effects, node));
    assert!(
        !step
            .effects
            .iter()
            .any(|effect| matches!(effect, Effect::StartSession { .. })),
        "{:?}",
        step.effects
    );
}

#[test]
fn stop_takes_precedence_over_pause() {
    let (mut scenario, node, attempt) = running();
    scenario.step_ok(Command::Pause { stop_running: true });
    scenario.step_ok(Command::StopNode { node });
    scenario.step_ok(ended(node, attempt, Outcome::Cancelled));
    assert_eq!(scenario.state_name(A), "interrupted");
}

#[test]
fn request_ends_with_the_attempt() {
    let (mut scenario, node, attempt) = running();
    scenario.step_ok(Command::StopNode { node });
    assert_eq!(
        scenario
            .step(&Command::StopNode { node })
            .expect("granted")
            .events,
        []
    );
    scenario.step_ok(ended(node, attempt, Outcome::Cancelled));
    scenario.step_ok(Command::RetryNode {
        node,
        resume: false,
    });
    scenario.runs(A, failed());
    assert_eq!(
        scenario.state_name(A),
        "failed",
        "the stop does not affect the next attempt"
    );
}
