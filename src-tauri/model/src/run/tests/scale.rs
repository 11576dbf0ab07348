//! Large plans cost the same for each node as small ones, counted, not timed.

use super::scenario::{Scenario, ended, start, started};
use crate::plan_fixture::plan_of;
use crate::run::{Effect, RunState};
use crate::{Outcome, Plan};

const LAYERS: usize = 100;

#[test]
fn ten_thousand_nodes_take_three_events_each() {
    let mut scenario = Scenario::of(layered(10_000));
    let mut open = scenario.does(start(Some(8))).effects;
    let (mut steps, mut events) = (0, 0);
    while let Some(effect) = open.pop() {
        let Effect::StartSession { node, attempt, .. } = effect else { panic!("nothing else is ordered: {effect:?}") };
        for report in [started(node, attempt), ended(node, attempt, Outcome::Succeeded)] {
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

/// Layers of equal size; each node waits for two of the layer above.
fn layered(nodes: usize) -> Plan {
    let width = nodes / LAYERS;
    let parents = |at: usize| [at - width, at - at % width - width + (at + 1) % width];
    let edges: Vec<(usize, usize)> = (width..nodes).flat_map(|at| parents(at).map(|parent| (parent, at))).collect();
    plan_of(&vec!["Node"; nodes], &edges)
}
