//! Large plans cost the same per node as small ones. Visits are counted, not timed.

use super::scenario::{Scenario, ended, failed, lost, start, started};
use crate::node::{AgentTask, NodeKind, Question};
use crate::plan_fixture::{node_id, plan_of};
use crate::run::{Command, Effect, RunState, visit_counter};
use crate::{Outcome, Plan};

const LAYERS: usize = 100;

#[test]
fn ten_thousand_nodes_take_three_events_each() {
    let mut scenario = Scenario::of(layered(10_000));
    let mut open = scenario.step_ok(start(Some(8))).effects;
    let (mut steps, mut events) = (0, 0);
    while let Some(effect) = open.pop() {
        let Effect::StartSession { node, attempt, .. } = effect else {
            panic!("nothing else is ordered: {effect:?}")
        };
        for report in [
            started(node, attempt),
            ended(node, attempt, Outcome::Succeeded),
        ] {
            let step = scenario.step_ok(report);
            steps += 1;
            events += step.events.len();
            open.extend(step.effects);
            // A cache only has to follow the changes, not the whole plan.
            assert!(scenario.run.take_changed_nodes().len() <= 20);
        }
    }
    assert_eq!(*scenario.run.state(), RunState::Completed);
    assert_eq!(steps, 20_000, "a report for each start and each end");
    // Each is reserved, started and ended once; the start itself reserved the first sixteen.
    assert_eq!(events, 30_000 - 16 + 1);
}

/// Runs plans of both sizes and checks that ten times the nodes take ten times the visits.
fn is_linear(shape: impl Fn(usize) -> Plan, lead: impl Fn(&mut Scenario)) {
    is_linear_from(10_000, shape, lead);
}

fn is_linear_from(small: usize, shape: impl Fn(usize) -> Plan, lead: impl Fn(&mut Scenario)) {
    let looks_for_each = [small, 10 * small].map(|nodes| {
        let mut scenario = Scenario::of(shape(nodes));
        visit_counter::take_visit_count();
        lead(&mut scenario);
        visit_counter::take_visit_count() as f64 / nodes as f64
    });
    let [small, large] = looks_for_each;
    assert!(
        large < small * 1.1 + 0.1,
        "{small} visits per node, but {large} in a plan ten times as large"
    );
    assert!(large < 100.0, "{large} looks for each node");
}

/// Everything that is ordered runs and succeeds.
fn completes(scenario: &mut Scenario) {
    let orders = scenario.step_ok(start(Some(8))).effects;
    run_all(scenario, orders);
    assert_eq!(*scenario.run.state(), RunState::Completed);
}

fn run_all(scenario: &mut Scenario, mut orders: Vec<Effect>) {
    while let Some(order) = orders.pop() {
        if let Effect::StartSession { node, attempt, .. } = order {
            orders.extend(scenario.step_ok(started(node, attempt)).effects);
            orders.extend(
                scenario
                    .step_ok(ended(node, attempt, Outcome::Succeeded))
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

/// Each leaf jumps to the middle of the list: later ones back to it, earlier ones over each other.
/// The lowest priority comes first, so that each of them has all others before it.
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

/// Nodes that can't start yet, because of a limit or a question, are not visited at every step.
#[test]
fn held_back_nodes_cost_linear_work() {
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
        let orders = scenario.step_ok(start(Some(8))).effects;
        run_all(scenario, orders);
        assert!(scenario.run.state().is_running(), "it waits for an answer");
    });
}

/// The root fails, everything below is blocked, the root is fixed; then everything runs again.
#[test]
fn failures_and_reruns_are_linear() {
    for shape in [chain, diamond] {
        is_linear_from(2_000, shape, |scenario| {
            scenario.step_ok(start(Some(8)));
            scenario.runs(0, failed());
            let orders = scenario
                .step_ok(Command::RetryNode {
                    node: node_id(0),
                    resume: false,
                })
                .effects;
            run_all(scenario, orders);
            let orders = scenario
                .step_ok(Command::RerunFrom { node: node_id(0) })
                .effects;
            run_all(scenario, orders);
            scenario.step_ok(Command::RerunNode { node: node_id(0) });
            scenario.runs(0, Outcome::Succeeded);
            let orders = scenario.step_ok(Command::RerunStale).effects;
            run_all(scenario, orders);
            assert_eq!(*scenario.run.state(), RunState::Completed);
        });
    }
}

/// All parents of one node are lost one after another, and then retried one after another.
#[test]
fn a_join_that_loses_all_its_parents_is_linear() {
    is_linear(join, |scenario| {
        let mut orders = scenario.step_ok(start(Some(8))).effects;
        while let Some(order) = orders.pop() {
            if let Effect::StartSession { node, attempt, .. } = order {
                orders.extend(scenario.step_ok(ended(node, attempt, lost())).effects);
            }
        }
        let last = scenario.run.graph().len() - 1;
        for number in (0..last).rev() {
            orders.extend(
                scenario
                    .step_ok(Command::RetryNode {
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

/// Layers of equal size. Each node waits for two nodes of the layer above.
fn layered(nodes: usize) -> Plan {
    let width = nodes / LAYERS;
    let parents = |at: usize| [at - width, at - at % width - width + (at + 1) % width];
    let edges: Vec<(usize, usize)> = (width..nodes)
        .flat_map(|at| parents(at).map(|parent| (parent, at)))
        .collect();
    plan_of(&vec!["Node"; nodes], &edges)
}
