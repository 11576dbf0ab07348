//! Jumps: what they skip, which failures they handle, and what is reserved next to them.

use super::scenario::{Scenario, ended, failed, start, started, started_run, take_over};
use crate::node::{ConditionTask, InputType, NodeKind, OnFailure, Question};
use crate::plan::Autonomy;
use crate::plan_fixture::{node_id, plan_of};
use crate::run::{Command, Effect, NodeState, RunState, SkipReason};
use crate::{Outcome, Plan};

const A: usize = 0;
const B: usize = 1;
const C: usize = 2;
const D: usize = 3;

fn went_on(scenario: &Scenario, position: usize) -> bool {
    matches!(
        scenario.state(position),
        NodeState::Failed {
            went_on_at: Some(_),
            ..
        }
    )
}

fn jumped_over(by: usize) -> NodeState {
    NodeState::Skipped {
        reason: SkipReason::JumpedOver { by: node_id(by) },
    }
}

fn is_failing(scenario: &Scenario) -> bool {
    !matches!(
        scenario.run.state(),
        RunState::Running { ending: None } | RunState::Completed
    )
}

/// A and B jump to the handler on failure.
fn two_that_fail_over_to(handler: usize) -> Plan {
    let mut plan = plan_of(&["A", "B", "Handler"], &[]);
    for position in [A, B] {
        plan.nodes[position].on_failure = OnFailure::Node(node_id(handler));
    }
    // Their priority makes both start first.
    plan.nodes[B].priority = 9;
    plan
}

#[test]
fn handler_that_has_begun_handles_no_further_failure() {
    let mut plan = two_that_fail_over_to(C);
    plan.nodes.swap(A, C);
    let mut scenario = Scenario::of(plan);
    scenario.step_ok(start(Some(2)));
    scenario.starts(B);
    scenario.runs(A, failed());
    scenario.starts(C);
    scenario.runs(B, failed());
    assert!(went_on(&scenario, A) && !went_on(&scenario, B));
    scenario.step_ok(ended(node_id(C), scenario.attempt(C).1, Outcome::Succeeded));
    assert!(
        matches!(scenario.run.state(), RunState::Failed { .. }),
        "{:?}",
        scenario.run.state()
    );
}

#[test]
fn handler_that_waits_for_permission_handles_another_failure() {
    let mut plan = two_that_fail_over_to(C);
    plan.nodes.swap(A, C);
    plan.settings.autonomy = Some(Autonomy::AskAll);
    let mut scenario = Scenario::of(plan);
    scenario.step_ok(start(Some(2)));
    for position in [A, B] {
        scenario.step_ok(Command::Approve {
            node: node_id(position),
            allow: true,
        });
        scenario.starts(position);
    }
    for position in [A, B] {
        scenario.step_ok(ended(
            node_id(position),
            scenario.attempt(position).1,
            failed(),
        ));
    }
    assert_eq!(
        (
            went_on(&scenario, A),
            went_on(&scenario, B),
            scenario.state_name(C)
        ),
        (true, true, "waiting")
    );
    scenario.step_ok(Command::Approve {
        node: node_id(C),
        allow: false,
    });
    assert!(
        !went_on(&scenario, A) && !went_on(&scenario, B),
        "a person rejected the handler"
    );
    assert!(
        matches!(scenario.run.state(), RunState::Failed { .. }),
        "{:?}",
        scenario.run.state()
    );
}

