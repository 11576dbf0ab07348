//! Failed runs that restart automatically.

use crate::node::{OnFailure, TriggerRule};
use crate::outcome::Failure;
use crate::plan_fixture::{node_id, plan_of};
use crate::run::{BudgetUsage, Command, Effect, Event, NodeState, RunState, Step, WaitingFor};
use crate::{NodeId, Outcome, Plan, Timestamp};

use super::scenario::{Scenario, ended, failed, started_run};

const A: usize = 0;
const B: usize = 1;
const C: usize = 2;

/// A → B → C.
fn chain(plan_retries: u32) -> Plan {
    let mut plan = plan_of(&["A", "B", "C"], &[(A, B), (B, C)]);
    plan.settings.plan_retries = plan_retries;
    plan
}

/// Ends the node's attempt.
fn ends(scenario: &mut Scenario, position: usize, outcome: Outcome) -> Step {
    let (node, attempt) = scenario.starts(position);
    scenario.step_ok(ended(node, attempt, outcome))
}

/// The restarts in `step`: number, failed nodes, nodes that run again.
fn retries(step: &Step) -> Vec<(u32, Vec<NodeId>, Vec<NodeId>)> {
    let retry = |event: &Event| match event {
        Event::PlanRetried {
            retry,
            failed,
            again,
            ..
        } => Some((*retry, failed.clone(), again.clone())),
        _ => None,
    };
    step.events.iter().filter_map(retry).collect()
}

fn becomes_due(scenario: &mut Scenario, position: usize, after_ms: u64) {
    let due = scenario.now.plus_ms(after_ms);
    assert_eq!(
        *scenario.state(position),
        NodeState::Waiting {
            what: WaitingFor::RetryAt { at: due }
        }
    );
    scenario.now = due;
    scenario.step_ok(Command::Due {
        node: node_id(position),
    });
}

#[test]
fn restart_waits_grow_and_begin_at_failed_nodes() {
    let mut scenario = started_run(chain(2));
    scenario.runs(A, Outcome::Succeeded);
    let step = ends(&mut scenario, B, failed());
    assert_eq!(retries(&step), [(1, vec![node_id(B)], vec![])]);
    let due = scenario.now.plus_ms(1000);
    assert!(
        step.effects.contains(&Effect::WakeAt {
            node: node_id(B),
            at: due
        }),
        "{:?}",
        step.effects
    );
    becomes_due(&mut scenario, B, 1000);
    assert_eq!(
        retries(&ends(&mut scenario, B, failed())),
        [(2, vec![node_id(B)], vec![])]
    );
    becomes_due(&mut scenario, B, 2000);
    scenario.runs(B, Outcome::Succeeded);
    scenario.runs(C, Outcome::Succeeded);
    assert_eq!(*scenario.run.state(), RunState::Completed);
    assert_eq!(
        scenario.node(A).attempt.0,
        1,
        "finished nodes are not rerun"
    );
    assert_eq!(scenario.node(B).attempt.0, 3);
}

#[test]
fn run_without_retries_left_fails() {
    for plan_retries in [0, 1] {
        let mut scenario = started_run(chain(plan_retries));
        for _ in 0..plan_retries {
            scenario.runs(A, failed());
            becomes_due(&mut scenario, A, 1000);
        }
        scenario.runs(A, failed());
        assert!(
            matches!(scenario.run.state(), RunState::Failed { .. }),
            "{plan_retries} retries"
        );
    }
}

#[test]
fn restart_resets_node_retries() {
    let mut plan = chain(1);
    plan.nodes[A].max_retries = 1;
    let mut scenario = started_run(plan);
    scenario.runs(A, failed());
    becomes_due(&mut scenario, A, 1000);
    assert_eq!(retries(&ends(&mut scenario, A, failed())).len(), 1);
    becomes_due(&mut scenario, A, 1000);
    assert_eq!(
        retries(&ends(&mut scenario, A, failed())).len(),
        0,
        "the node is retried first"
    );
    becomes_due(&mut scenario, A, 1000);
    scenario.runs(A, failed());
    assert!(matches!(scenario.run.state(), RunState::Failed { .. }));
}

#[test]
fn clean_up_that_ran_after_the_failure_runs_again() {
    let mut plan = chain(1);
    plan.nodes[C].trigger_rule = Some(TriggerRule::AllDone);
    let mut scenario = started_run(plan);
    scenario.runs(A, Outcome::Succeeded);
    scenario.runs(B, failed());
    let step = ends(&mut scenario, C, Outcome::Succeeded);
    assert_eq!(retries(&step), [(1, vec![node_id(B)], vec![node_id(C)])]);
    becomes_due(&mut scenario, B, 1000);
    scenario.runs(B, Outcome::Succeeded);
    scenario.runs(C, Outcome::Succeeded);
    assert_eq!(*scenario.run.state(), RunState::Completed);
    assert_eq!(scenario.node(C).attempt.0, 2);
}

