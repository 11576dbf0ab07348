//! Large plans cost the same for each node as small ones: counted, not timed.

use super::scenario::{Scenario, ended, failed, lost, start, started};
use crate::node::{AgentTask, NodeKind, Question};
use crate::plan_fixture::{node_id, plan_of};
use crate::run::{Command, Effect, RunState, effort};
use crate::{Outcome, Plan};

const LAYERS: usize = 100;

#[test]
fn ten_thousand_nodes_take_three_events_each() {
    let mut scenario = Scenario::of(layered(10_000));
    let mut open = scenario.does(start(Some(8))).effects;
    let (mut steps, mut events) = (0, 0);
    while let Some(effect) = open.pop() {
        let Effect::StartSession { node, attempt, .. } = effect else {
            panic!("nothing else is ordered: {effect:?}")
        };
        for report in [
            started(node, attempt),
            ended(node, attempt, Outcome::Succeeded),
        ] {
            let step = scenario.does(report);
            steps += 1;
            events += step.events.len();
            open.extend(step.effects);
            // What a cache must follow is what changed, not the plan.
            assert!(scenario.run.take_touched().len() <= 20);
        }
    }
    assert_eq!(*scenario.run.state(), RunState::Completed);
    assert_eq!(steps, 20_000, "a report for each start and each end");
    // Each is reserved, started and ended once; the first sixteen were reserved by the start itself.
    assert_eq!(events, 30_000 - 16 + 1);
}

/// Runs plans of both sizes, and holds that ten times the nodes take ten times the looks.
fn is_linear(shape: impl Fn(usize) -> Plan, lead: impl Fn(&mut Scenario)) {
    is_linear_from(10_000, shape, lead);
}

fn is_linear_from(small: usize, shape: impl Fn(usize) -> Plan, lead: impl Fn(&mut Scenario)) {
    let looks_for_each = [small, 10 * small].map(|nodes| {
        let mut scenario = Scenario::of(shape(nodes));
        effort::take_looks();
        lead(&mut scenario);
        effort::take_looks() as f64 / nodes as f64
    });
    let [small, large] = looks_for_each;
    assert!(
        large < small * 1.1 + 0.1,
        "{small} looks for each node, and {large} in a plan ten times as large"
    );
    assert!(large < 100.0, "{large} looks for each node");
}

/// Everything that is ordered runs and succeeds.
fn completes(scenario: &mut Scenario) {
    let orders = scenario.does(start(Some(8))).effects;
    run_all(scenario, orders);
    assert_eq!(*scenario.run.state(), RunState::Completed);
}

fn run_all(scenario: &mut Scenario, mut orders: Vec<Effect>) {
    while let Some(order) = orders.pop() {
        if let Effect::StartSession { node, attempt, .. } = order {
            orders.extend(scenario.does(started(node, attempt)).effects);
            orders.extend(
                scenario
                    .does(ended(node, attempt, Outcome::Succeeded))
                    .effects,
            );
        }
    }
}

#[test]
fn chains_and_stars_are_linear() {
    is_linear(chain, completes);
    is_linear(star, completes);
    is_linear(layered, completes);
}

#[test]
fn joins_are_linear() {
    is_linear(join, completes);
    is_linear(diamond, completes);
}

/// Each leaf jumps to the middle of the list: the later ones back to it, the earlier ones over each other. What is
/// least comes first, so that each of them has all others before it.
#[test]
fn jumps_are_linear() {
    let jumps = |nodes: usize| {
        let mut plan = star(nodes);
        for leaf in (1..nodes).filter(|leaf| *leaf != nodes / 2) {
            plan.nodes[leaf].on_success = Some(node_id(nodes / 2));
            plan.nodes[leaf].priority = u8::try_from(1 + 9 * leaf / nodes).expect("up to ten");
        }
        plan
    };
    is_linear(jumps, completes);
}

