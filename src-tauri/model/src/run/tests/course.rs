//! The course of a run beside the run itself.

use std::sync::Arc;

use super::scenario::{Scenario, begun, failed, start};
use crate::plan_fixture::{node_id, plan_of};
use crate::run::{Command, Event, Moment, NodeMoment, NodeRun, NodeState, Run, RunState, busy_times, course};
use crate::{Outcome, Plan, Timestamp};

/// Holds that the course of `history`, folded up to any event, is the run as it was replayed to that event.
pub(super) fn follows(run: &Run, history: &[(Timestamp, Event)]) {
    let moments = course(run.id(), Arc::clone(run.plan()), history.iter().cloned()).expect("the history is legal");
    let mut replayed = Run::new(run.id(), Arc::clone(run.plan())).expect("the plan has no cycle");
    let mut shown: Vec<NodeMoment> = Vec::new();
    let mut state = replayed.state().clone();
    let mut moments = moments.into_iter().peekable();
    for (seq, (at, event)) in (1..).zip(history) {
        replayed.apply(*at, event).expect("the history is legal");
        if let Some(moment) = moments.next_if(|moment| moment.seq == seq) {
            assert_eq!(moment.at, *at);
            state = moment.run.unwrap_or(state);
            for node in moment.nodes {
                shown.retain(|known| known.place != node.place);
                shown.push(node);
            }
        }
        assert_eq!(state, *replayed.state());
        for (place, (_, node)) in (0u32..).zip(replayed.nodes()) {
            match shown.iter().find(|shown| shown.place == place) {
                Some(shown) => assert!(is_of(shown, node), "{shown:?}\nis not {node:?}\nafter {event:?}"),
                None => assert_eq!(node.state, NodeState::Pending),
            }
        }
    }
    assert_eq!(moments.next(), None);
}

fn is_of(moment: &NodeMoment, node: &NodeRun) -> bool {
    let shown = (&moment.state, moment.attempt, moment.session, moment.started_at, moment.ended_at);
    let flags = (moment.stale, moment.unverified, moment.taken);
    shown == (&node.state, node.attempt, node.session, node.started_at, node.ended_at)
        && flags == (node.stale, node.unverified, node.taken)
}

fn chain() -> Plan {
    let mut plan = plan_of(&["A", "B"], &[(0, 1)]);
    plan.nodes[0].max_retries = 1;
    plan
}

/// A run whose events are written down with the times at which they came.
struct Told {
    scenario: Scenario,
    history: Vec<(Timestamp, Event)>,
}

impl Told {
    fn of(plan: Plan) -> Self {
        let mut told = Self { scenario: Scenario::of(plan), history: Vec::new() };
        told.at(1_000, start(None));
        told
    }

    fn at(&mut self, now: i64, command: Command) {
        self.scenario.now = Timestamp(now);
        let events = self.scenario.does(command).events;
        self.history.extend(events.into_iter().map(|event| (Timestamp(now), event)));
    }

    fn course(&self) -> Vec<Moment> {
        let run = &self.scenario.run;
        course(run.id(), Arc::clone(run.plan()), self.history.clone()).expect("the history is legal")
    }
}

#[test]
fn moments_are_what_changed_and_nothing_else() {
    let mut told = Told::of(chain());
    let (node, attempt) = told.scenario.attempt(0);
    told.at(2_000, super::scenario::started(node, attempt));
    told.at(5_000, super::scenario::ended(node, attempt, Outcome::Succeeded));
    follows(&told.scenario.run, &told.history);
    let words: Vec<_> = told
        .course()
        .iter()
        .map(|moment| {
            let nodes: Vec<_> = moment.nodes.iter().map(|node| (node.place, node.state.word())).collect();
            (moment.seq, moment.at.0, moment.run.as_ref().map(RunState::word), nodes)
        })
        .collect();
    assert_eq!(
        words,
        [
            (1, 1_000, Some("running"), vec![]),
            (2, 1_000, None, vec![(0, "waiting")]),
            (3, 2_000, None, vec![(0, "running")]),
            (4, 5_000, None, vec![(0, "done")]),
            (5, 5_000, None, vec![(1, "waiting")]),
        ]
    );
}

#[test]
fn time_between_attempts_is_busy_and_time_before_the_first_is_not() {
    let mut told = Told::of(chain());
    let (node, attempt) = told.scenario.attempt(0);
    told.at(2_000, super::scenario::started(node, attempt));
    told.at(5_000, super::scenario::ended(node, attempt, failed()));
    assert_eq!(told.scenario.word(0), "waiting", "it is tried again");
    let busy = busy_times(&told.course(), 2, Timestamp(9_000));
    assert_eq!(busy, [Some(7_000), None], "from 2 s on, and still");
}

#[test]
fn a_history_of_another_plan_names_the_event_that_does_not_fit() {
    let told = begun(plan_of(&["A"], &[]));
    let wrong = Event::NodeRetryDue { node: node_id(0) };
    let history = [(Timestamp(0), wrong)];
    let refused = course(told.run.id(), Arc::clone(told.run.plan()), history).expect_err("nothing has begun");
    assert_eq!(refused.to_string(), "event 1 of the history does not fit");
}
