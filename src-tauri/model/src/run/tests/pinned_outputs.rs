//! Runs in which nodes use their pinned outputs.

use proptest::prelude::*;

use super::recipe::{plan_from, plans};
use super::scenario::{Scenario, failed, start};
use crate::node::{ConditionTask, NodeKind};
use crate::plan_fixture::{node_id, plan_of};
use crate::run::{
    Command, Event, NodeState, PinOrigin, PinnedNode, PinnedSelection, Refusal, Run, SkipReason,
};
use crate::{ArtifactId, Graph, NodeId, Outcome, Plan, RunId, RunState, Timestamp};

const A: usize = 0;
const B: usize = 1;
const C: usize = 2;
const D: usize = 3;

fn origin() -> PinOrigin {
    PinOrigin {
        by: "person:window".to_owned(),
        at: Timestamp(5),
        run: Some(3),
    }
}

fn start_with(pinned: &[NodeId]) -> Command {
    let mut command = start(None);
    if let Command::Start { pinned: list, .. } = &mut command {
        let pin = |&node: &NodeId| PinnedNode {
            node,
            artifact: ArtifactId(node.0),
            origin: origin(),
        };
        list.extend(pinned.iter().map(pin));
    }
    command
}

/// A run of `plan` in which the nodes at these positions use their pinned output.
fn pinned_run(plan: Plan, pinned: &[usize]) -> (Scenario, Vec<Event>) {
    let pinned: Vec<NodeId> = pinned.iter().map(|&position| node_id(position)).collect();
    let mut scenario = Scenario::of(plan);
    let events = scenario.step_ok(start_with(&pinned)).events;
    (scenario, events)
}

fn names(plan: &Plan, nodes: &[NodeId]) -> String {
    let title = |node: &NodeId| plan.node(*node).expect("a node").title.clone();
    nodes.iter().map(title).collect::<Vec<_>>().join(" ")
}

#[test]
fn failure_of_a_run_with_pinned_outputs_has_no_error_handler() {
    for (pinned, has_handler) in [(&[A][..], false), (&[], true)] {
        let mut plan = plan_of(&["A", "B"], &[(A, B)]);
        plan.settings.on_failure = Some("Clean up".to_owned());
        let (mut scenario, _) = pinned_run(plan, pinned);
        if pinned.is_empty() {
            scenario.runs(A, Outcome::Succeeded);
        }
        scenario.runs(B, failed());
        let state = scenario.run.state();
        assert!(matches!(state, RunState::Failed { .. }), "{state:?}");
        assert_eq!(state.handler().is_some(), has_handler);
    }
}

