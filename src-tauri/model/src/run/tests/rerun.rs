//! Which nodes a rerun resets, and that the preview names exactly those.

use crate::node::OnFailure;
use crate::plan_fixture::{node_id, plan_of};
use crate::run::{Command, Event, NodeState, RerunScope};
use crate::{Attempt, NodeId, Outcome};

use super::scenario::{Scenario, failed, started_run};

const A: usize = 0;
const B: usize = 1;
const C: usize = 2;
const D: usize = 3;

/// A → B → C and A → D. A is done, B failed, C is blocked, D is done.
fn failed_run() -> Scenario {
    let mut scenario = started_run(plan_of(&["A", "B", "C", "D"], &[(A, B), (B, C), (A, D)]));
    scenario.runs(A, Outcome::Succeeded);
    scenario.runs(B, failed());
    scenario.runs(D, Outcome::Succeeded);
    scenario
}

/// The nodes that `command` resets.
fn reset_by(scenario: &Scenario, command: &Command) -> Vec<NodeId> {
    let mut after = scenario.clone();
    let step = after.step(command).expect("the command is accepted");
    let mut nodes: Vec<NodeId> = step
        .events
        .iter()
        .filter_map(|event| match event {
            Event::NodesReset { nodes, .. } => Some(nodes.clone()),
            _ => None,
        })
        .flatten()
        .collect();
    nodes.sort();
    nodes
}

#[test]
fn preview_names_what_the_command_resets() {
    let (a, b) = (node_id(A), node_id(B));
    let cases = [
        (
            RerunScope::FromHere,
            vec![a],
            Command::RerunFrom { node: a },
            vec![A, B, C, D],
        ),
        (
            RerunScope::FromHere,
            vec![b],
            Command::RerunFrom { node: b },
            vec![B, C],
        ),
        (
            RerunScope::OnlyThis,
            vec![a],
            Command::RerunNode { node: a },
            vec![A],
        ),
        (
            RerunScope::Retry,
            vec![b],
            Command::RetryNode {
                node: b,
                resume: false,
            },
            vec![B],
        ),
        (RerunScope::Failed, vec![], Command::RerunFailed, vec![B]),
        (RerunScope::Stale, vec![], Command::RerunStale, vec![]),
    ];
    let scenario = failed_run();
    for (scope, given, command, expected) in cases {
        let expected: Vec<NodeId> = expected.into_iter().map(node_id).collect();
        let preview = scenario.run.nodes_to_rerun(scope, &given);
        assert_eq!(preview, Ok(expected.clone()), "{scope:?}");
        assert_eq!(reset_by(&scenario, &command), expected, "{command:?}");
    }
}

#[test]
fn preview_is_refused_like_the_command() {
    let mut scenario = started_run(plan_of(&["A", "B"], &[(A, B)]));
    let (node, _) = scenario.starts(A);
    for (scope, command) in [
        (RerunScope::FromHere, Command::RerunFrom { node }),
        (RerunScope::OnlyThis, Command::RerunNode { node }),
        (
            RerunScope::Retry,
            Command::RetryNode {
                node,
                resume: false,
            },
        ),
    ] {
        let refusal = scenario.run.nodes_to_rerun(scope, &[node]);
        assert_eq!(
            refusal.expect_err("the node is running"),
            scenario.step(&command).expect_err("the node is running"),
            "{scope:?}"
        );
    }
}

#[test]
fn shared_dependents_are_listed_once() {
    let run = failed_run().run;
    let nodes = run.nodes_to_rerun(RerunScope::FromHere, &[node_id(B), node_id(A)]);
    let expected: Vec<NodeId> = [A, B, C, D].into_iter().map(node_id).collect();
    assert_eq!(nodes, Ok(expected));
}

#[test]
fn rerun_of_what_failed_leaves_done_and_skipped_nodes_alone() {
    let mut plan = plan_of(&["A", "B", "C", "D"], &[(B, C)]);
    plan.nodes[D].on_failure = OnFailure::Skip;
    let mut scenario = started_run(plan);
    scenario.runs(A, Outcome::Succeeded);
    scenario.runs(B, failed());
    scenario.runs(D, failed());
    assert_eq!(scenario.run.failed().collect::<Vec<_>>(), [node_id(B)]);
    scenario.step_ok(Command::RerunFailed);
    scenario.runs(B, Outcome::Succeeded);
    scenario.runs(C, Outcome::Succeeded);
    assert!(matches!(scenario.state(D), NodeState::Skipped { .. }));
    assert_eq!(scenario.node(A).attempt, Attempt(1));
}