/// Nodes that may not start yet, by a limit of their agent or a question, are not gone through at every step.
#[test]
fn what_is_held_up_is_linear() {
    let limited = |nodes: usize| {
        let mut plan = star(nodes);
        plan.settings
            .agent_concurrency
            .insert("claude".to_owned(), 1);
        for node in &mut plan.nodes {
            node.kind = NodeKind::Agent(AgentTask {
                agent: Some("claude".to_owned()),
                ..AgentTask::default()
            });
        }
        plan
    };
    is_linear(limited, completes);
    let asking = |nodes: usize| {
        let mut plan = star(nodes);
        plan.nodes[nodes - 1].kind = NodeKind::UserInput(Question::default());
        plan
    };
    is_linear(asking, |scenario| {
        let orders = scenario.does(start(Some(8))).effects;
        run_all(scenario, orders);
        assert!(scenario.run.state().is_running(), "it waits for an answer");
    });
}

/// The root fails, everything below is blocked, the root is mended; then everything is done again.
#[test]
fn failures_and_doing_again_are_linear() {
    for shape in [chain, diamond] {
        is_linear_from(2_000, shape, |scenario| {
            scenario.does(start(Some(8)));
            scenario.runs(0, failed());
            let orders = scenario
                .does(Command::RetryNode {
                    node: node_id(0),
                    resume: false,
                })
                .effects;
            run_all(scenario, orders);
            let orders = scenario
                .does(Command::RerunFrom { node: node_id(0) })
                .effects;
            run_all(scenario, orders);
            scenario.does(Command::RerunNode { node: node_id(0) });
            scenario.runs(0, Outcome::Succeeded);
            let orders = scenario.does(Command::RerunStale).effects;
            run_all(scenario, orders);
            assert_eq!(*scenario.run.state(), RunState::Completed);
        });
    }
}

/// All parents of one node are lost, one after the other, and then tried again, one after the other.
#[test]
fn a_join_that_loses_all_its_parents_is_linear() {
    is_linear(join, |scenario| {
        let mut orders = scenario.does(start(Some(8))).effects;
        while let Some(order) = orders.pop() {
            if let Effect::StartSession { node, attempt, .. } = order {
                orders.extend(scenario.does(ended(node, attempt, lost())).effects);
            }
        }
        let last = scenario.run.graph().len() - 1;
        for number in (0..last).rev() {
            orders.extend(
                scenario
                    .does(Command::RetryNode {
                        node: node_id(number),
                        resume: false,
                    })
                    .effects,
            );
        }
        run_all(scenario, orders);
        assert_eq!(*scenario.run.state(), RunState::Completed);
    });
}

fn chain(nodes: usize) -> Plan {
    let edges: Vec<(usize, usize)> = (1..nodes).map(|at| (at - 1, at)).collect();
    plan_of(&vec!["Node"; nodes], &edges)
}

fn star(nodes: usize) -> Plan {
    let edges: Vec<(usize, usize)> = (1..nodes).map(|at| (0, at)).collect();
    plan_of(&vec!["Node"; nodes], &edges)
}

fn join(nodes: usize) -> Plan {
    let edges: Vec<(usize, usize)> = (1..nodes).map(|at| (at - 1, nodes - 1)).collect();
    plan_of(&vec!["Node"; nodes], &edges)
}

fn diamond(nodes: usize) -> Plan {
    let edges: Vec<(usize, usize)> = (1..nodes - 1)
        .flat_map(|at| [(0, at), (at, nodes - 1)])
        .collect();
    plan_of(&vec!["Node"; nodes], &edges)
}

/// Layers of equal size; each node waits for two of the layer above.
fn layered(nodes: usize) -> Plan {
    let width = nodes / LAYERS;
    let parents = |at: usize| [at - width, at - at % width - width + (at + 1) % width];
    let edges: Vec<(usize, usize)> = (width..nodes)
        .flat_map(|at| parents(at).map(|parent| (parent, at)))
        .collect();
    plan_of(&vec!["Node"; nodes], &edges)
}