#[test]
fn selection_leaves_out_what_only_pinned_nodes_need() {
    type Edges<'a> = &'a [(usize, usize)];
    let cases: &[(&str, Edges<'_>, &[usize], &str)] = &[
        ("the end of a chain", &[(A, B), (B, C)], &[C], "A B"),
        ("the middle of a chain", &[(A, B), (B, C)], &[B], "A"),
        ("the start of a chain", &[(A, B), (B, C)], &[A], ""),
        (
            "another child needs it",
            &[(A, B), (A, C), (B, D)],
            &[B],
            "",
        ),
        ("both children are pinned", &[(A, B), (A, C)], &[B, C], "A"),
        (
            "a pinned parent stays pinned",
            &[(A, B), (B, C)],
            &[A, B],
            "",
        ),
        ("a leaf is wanted for itself", &[(A, B)], &[], ""),
    ];
    for (case, edges, pinned, left_out) in cases {
        let mut plan = plan_of(&["A", "B", "C", "D"], edges);
        // The nodes without edges aren't part of the case.
        let used = |at: usize| {
            edges
                .iter()
                .any(|&(parent, child)| at == parent || at == child)
        };
        plan.nodes
            .retain(|node| (A..=D).any(|at| node.id == node_id(at) && used(at)));
        let graph = Graph::new(&plan).expect("no cycle");
        let ids: Vec<NodeId> = pinned.iter().map(|&at| node_id(at)).collect();
        let selection = PinnedSelection::of(&plan, &graph, &ids);
        assert_eq!(names(&plan, &selection.left_out), *left_out, "{case}");
        assert_eq!(selection.pinned, ids, "{case}");
    }
}

#[test]
fn soft_edge_keeps_its_parent() {
    let mut plan = plan_of(&["A", "B", "C"], &[(A, B), (A, C)]);
    plan.edges[1].soft = true;
    let graph = Graph::new(&plan).expect("no cycle");
    let selection = PinnedSelection::of(&plan, &graph, &[node_id(B)]);
    assert_eq!(selection.left_out, [], "C receives the handoff of A");
}

#[test]
fn unusable_pins_are_not_used() {
    let mut plan = plan_of(&["A", "B", "C"], &[(A, B), (B, C)]);
    plan.nodes[A].disabled = true;
    plan.nodes[B].kind = NodeKind::Condition(ConditionTask::default());
    let graph = Graph::new(&plan).expect("no cycle");
    let removed = node_id(9);
    let ids = [node_id(A), node_id(B), removed];
    let selection = PinnedSelection::of(&plan, &graph, &ids);
    assert_eq!(selection, PinnedSelection::default());
}

#[test]
fn pinned_node_is_done_and_its_children_run() {
    let plan = plan_of(&["A", "B", "C"], &[(A, B), (B, C)]);
    let (mut scenario, events) = pinned_run(plan, &[B]);
    assert!(
        matches!(
            &events[1..],
            [
                Event::NodePinned { .. },
                Event::NodeLeftOut { .. },
                Event::NodeReserved { .. }
            ]
        ),
        "{events:?}"
    );
    assert_eq!(scenario.state(B), &NodeState::Done { by_hand: true });
    assert_eq!(scenario.node(B).pinned, Some(origin()));
    assert_eq!(scenario.node(B).attempt.0, 0, "nothing ran");
    let reason = SkipReason::OnlyPinnedNeed;
    assert_eq!(scenario.state(A), &NodeState::Skipped { reason });
    scenario.runs(C, Outcome::Succeeded);
    assert_eq!(scenario.run.state(), &RunState::Completed);
    assert!(scenario.run.uses_pinned_outputs());
}

#[test]
fn run_without_pins_is_ordinary() {
    let (scenario, events) = pinned_run(plan_of(&["A"], &[]), &[]);
    assert!(!scenario.run.uses_pinned_outputs());
    assert!(matches!(
        &events[..],
        [Event::Started { .. }, Event::NodeReserved { .. }]
    ));
}

#[test]
fn run_in_which_all_is_pinned_is_complete_at_once() {
    let (scenario, _) = pinned_run(plan_of(&["A", "B"], &[(A, B)]), &[A, B]);
    assert_eq!(scenario.run.state(), &RunState::Completed);
}

#[test]
fn pinned_node_can_not_be_rerun() {
    let plan = plan_of(&["A", "B", "C"], &[(A, B), (B, C)]);
    let (mut scenario, _) = pinned_run(plan, &[B]);
    let node = node_id(B);
    for command in [Command::RerunNode { node }, Command::RerunFrom { node }] {
        let refused = scenario.step(&command);
        assert!(
            matches!(refused, Err(Refusal::UsesPinnedOutput { .. })),
            "{command:?}: {refused:?}"
        );
    }
    let resume = false;
    assert!(scenario.step(&Command::RetryNode { node, resume }).is_err());
}

/// What a pinned node passes on does not depend on its parents.
#[test]
fn rerun_above_a_pinned_node_stops_there() {
    let plan = plan_of(&["A", "B", "C", "D"], &[(A, B), (B, C), (A, D)]);
    let (mut scenario, _) = pinned_run(plan, &[B]);
    for position in [A, C, D] {
        scenario.runs(position, Outcome::Succeeded);
    }
    let step = scenario.step_ok(Command::RerunFrom { node: node_id(A) });
    let reset = step.events.iter().find_map(|event| match event {
        Event::NodesReset { nodes, .. } => Some(nodes.clone()),
        _ => None,
    });
    assert_eq!(reset, Some(vec![node_id(A), node_id(D)]));
    assert!(!scenario.node(B).stale && !scenario.node(C).stale);
}

#[test]
fn node_that_was_left_out_can_still_be_run_by_a_person() {
    let plan = plan_of(&["A", "B"], &[(A, B)]);
    let (mut scenario, _) = pinned_run(plan, &[B]);
    let (node, resume) = (node_id(A), false);
    scenario.step_ok(Command::RetryNode { node, resume });
    scenario.runs(A, Outcome::Succeeded);
    assert_eq!(scenario.state(B), &NodeState::Done { by_hand: true });
}

fn reachable_children(graph: &Graph, node: usize) -> Vec<usize> {
    let receives = |&child: &usize| {
        graph.context_parents(child).any(|parent| parent == node)
            || graph.parents(child).any(|parent| parent == node)
    };
    (0..graph.len()).filter(receives).collect()
}

/// Whether a path leads from the node to one that has no children, without a pinned node.
fn reaches_an_end(graph: &Graph, pinned: &[NodeId], node: usize) -> bool {
    if pinned.contains(&graph.id(node)) {
        return false;
    }
    let children = reachable_children(graph, node);
    children.is_empty()
        || children
            .iter()
            .any(|&child| reaches_an_end(graph, pinned, child))
}

fn commands(node: NodeId) -> Vec<Command> {
    let (resume, stop, handoff) = (false, true, String::new());
    vec![
        Command::RerunNode { node },
        Command::RerunFrom { node },
        Command::RerunStale,
        Command::RerunFailed,
        Command::RetryNode { node, resume },
        Command::SkipNode { node, stop },
        Command::MarkDone {
            node,
            handoff,
            stop,
        },
        Command::Resume,
    ]
}

proptest! {
    /// Whatever happens in the run, a pinned node stays done and no session starts for it.
    #[test]
    fn pinned_nodes_never_start_a_session(
        recipe in plans(),
        mask in any::<u32>(),
        moves in prop::collection::vec((0..16_usize, 0..8_usize, any::<bool>()), 0..40),
    ) {
        let plan = plan_from(&recipe);
        let graph = Graph::new(&plan).expect("recipes have no cycle");
        let chosen: Vec<NodeId> = plan.nodes.iter().map(|node| node.id).enumerate()
            .filter(|(at, _)| mask >> at & 1 == 1).map(|(_, id)| id).collect();
        let selection = PinnedSelection::of(&plan, &graph, &chosen);
        for number in 0..graph.len() {
            let id = graph.id(number);
            let is_needed = reaches_an_end(&graph, &selection.pinned, number);
            let is_out = selection.left_out.contains(&id) || selection.pinned.contains(&id);
            prop_assert_eq!(is_out, !is_needed);
        }
        let mut scenario = Scenario::of(plan.clone());
        let mut history = scenario.step_ok(start_with(&chosen)).events;
        for (at, which, succeeds) in moves {
            let node = node_id(at % plan.nodes.len().max(1));
            let command = commands(node).swap_remove(which);
            // Most commands are refused in most states.
            if let Ok(step) = scenario.step(&command) {
                history.extend(step.events);
            }
            let live = scenario.run.live_attempts().next();
            if let Some((node, attempt, _)) = live {
                let outcome = if succeeds { Outcome::Succeeded } else { failed() };
                history.extend(scenario.step_ok(super::scenario::started(node, attempt)).events);
                history.extend(scenario.step_ok(super::scenario::ended(node, attempt, outcome)).events);
            }
            for pinned in &selection.pinned {
                let run = scenario.run.node(*pinned).expect("a node of the plan");
                prop_assert_eq!(&run.state, &NodeState::Done { by_hand: true });
                prop_assert!(!run.stale && run.attempt.0 == 0);
            }
        }
        let began = |event: &Event| match event {
            Event::NodeReserved { node, .. } | Event::InputAsked { node, .. }
            | Event::NodeHeld { node, .. } => selection.pinned.contains(node),
            _ => false,
        };
        prop_assert!(!history.iter().any(began));
        let stored = history.into_iter().map(|event| (Timestamp(1000), event));
        let again = Run::replay(RunId(uuid::Uuid::from_u128(1)), plan.into(), stored);
        let again = again.expect("the history is legal");
        prop_assert_eq!(again.uses_pinned_outputs(), !selection.pinned.is_empty());
    }
}
