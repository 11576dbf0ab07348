//! Bugs of other workflow engines, reproduced, and what a takeover must not lose.

use super::scenario::{Scenario, ended, failed, lost, start, started_run, take_over};
use crate::node::{AfterCrash, AgentTask, NodeKind, OnFailure, Question, SubPlanTask};
use crate::plan_fixture::{node_id, plan_of};
use crate::run::{Answer, Command, Effect, Ending, NodeState, RunState, Step, WaitingFor};
use crate::{NodeId, Outcome};

const A: usize = 0;
const B: usize = 1;
const C: usize = 2;

/// Airflow 55045: clearing a running run left its tasks "restarting" forever.
#[test]
fn running_nodes_cannot_be_reset() {
    let mut scenario = started_run(plan_of(&["A", "B"], &[(A, B)]));
    let (node, attempt) = scenario.starts(A);
    for command in [
        Command::RerunFrom { node },
        Command::RerunNode { node },
        Command::RetryNode {
            node,
            resume: false,
        },
        Command::Rollback {
            checkpoint: 0,
            files: false,
        },
    ] {
        scenario.step(&command).expect_err("it has to end first");
    }
    scenario.step_ok(ended(node, attempt, Outcome::Succeeded));
    scenario.runs(B, Outcome::Succeeded);
    assert_eq!(*scenario.run.state(), RunState::Completed);
}

/// Airflow 66773: a task that died before its first heartbeat stayed "running" forever.
#[test]
fn a_node_that_dies_before_its_first_report_is_not_running() {
    let mut scenario = started_run(plan_of(&["A"], &[]));
    let (node, attempt) = scenario.attempt(A);
    scenario.step_ok(ended(node, attempt, lost()));
    assert!(
        matches!(scenario.run.state(), RunState::Stalled { .. }),
        "a person decides"
    );

    let mut plan = plan_of(&["A"], &[]);
    plan.nodes[A].after_crash = AfterCrash::Restart;
    let mut scenario = started_run(plan);
    scenario.step_ok(ended(node, attempt, lost()));
    scenario.step_ok(Command::Due { node });
    scenario.runs(A, Outcome::Succeeded);
    assert_eq!(
        (scenario.run.state(), scenario.attempt(A).1.0),
        (&RunState::Completed, 2)
    );
}

/// Dagu 2298: the parent had failed, but its sub-plan continued and was shown as "running".
#[test]
fn run_waits_for_running_sub_plans_before_failing() {
    let mut plan = plan_of(&["A", "B"], &[]);
    plan.nodes[B].kind = NodeKind::SubPlan(SubPlanTask {
        sub_plan_id: "another".to_owned(),
        ..SubPlanTask::default()
    });
    let mut scenario = started_run(plan);
    let (inner, attempt) = scenario.starts(B);
    scenario.runs(A, failed());
    let aborting = RunState::Running {
        ending: Some(Ending::Aborting { node: node_id(A) }),
    };
    assert_eq!(*scenario.run.state(), aborting);
    let step = scenario.step_ok(Command::Cancel);
    assert_eq!(
        step.effects,
        [Effect::StopSession {
            node: inner,
            attempt
        }]
    );
    assert!(
        scenario.run.state().is_running(),
        "a run is canceled once all its sessions have ended"
    );
    scenario.step_ok(ended(inner, attempt, Outcome::Cancelled));
    assert_eq!(*scenario.run.state(), RunState::Cancelled);
}

/// Dagu 2298: retrying reported "deadlock detected: no runnable nodes but DAG not finished".
#[test]
fn retry_unblocks_dependents() {
    let mut scenario = started_run(plan_of(
        &["A", "B", "C", "D"],
        &[(A, B), (A, C), (B, 3), (C, 3)],
    ));
    scenario.runs(A, failed());
    assert!(matches!(scenario.run.state(), RunState::Failed { .. }));
    scenario.step_ok(Command::RetryNode {
        node: node_id(A),
        resume: false,
    });
    for position in [A, B, C, 3] {
        scenario.runs(position, Outcome::Succeeded);
    }
    assert_eq!(*scenario.run.state(), RunState::Completed);
}

/// n8n 35059: executions queued or waiting when the process ended were never resumed.
#[test]
fn new_executor_receives_all_pending_effects() {
    let mut plan = plan_of(&["A", "B", "C"], &[]);
    plan.nodes[B].max_retries = 1;
    plan.nodes[C].kind = NodeKind::UserInput(Question {
        timeout: Some(60_000),
        ..Question::default()
    });
    let mut scenario = started_run(plan);
    scenario.runs(B, failed());
    let effects = scenario.step_ok(take_over(1)).effects;
    let (node, attempt) = scenario.attempt(A);
    let session = scenario.node(A).session.expect("it has a place");
    assert!(
        effects.contains(&Effect::StartSession {
            node,
            attempt,
            session,
            resumes: None
        }),
        "{effects:?}"
    );
    let wakes: Vec<NodeId> = effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::WakeAt { node, .. } => Some(*node),
            _ => None,
        })
        .collect();
    assert_eq!(
        wakes,
        [node_id(B), node_id(C)],
        "the retry and the deadline of the answer"
    );
}

