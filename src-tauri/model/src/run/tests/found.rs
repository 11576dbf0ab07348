//! Cases that once went wrong.

use super::scenario::{Scenario, ended, failed, lost, start, started, take_over};
use crate::Outcome;
use crate::node::TriggerRule;
use crate::plan_fixture::{node_id, plan_of};
use crate::run::{Command, Effect, NodeState, Refusal, RunState};

const A: usize = 0;
const B: usize = 1;
const C: usize = 2;

/// The name of the first cause stayed when that parent had long been mended.
#[test]
fn a_blocked_node_names_a_parent_that_still_blocks_it() {
    let mut scenario = Scenario::of(plan_of(&["A", "B", "C"], &[(A, C), (B, C)]));
    scenario.does(start(Some(2)));
    scenario.runs(A, lost());
    scenario.runs(B, lost());
    assert_eq!(state(&scenario, C), NodeState::Blocked { by: node_id(A) });
    scenario.does(Command::MarkDone { node: node_id(A), handoff: String::new() });
    assert_eq!(state(&scenario, C), NodeState::Blocked { by: node_id(B) });
}

/// The last parent to end was named, though it was another that had failed.
#[test]
fn a_parent_that_was_only_skipped_blocks_nobody() {
    let mut plan = plan_of(&["A", "B", "C", "D"], &[(A, C), (B, 3), (C, 3)]);
    plan.nodes[C].trigger_rule = Some(TriggerRule::OneFailed);
    plan.nodes[3].trigger_rule = Some(TriggerRule::OneSuccess);
    let mut scenario = Scenario::of(plan);
    scenario.does(start(Some(2)));
    scenario.runs(B, lost());
    scenario.runs(A, Outcome::Succeeded);
    assert_eq!(scenario.word(C), "skipped");
    assert_eq!(state(&scenario, 3), NodeState::Blocked { by: node_id(B) });
}

/// The late end of a stopped session counted as an interruption, and the resumed run stalled.
#[test]
fn a_run_that_is_resumed_before_its_sessions_have_stopped_does_them_again() {
    let mut scenario = Scenario::of(plan_of(&["A"], &[]));
    scenario.does(start(None));
    let (node, attempt) = scenario.attempt(A);
    scenario.does(started(node, attempt));
    scenario.does(Command::Pause { stop_running: true });
    scenario.does(Command::Resume);
    let step = scenario.does(ended(node, attempt, Outcome::Cancelled));
    assert!(matches!(step.effects[..], [Effect::StartSession { .. }]), "{step:?}");
    scenario.runs(A, Outcome::Succeeded);
    assert_eq!(*scenario.run.state(), RunState::Completed);
}

#[test]
fn a_cancel_after_such_a_resume_is_a_cancel() {
    let mut scenario = Scenario::of(plan_of(&["A"], &[]));
    scenario.does(start(None));
    let (node, attempt) = scenario.attempt(A);
    scenario.does(started(node, attempt));
    for command in [Command::Pause { stop_running: true }, Command::Resume, Command::Cancel] {
        scenario.does(command);
    }
    scenario.does(ended(node, attempt, Outcome::Cancelled));
    assert_eq!((scenario.word(A), scenario.run.state()), ("interrupted", &RunState::Cancelled));
}

/// The event was made and did not fit.
#[test]
fn an_executor_that_was_overtaken_cannot_take_over() {
    let mut scenario = Scenario::of(plan_of(&["A"], &[]));
    scenario.does(start(None));
    scenario.does(take_over(3));
    assert_eq!(scenario.step(&take_over(3)), Err(Refusal::OldEpoch { current: 3, offered: 3 }));
}

/// Resuming, cancelling or wanting more of a run without history gave it one without a beginning.
#[test]
fn a_run_that_has_not_begun_can_only_start() {
    let mut scenario = Scenario::of(plan_of(&["A"], &[]));
    for command in [Command::Resume, Command::Cancel, Command::SkipNode { node: node_id(A) }, take_over(1)] {
        let refusal = scenario.step(&command).expect_err("it has not begun");
        assert_eq!(refusal.to_string(), "the run is not begun yet, so it cannot be changed");
    }
    scenario.does(start(None));
}

/// A dependent whose retry was due, but had no place yet, kept the failures of before.
#[test]
fn running_again_gives_all_dependents_their_retries_back() {
    let mut plan = plan_of(&["A", "B", "C"], &[(A, B)]);
    plan.nodes[B].max_retries = 1;
    let mut scenario = Scenario::of(plan);
    scenario.does(start(None));
    scenario.runs(A, Outcome::Succeeded);
    scenario.runs(B, failed());
    scenario.does(Command::Pause { stop_running: false });
    let (node, attempt) = scenario.attempt(C);
    scenario.does(Command::SessionWithdrawn { node, attempt });
    scenario.does(Command::Due { node: node_id(B) });
    scenario.does(Command::RerunFrom { node: node_id(A) });
    scenario.runs(A, Outcome::Succeeded);
    scenario.runs(B, failed());
    assert_eq!(scenario.word(B), "waiting", "it may be tried once more");
}

fn state(scenario: &Scenario, position: usize) -> NodeState {
    scenario.run.node(node_id(position)).expect("the plan has it").state.clone()
}

#[test]
fn a_run_out_of_time_stops_what_runs_and_fails() {
    let mut plan = plan_of(&["A"], &[]);
    plan.settings.timeout_ms = Some(0);
    let mut scenario = Scenario::of(plan);
    scenario.does(start(None));
    let (node, attempt) = scenario.attempt(A);
    scenario.does(started(node, attempt));
    let step = scenario.does(Command::TimeUp);
    assert_eq!(step.effects, [Effect::StopSession { node, attempt }]);
    assert_eq!(scenario.does(Command::TimeUp).events, [], "a second alarm means nothing");
    scenario.does(ended(node, attempt, Outcome::Cancelled));
    let message = "the run took longer than its limit of 0 s. Not done: 'A'".to_owned();
    assert_eq!(scenario.run.state(), &RunState::Failed { message });
}