#[test]
fn manual_decisions_survive_plan_retry() {
    let mut plan = chain(1);
    plan.nodes[C].trigger_rule = Some(TriggerRule::AllDone);
    let mut scenario = started_run(plan);
    scenario.runs(A, Outcome::Succeeded);
    scenario.step_ok(Command::MarkDone {
        node: node_id(C),
        handoff: String::new(),
        stop: false,
    });
    let step = ends(&mut scenario, B, failed());
    assert_eq!(retries(&step), [(1, vec![node_id(B)], vec![])]);
    assert_eq!(*scenario.state(C), NodeState::Done { by_hand: true });
}

#[test]
fn restart_retries_the_failed_handler_only() {
    let mut plan = plan_of(&["A", "B"], &[]);
    plan.settings.plan_retries = 1;
    plan.nodes[A].on_failure = OnFailure::Node(node_id(B));
    let mut scenario = started_run(plan);
    scenario.runs(A, failed());
    let step = ends(&mut scenario, B, failed());
    assert_eq!(retries(&step), [(1, vec![node_id(B)], vec![])]);
    becomes_due(&mut scenario, B, 1000);
    scenario.runs(B, Outcome::Succeeded);
    assert_eq!(*scenario.run.state(), RunState::Completed);
}

#[test]
fn restart_does_not_delay_other_nodes() {
    let mut plan = plan_of(&["A", "B"], &[]);
    plan.settings.plan_retries = 1;
    plan.settings.concurrency = Some(1);
    let mut scenario = started_run(plan);
    let (node, attempt) = scenario.starts(A);
    let (other, other_attempt) = scenario.attempt(B);
    scenario.step_ok(ended(node, attempt, failed()));
    let step = scenario.step_ok(Command::SessionWithdrawn {
        node: other,
        attempt: other_attempt,
    });
    assert_eq!(retries(&step).len(), 1);
    assert_eq!(*scenario.run.state(), RunState::Running { ending: None });
    scenario.runs(B, Outcome::Succeeded);
    becomes_due(&mut scenario, A, 1000);
    scenario.runs(A, Outcome::Succeeded);
    assert_eq!(*scenario.run.state(), RunState::Completed);
}

#[test]
fn manual_and_limit_endings_are_not_retried() {
    let cancelled = |scenario: &mut Scenario| {
        let (node, attempt) = scenario.starts(A);
        scenario.step_ok(Command::Cancel);
        scenario.step_ok(ended(node, attempt, failed()));
    };
    let out_of_time = |scenario: &mut Scenario| {
        let (node, attempt) = scenario.starts(A);
        scenario.now = Timestamp(1000).plus_ms(60_000);
        scenario.step_ok(Command::TimeUp);
        scenario.step_ok(ended(node, attempt, failed()));
    };
    let over_budget = |scenario: &mut Scenario| {
        let detail = "100 of 50 tokens".to_owned();
        scenario.runs(
            A,
            Outcome::Failed {
                failure: Failure::BudgetSpent { detail },
            },
        );
    };
    let marked_failed = |scenario: &mut Scenario| {
        scenario.runs(A, Outcome::Cancelled);
        scenario.step_ok(Command::MarkFailed { node: node_id(A) });
    };
    type Happens = fn(&mut Scenario);
    let ways: [(&str, Happens); 4] = [
        ("cancel", cancelled),
        ("time limit", out_of_time),
        ("budget", over_budget),
        ("mark failed", marked_failed),
    ];
    for (way, happens) in ways {
        let mut plan = chain(3);
        plan.settings.timeout_ms = Some(60_000);
        let mut scenario = started_run(plan);
        happens(&mut scenario);
        assert_eq!(scenario.run.plan_retries(), 0, "{way}");
        assert!(
            !scenario.run.state().is_running(),
            "{way}: {:?}",
            scenario.run.state()
        );
    }
}

#[test]
fn time_limit_spans_all_retries() {
    let mut plan = chain(1);
    plan.settings.timeout_ms = Some(60_000);
    let mut scenario = started_run(plan);
    let before = scenario.run.deadline();
    scenario.now = scenario.now.plus_ms(5000);
    scenario.runs(A, failed());
    assert_eq!(scenario.run.plan_retries(), 1);
    assert_eq!(scenario.run.deadline(), before);
}

#[test]
fn restart_does_not_reset_clean_up_budget() {
    let mut plan = chain(1);
    plan.nodes[C].trigger_rule = Some(TriggerRule::AllDone);
    plan.nodes[C].budget.tokens = Some(10);
    let mut scenario = started_run(plan);
    scenario.runs(A, Outcome::Succeeded);
    scenario.runs(B, failed());
    let (node, attempt) = scenario.starts(C);
    let spent = BudgetUsage {
        tokens: 11,
        cost_micros: 0,
    };
    scenario.step_ok(Command::SessionUsed {
        node,
        attempt,
        spent,
    });
    scenario.step_ok(ended(node, attempt, Outcome::Succeeded));
    assert!(matches!(scenario.run.state(), RunState::Failed { .. }));
    assert_eq!(scenario.run.plan_retries(), 0);
}