/// Kestra: deleting a queued execution kept its slot forever.
#[test]
fn withdrawn_attempt_frees_its_slot() {
    let mut plan = plan_of(&["A", "B"], &[]);
    plan.settings
        .agent_concurrency
        .insert("claude".to_owned(), 1);
    for node in &mut plan.nodes {
        node.kind = NodeKind::Agent(AgentTask {
            agent: Some("claude".to_owned()),
            ..AgentTask::default()
        });
    }
    let mut scenario = Scenario::of(plan);
    scenario.step_ok(start(Some(1)));
    scenario.step_ok(Command::Pause {
        stop_running: false,
    });
    let (node, attempt) = scenario.attempt(A);
    scenario.step_ok(Command::SessionWithdrawn { node, attempt });
    scenario.step_ok(Command::SkipNode { node, stop: false });
    scenario.step_ok(Command::Resume);
    scenario.runs(B, Outcome::Succeeded);
    assert_eq!(*scenario.run.state(), RunState::Completed);
}

/// Dagster: retries of operations and retries of runs multiplied.
#[test]
fn retries_do_not_multiply() {
    let mut plan = plan_of(&["A"], &[]);
    plan.nodes[A].max_retries = 2;
    plan.settings.max_retries = 3;
    let mut scenario = started_run(plan);
    for round in 1..=2 {
        for _ in 0..2 {
            scenario.runs(A, failed());
            scenario.step_ok(Command::Due { node: node_id(A) });
        }
        scenario.runs(A, failed());
        assert!(
            matches!(scenario.run.state(), RunState::Failed { .. }),
            "exactly three attempts"
        );
        assert_eq!(scenario.attempt(A).1.0, 3 * round);
        if round == 1 {
            scenario.step_ok(Command::RetryNode {
                node: node_id(A),
                resume: false,
            });
        }
    }
}

/// Losses have a separate budget: they never use up the node's retries, and they are limited.
#[test]
fn losses_and_failures_are_counted_separately() {
    let mut plan = plan_of(&["A"], &[]);
    (plan.nodes[A].max_retries, plan.nodes[A].after_crash) = (1, AfterCrash::Restart);
    let mut scenario = started_run(plan);
    for _ in 0..10 {
        scenario.runs(A, lost());
        scenario.step_ok(Command::Due { node: node_id(A) });
    }
    scenario.runs(A, failed());
    assert_eq!(scenario.state_name(A), "waiting", "its only retry is left");
    scenario.step_ok(Command::Due { node: node_id(A) });
    scenario.runs(A, lost());
    assert_eq!(
        scenario.state_name(A),
        "interrupted",
        "a run that keeps crashing its executor stops"
    );
}

/// n8n 9236: "retry on fail" was ignored with some settings of "on error".
#[test]
fn retries_come_before_the_failure_policy() {
    let policies = [
        OnFailure::Abort,
        OnFailure::Skip,
        OnFailure::Node(node_id(C)),
    ];
    for (policy, word) in policies.into_iter().zip(["failed", "skipped", "failed"]) {
        let mut plan = plan_of(&["A", "B", "C"], &[(A, B)]);
        (plan.nodes[A].on_failure, plan.nodes[A].max_retries) = (policy, 1);
        let mut scenario = started_run(plan);
        scenario.runs(A, failed());
        let retries = NodeState::Waiting {
            what: WaitingFor::RetryAt {
                at: scenario.now.plus_ms(1000),
            },
        };
        assert_eq!(*scenario.state(A), retries, "{policy:?}");
        scenario.step_ok(Command::Due { node: node_id(A) });
        scenario.runs(A, failed());
        assert_eq!(scenario.state_name(A), word, "{policy:?}");
    }
}

/// A stored answer reaches a session that asks again, and the person is not asked twice.
#[test]
fn answer_is_sent_again_after_a_takeover() {
    let mut scenario = started_run(plan_of(&["A"], &[]));
    let (node, attempt) = scenario.starts(A);
    let asks = |request: &str| Command::SessionAsked {
        node,
        attempt,
        question: "May I?".to_owned(),
        request: request.to_owned(),
        call: None,
    };
    scenario.step_ok(asks("one"));
    scenario.step_ok(asks("two"));
    scenario.step_ok(Command::Answer {
        node,
        request: "two".to_owned(),
        answer: Answer::deny(),
    });
    scenario.step_ok(take_over(1));
    let step = scenario.step_ok(asks("two"));
    let answer = Effect::Answer {
        node,
        attempt,
        request: "two".to_owned(),
        answer: Answer::deny(),
    };
    assert_eq!((step.events, step.effects), (vec![], vec![answer]));
    assert_eq!(
        scenario.step_ok(asks("one")),
        Step::default(),
        "the question is still open"
    );
}
