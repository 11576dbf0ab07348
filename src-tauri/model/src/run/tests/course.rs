//! The course of a run beside the run itself.

use std::sync::Arc;

use super::scenario::{Scenario, begun, failed, start};
use crate::plan_fixture::{node_id, plan_of};
use crate::run::{
    Answer, Command, Event, Moment, NodeMoment, NodeRun, NodeState, Run, RunState, busy_times,
    course,
};
use crate::{Outcome, Plan, Timestamp};

/// Holds that the course of `history`, folded up to any event, is the run as it was replayed to that event.
pub(super) fn follows(run: &Run, history: &[(Timestamp, Event)]) {
    let moments = course(run.id(), Arc::clone(run.plan()), history.iter().cloned())
        .expect("the history is legal");
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
                Some(shown) => assert!(
                    is_of(shown, node),
                    "{shown:?}\nis not {node:?}\nafter {event:?}"
                ),
                None => assert_eq!(node.state, NodeState::Pending),
            }
        }
    }
    assert_eq!(moments.next(), None);
}

fn is_of(moment: &NodeMoment, node: &NodeRun) -> bool {
    let shown = (
        &moment.state,
        moment.attempt,
        moment.session,
        moment.started_at,
        moment.ended_at,
    );
    let flags = (moment.stale, moment.unverified, moment.taken);
    shown
        == (
            &node.state,
            node.attempt,
            node.session,
            node.started_at,
            node.ended_at,
        )
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
        let mut told = Self {
            scenario: Scenario::of(plan),
            history: Vec::new(),
        };
        told.at(1_000, start(None));
        told
    }

    fn at(&mut self, now: i64, command: Command) {
        self.scenario.now = Timestamp(now);
        let events = self.scenario.does(command).events;
        self.history
            .extend(events.into_iter().map(|event| (Timestamp(now), event)));
    }

    fn course(&self) -> Vec<Moment> {
        let run = &self.scenario.run;
        course(run.id(), Arc::clone(run.plan()), self.history.clone())
            .expect("the history is legal")
    }
}

#[test]
fn moments_are_what_changed_and_nothing_else() {
    let mut told = Told::of(chain());
    let (node, attempt) = told.scenario.attempt(0);
    told.at(2_000, super::scenario::started(node, attempt));
    told.at(
        5_000,
        super::scenario::ended(node, attempt, Outcome::Succeeded),
    );
    follows(&told.scenario.run, &told.history);
    let words: Vec<_> = told
        .course()
        .iter()
        .map(|moment| {
            let nodes: Vec<_> = moment
                .nodes
                .iter()
                .map(|node| (node.place, node.state.word()))
                .collect();
            (
                moment.seq,
                moment.at.0,
                moment.run.as_ref().map(RunState::word),
                nodes,
            )
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

/// What the interface folds beside what the run was: its own tests read the same file.
///
/// `BATON_WRITE_FIXTURES=1` writes it anew.
#[test]
fn the_recorded_course_is_what_this_version_tells() {
    let mut plan = plan_of(&["A", "B", "C"], &[(0, 1), (0, 2)]);
    plan.nodes[0].max_retries = 1;
    let mut told = Told::of(plan);
    for (at, outcome) in [(1_500, failed()), (40_000, Outcome::Succeeded)] {
        let (node, attempt) = told.scenario.attempt(0);
        told.at(at, super::scenario::started(node, attempt));
        told.at(at + 700, super::scenario::ended(node, attempt, outcome));
        if told.scenario.word(0) == "waiting" {
            told.at(39_000, Command::Due { node });
        }
    }
    let (b, attempt) = told.scenario.attempt(1);
    told.at(41_000, super::scenario::started(b, attempt));
    let (question, request) = ("May it?".to_owned(), "r1".to_owned());
    told.at(
        42_000,
        Command::SessionAsked {
            node: b,
            attempt,
            question,
            request,
            call: None,
        },
    );
    told.at(
        60_000,
        Command::Answer {
            node: b,
            request: "r1".to_owned(),
            answer: Answer::AllowOnce,
        },
    );
    told.at(
        61_000,
        super::scenario::ended(b, attempt, Outcome::Succeeded),
    );
    let (c, attempt) = told.scenario.attempt(2);
    told.at(61_200, super::scenario::started(c, attempt));
    told.at(
        61_500,
        super::scenario::ended(c, attempt, Outcome::Succeeded),
    );
    told.at(62_000, Command::RerunFrom { node: node_id(0) });
    follows(&told.scenario.run, &told.history);

    let run = &told.scenario.run;
    let mut replayed = Run::new(run.id(), Arc::clone(run.plan())).expect("the plan has no cycle");
    let words: Vec<Vec<&str>> = told
        .history
        .iter()
        .map(|(at, event)| {
            replayed.apply(*at, event).expect("the history is legal");
            replayed
                .nodes()
                .map(|(_, node)| node.state.word())
                .collect()
        })
        .collect();
    let nodes: Vec<_> = run.plan().nodes.iter().map(|node| node.id).collect();
    let course =
        serde_json::json!({ "seq": told.history.len(), "nodes": nodes, "moments": told.course() });
    let recorded = serde_json::json!({ "course": course, "words": words });
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/fixtures/courses/recorded.json"
    );
    if std::env::var_os("BATON_WRITE_FIXTURES").is_some() {
        let text = serde_json::to_string_pretty(&recorded).expect("plain values");
        std::fs::write(file, text + "\n").expect("the folder is there");
    }
    let text = std::fs::read_to_string(file).expect("the file is part of the repository");
    let stored: serde_json::Value = serde_json::from_str(&text).expect("it was written as JSON");
    assert_eq!(stored, recorded);
}

#[test]
fn a_history_of_another_plan_names_the_event_that_does_not_fit() {
    let told = begun(plan_of(&["A"], &[]));
    let wrong = Event::NodeRetryDue { node: node_id(0) };
    let history = [(Timestamp(0), wrong)];
    let refused =
        course(told.run.id(), Arc::clone(told.run.plan()), history).expect_err("nothing has begun");
    assert_eq!(
        refused.to_string(),
        "event 1 of run 00000000-0000-0000-0000-000000000001 doesn't fit a run that is paused"
    );
}
