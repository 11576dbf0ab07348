//! Histories of earlier versions of Baton replay to the states that people saw.

use std::sync::Arc;

use super::scenario::{Scenario, ended, failed, start, started};
use crate::node::{ConditionTask, NodeKind, OnFailure, TriggerRule};
use crate::plan_fixture::{node_id, plan_of};
use crate::run::{Command, Event, NodeState, Run, RunState, Semantics};
use crate::{Outcome, Timestamp};

/// A history as an earlier version wrote it: the first event has no semantics.
fn as_written_before(events: &[Event]) -> Vec<(Timestamp, Event)> {
    let old = |event: &Event| {
        let mut json = serde_json::to_value(event).expect("events are JSON");
        json.as_object_mut().expect("an object").remove("semantics");
        serde_json::from_value(json).expect("still an event")
    };
    events
        .iter()
        .map(|event| (Timestamp(1), old(event)))
        .collect()
}

#[test]
fn event_without_semantics_uses_version_one() {
    let mut scenario = Scenario::of(plan_of(&["A"], &[]));
    let started = scenario.step_ok(start(None)).events.remove(0);
    let Event::Started { semantics, .. } = &started else {
        panic!("{started:?}")
    };
    assert_eq!(*semantics, Semantics::V4);
    let old = as_written_before(&[started]).remove(0).1;
    let Event::Started { semantics, .. } = &old else {
        panic!("{old:?}")
    };
    assert_eq!(*semantics, Semantics::V1);
    assert!(
        !serde_json::to_string(&old)
            .expect("JSON")
            .contains("semantics"),
        "the event is written without the new field"
    );
}

/// Under today's rules the children would be skipped, and their attempts would not fit.
#[test]
fn old_history_in_which_both_branches_of_a_failed_fork_ran_replays() {
    let mut plan = plan_of(&["Fork", "Yes", "No", "Success"], &[(0, 3)]);
    let (true_step, false_step) = (Some(node_id(1)), Some(node_id(2)));
    plan.nodes[0].kind = NodeKind::Condition(ConditionTask {
        condition: "x".to_owned(),
        true_step,
        false_step,
    });
    plan.nodes[0].on_failure = OnFailure::Skip;
    plan.nodes[3].trigger_rule = Some(TriggerRule::OneSuccess);
    let mut events = Vec::new();
    // A history under the old rules, from a plan without the fork.
    let mut open = plan.clone();
    open.nodes[0].kind = NodeKind::Command(crate::node::CommandTask {
        command: crate::node::CommandLine::Shell("exit 1".to_owned()),
        env: Default::default(),
        cwd: None,
    });
    open.nodes[3].trigger_rule = None;
    let mut scenario = Scenario::of(open);
    events.extend(scenario.step_ok(start(Some(4))).events);
    // In the old history the children waited for the fork. Only the order of events matters for the
    // replay.
    for position in [0, 1, 2, 3] {
        let (node, attempt) = scenario.attempt(position);
        let outcome = if position == 0 {
            failed()
        } else {
            Outcome::Succeeded
        };
        events.extend(scenario.step_ok(started(node, attempt)).events);
        events.extend(scenario.step_ok(ended(node, attempt, outcome)).events);
    }
    let is_of_fork = |event: &Event| event.node() == Some(node_id(0)) || event.node().is_none();
    let (first, rest): (Vec<Event>, Vec<Event>) = events.into_iter().partition(is_of_fork);
    let (end, first): (Vec<Event>, Vec<Event>) = first
        .into_iter()
        .partition(|event| *event == Event::Completed);
    let history = as_written_before(&[first, rest, end].concat());
    let run = Run::replay(scenario.run.id(), Arc::new(plan), history)
        .expect("the old rules let all of them run");
    assert_eq!(*run.state(), RunState::Completed);
    for position in [1, 2, 3] {
        let state = &run.node(node_id(position)).expect("the plan has it").state;
        assert_eq!(state, &NodeState::Done { by_hand: false });
    }
}

#[test]
fn old_history_whose_handler_had_begun_counts_the_failure_as_handled() {
    let mut plan = plan_of(&["Handler", "A", "B"], &[]);
    plan.nodes[1].on_failure = OnFailure::Node(node_id(0));
    plan.nodes[2].on_failure = OnFailure::Node(node_id(0));
    let mut events = Vec::new();
    let mut scenario = Scenario::of(plan.clone());
    events.extend(scenario.step_ok(start(Some(3))).events);
    for (position, outcome) in [(1, failed()), (0, Outcome::Succeeded), (2, failed())] {
        let (node, attempt) = scenario.attempt(position);
        events.extend(scenario.step_ok(started(node, attempt)).events);
        events.extend(scenario.step_ok(ended(node, attempt, outcome)).events);
    }
    assert!(
        matches!(scenario.run.state(), RunState::Failed { .. }),
        "{:?}",
        scenario.run.state()
    );
    events.pop();
    events.push(Event::Completed);
    let old = Run::replay(
        scenario.run.id(),
        Arc::new(plan),
        as_written_before(&events),
    )
    .expect("a legal history");
    let state = &old.node(node_id(2)).expect("the plan has it").state;
    assert!(
        matches!(
            state,
            NodeState::Failed {
                went_on_at: Some(_),
                ..
            }
        ),
        "{state:?}"
    );
}

/// A node that waited for an inner branch and for a node beside the inner fork was a join until
/// version 3.
#[test]
fn old_history_replays_with_the_joins_of_its_version() {
    let mut plan = plan_of(
        &["Outer", "Beside", "Inner", "Yes", "Waits"],
        &[(1, 2), (1, 4), (3, 4)],
    );
    for (fork, head) in [(0, 1), (2, 3)] {
        let true_step = Some(node_id(head));
        let task = ConditionTask {
            condition: "x".to_owned(),
            true_step,
            false_step: None,
        };
        plan.nodes[fork].kind = NodeKind::Condition(task);
    }
    let mut scenario = Scenario::of(plan.clone());
    let mut events = scenario.step_ok(start(Some(1))).events;
    for (position, taken) in [(0, Some(true)), (1, None), (2, Some(false))] {
        let (node, attempt) = scenario.attempt(position);
        events.extend(scenario.step_ok(started(node, attempt)).events);
        let (artifact, doubt) = (None, None);
        let end = Command::SessionEnded {
            node,
            attempt,
            outcome: Outcome::Succeeded,
            artifact,
            taken,
            doubt,
        };
        events.extend(scenario.step_ok(end).events);
    }
    assert_eq!(
        events.pop(),
        Some(Event::Completed),
        "waiting nodes are skipped"
    );
    let replayed = |semantics: Semantics| {
        let mut history: Vec<_> = events
            .iter()
            .map(|event| (Timestamp(1), event.clone()))
            .collect();
        if let Event::Started {
            semantics: of_event,
            ..
        } = &mut history[0].1
        {
            *of_event = semantics;
        }
        let run = Run::replay(scenario.run.id(), Arc::new(plan.clone()), history)
            .expect("a legal history");
        run.node(node_id(4)).expect("the plan has it").state.clone()
    };
    assert_eq!(replayed(Semantics::V2), NodeState::Pending);
    assert!(matches!(replayed(Semantics::V4), NodeState::Skipped { .. }));
}
