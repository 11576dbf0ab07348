//! Illegal events: an error with run and sequence number, in release builds as well as in debug
//! builds.

use std::sync::Arc;

use super::scenario::{Scenario, start};
use crate::plan_fixture::{node_id, plan_of};
use crate::run::{Event, ReplayError, Run, Step};
use crate::{Attempt, Timestamp};

#[test]
fn replay_error_names_run_and_sequence() {
    let (scenario, mut history) = started_run();
    let run = scenario.run.id();
    let sequence = history.len() as u64 + 1;
    history.push(of_another_attempt());
    history.push(Event::Resumed);

    let history = history.into_iter().map(|event| (Timestamp(9_000), event));
    let replayed = Run::replay(run, Arc::clone(scenario.run.plan()), history);

    let Err(ReplayError::Illegal(illegal)) = replayed else {
        panic!("{replayed:?}");
    };
    assert_eq!((illegal.run, illegal.sequence), (run, sequence));
    assert_eq!(
        illegal.to_string(),
        format!("event {sequence} of run {run} isn't valid while the run is running")
    );
}

/// Skipping the event would make the run return it again forever.
#[test]
fn step_stops_at_an_illegal_event() {
    let (mut scenario, history) = started_run();
    let mut step = Step::default();

    let taken = scenario
        .run
        .apply_and_record(of_another_attempt(), Timestamp(9_000), &mut step);

    let illegal = taken.expect_err("no such attempt was ever reserved");
    assert_eq!(illegal.sequence, history.len() as u64 + 1);
    assert_eq!(step, Step::default());
}

/// A run that has started, and its history.
fn started_run() -> (Scenario, Vec<Event>) {
    let mut scenario = Scenario::of(plan_of(&["A", "B"], &[(0, 1)]));
    let step = scenario.step_ok(start(None));
    (scenario, step.events)
}

fn of_another_attempt() -> Event {
    Event::NodeStarted {
        node: node_id(0),
        attempt: Attempt(99),
        checkpoint: None,
    }
}