/// A change to the plan, and what happens before the failure.
type Hindrance = (&'static str, fn(&mut Plan), fn(&mut Scenario));

#[test]
fn handler_that_cannot_start_handles_nothing() {
    let cases: [Hindrance; 3] = [
        ("disabled", |plan| plan.nodes[C].disabled = true, |_| {}),
        (
            "skipped before",
            |_| {},
            |scenario| {
                drop(scenario.step_ok(Command::SkipNode {
                    node: node_id(C),
                    stop: false,
                }))
            },
        ),
        (
            "not wanted",
            |_| {},
            |scenario| {
                let goal = crate::run::Goal::Only {
                    nodes: vec![node_id(A), node_id(B)],
                };
                scenario.step_ok(Command::Want {
                    goal,
                    finished: Vec::new(),
                });
            },
        ),
    ];
    for (name, change, lead) in cases {
        let mut plan = two_that_fail_over_to(C);
        change(&mut plan);
        let mut scenario = started_run(plan);
        lead(&mut scenario);
        scenario.runs(A, failed());
        assert!(!went_on(&scenario, A) && is_failing(&scenario), "{name}");
    }
}

#[test]
fn handler_skipped_before_starting_handles_nothing() {
    let mut plan = plan_of(&["A", "Between", "Handler", "Long"], &[]);
    plan.nodes[A].on_failure = OnFailure::Node(node_id(C));
    plan.nodes[C].priority = 1;
    let mut scenario = Scenario::of(plan);
    scenario.step_ok(start(Some(2)));
    scenario.step_ok(Command::Pause {
        stop_running: false,
    });
    scenario.runs(A, failed());
    assert!(went_on(&scenario, A));
    scenario.step_ok(Command::SkipNode {
        node: node_id(C),
        stop: false,
    });
    assert!(!went_on(&scenario, A), "{:?}", scenario.state(A));
}

#[test]
fn handler_on_an_untaken_branch_handles_nothing() {
    let titles = ["Fork", "Yes", "No", "Fails", "Handler"];
    let mut plan = plan_of(&titles, &[(B, D), (C, 4)]);
    let (true_step, false_step) = (Some(node_id(B)), Some(node_id(C)));
    plan.nodes[A].kind = NodeKind::Condition(ConditionTask {
        condition: "true".to_owned(),
        true_step,
        false_step,
    });
    plan.nodes[D].on_failure = OnFailure::Node(node_id(4));
    for (taken, handles) in [(true, false), (false, true)] {
        let mut plan = plan.clone();
        if !taken {
            // The branch that is taken leads to both.
            plan.edges[0].parent = node_id(C);
        }
        let mut scenario = started_run(plan);
        let (node, attempt) = scenario.starts(A);
        let (outcome, artifact, doubt) = (Outcome::Succeeded, None, None);
        scenario.step_ok(Command::SessionEnded {
            node,
            attempt,
            outcome,
            artifact,
            taken: Some(taken),
            doubt,
        });
        scenario.runs(if taken { B } else { C }, Outcome::Succeeded);
        scenario.runs(D, failed());
        assert_eq!(went_on(&scenario, D), handles, "branch {taken}");
    }
}

#[test]
fn jump_withdraws_reserved_nodes_and_lets_running_ones_finish() {
    let mut plan = plan_of(
        &["A", "Runs", "Reserved", "Retries", "Asks", "Handler"],
        &[],
    );
    plan.nodes[A].on_failure = OnFailure::Node(node_id(5));
    plan.nodes[B].max_retries = 3;
    plan.nodes[D].max_retries = 3;
    plan.nodes[4].kind = NodeKind::UserInput(Question {
        question: "Well?".to_owned(),
        input_type: InputType::Text,
        options: vec![],
        timeout: None,
    });
    let mut scenario = Scenario::of(plan);
    scenario.step_ok(start(Some(4)));
    scenario.starts(A);
    scenario.starts(B);
    scenario.runs(D, failed());
    assert_eq!(
        (
            scenario.state_name(C),
            scenario.state_name(D),
            scenario.state_name(4)
        ),
        ("waiting", "waiting", "waiting")
    );
    let (node, attempt) = scenario.attempt(C);
    let effects = scenario
        .step_ok(ended(node_id(A), scenario.attempt(A).1, failed()))
        .effects;
    assert!(
        effects.contains(&Effect::WithdrawSession { node, attempt }),
        "{effects:?}"
    );
    assert_eq!(
        (scenario.state(D), scenario.state(4)),
        (&jumped_over(A), &jumped_over(A)),
        "no retry, no question"
    );
    assert_eq!(scenario.node(4).attempt.0, 0, "the question is taken back");
    let orders = scenario.step_ok(take_over(1)).effects;
    assert!(
        orders.contains(&Effect::WithdrawSession { node, attempt }),
        "also by the next executor: {orders:?}"
    );
    scenario.step_ok(Command::SessionWithdrawn { node, attempt });
    assert_eq!(
        (scenario.state(C), scenario.node(C).attempt.0),
        (&jumped_over(A), 0)
    );
    scenario.step_ok(ended(node_id(B), scenario.attempt(B).1, failed()));
    assert_eq!(
        scenario.state(B),
        &jumped_over(A),
        "its next attempt would start after the jump"
    );
    scenario.runs(5, Outcome::Succeeded);
    assert_eq!(scenario.run.state(), &RunState::Completed);
}

#[test]
fn withdrawn_node_that_already_started_finishes() {
    let mut plan = plan_of(&["A", "Between", "Handler"], &[]);
    plan.nodes[A].on_failure = OnFailure::Node(node_id(C));
    let mut scenario = Scenario::of(plan);
    scenario.step_ok(start(Some(2)));
    scenario.runs(A, failed());
    let (node, attempt) = scenario.attempt(B);
    scenario.step_ok(started(node, attempt));
    scenario.step_ok(ended(node, attempt, Outcome::Succeeded));
    assert_eq!(scenario.state_name(B), "done");
}

#[test]
fn node_that_a_jump_could_skip_is_not_reserved_ahead() {
    let mut plan = plan_of(&["A", "B", "C", "Target", "Free"], &[]);
    plan.nodes[A].on_success = Some(node_id(D));
    let mut scenario = Scenario::of(plan.clone());
    scenario.step_ok(start(Some(1)));
    assert_eq!(
        (
            scenario.state_name(A),
            scenario.state_name(B),
            scenario.state_name(4)
        ),
        ("waiting", "pending", "pending")
    );
    scenario.runs(A, Outcome::Succeeded);
    assert_eq!(
        (scenario.state(B), scenario.state(C), scenario.state_name(D)),
        (&jumped_over(A), &jumped_over(A), "waiting")
    );
    plan.nodes[A].on_success = None;
    let mut scenario = Scenario::of(plan);
    scenario.step_ok(start(Some(1)));
    assert_eq!(
        scenario.state_name(B),
        "waiting",
        "without a jump the slot is filled immediately"
    );
}

#[test]
fn jump_does_not_undo_another_jump() {
    let mut plan = plan_of(&["A", "B", "Early", "C", "Late"], &[]);
    plan.nodes[A].on_success = Some(node_id(C));
    plan.nodes[B].on_success = Some(node_id(4));
    plan.nodes[A].priority = 9;
    plan.nodes[B].priority = 9;
    let mut scenario = Scenario::of(plan);
    scenario.step_ok(start(Some(2)));
    scenario.starts(B);
    scenario.runs(A, Outcome::Succeeded);
    scenario.step_ok(ended(node_id(B), scenario.attempt(B).1, Outcome::Succeeded));
    assert_eq!(
        (
            scenario.state_name(C),
            scenario.state(D),
            scenario.state_name(4)
        ),
        ("waiting", &jumped_over(B), "waiting")
    );
}

/// Nodes skipped by one jump ran when another jump over them was undone.
#[test]
fn node_stays_skipped_while_another_jump_passes_it() {
    let mut plan = plan_of(&["A", "B", "Between", "Target"], &[]);
    plan.nodes[A].on_success = Some(node_id(D));
    plan.nodes[B].on_success = Some(node_id(D));
    let mut scenario = Scenario::of(plan);
    scenario.step_ok(start(Some(2)));
    scenario.starts(B);
    scenario.runs(A, Outcome::Succeeded);
    scenario.step_ok(ended(node_id(B), scenario.attempt(B).1, Outcome::Succeeded));
    assert_eq!(scenario.state(C), &jumped_over(A));
    scenario.step_ok(Command::RerunNode { node: node_id(A) });
    assert_eq!(scenario.state(C), &jumped_over(B));
}

#[test]
fn reserved_node_gives_way_to_one_of_higher_priority() {
    let mut plan = plan_of(&["Runs", "Low", "High"], &[]);
    plan.nodes[B].priority = 1;
    plan.nodes[C].priority = 9;
    plan.settings.autonomy = Some(Autonomy::AskAll);
    let mut scenario = Scenario::of(plan);
    scenario.step_ok(start(Some(1)));
    for position in [A, B] {
        scenario.step_ok(Command::Approve {
            node: node_id(position),
            allow: true,
        });
    }
    scenario.starts(A);
    assert_eq!(scenario.state_name(B), "waiting");
    let (node, attempt) = scenario.attempt(B);
    let effects = scenario
        .step_ok(Command::Approve {
            node: node_id(C),
            allow: true,
        })
        .effects;
    assert!(
        effects.contains(&Effect::WithdrawSession { node, attempt }),
        "{effects:?}"
    );
    let effects = scenario
        .step_ok(Command::SessionWithdrawn { node, attempt })
        .effects;
    assert!(
        matches!(effects[..], [Effect::StartSession { node, .. }] if node == node_id(C)),
        "{effects:?}"
    );
}

#[test]
fn node_is_not_reserved_before_a_child_of_higher_priority() {
    let mut plan = plan_of(&["A", "Low", "Child"], &[(A, C)]);
    plan.nodes[A].priority = 9;
    plan.nodes[B].priority = 1;
    let mut scenario = Scenario::of(plan);
    scenario.step_ok(start(Some(1)));
    assert_eq!(
        scenario.state_name(B),
        "pending",
        "the child of A may start when A ends"
    );
    scenario.runs(A, Outcome::Succeeded);
    assert_eq!(
        (scenario.state_name(C), scenario.state_name(B)),
        ("waiting", "waiting"),
        "now nothing comes before it"
    );
}
