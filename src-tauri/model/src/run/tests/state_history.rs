//! Compares the state history of a run with the run itself.

use std::sync::Arc;

use super::scenario::{Scenario, failed, start, started_run};
use crate::plan_fixture::{node_id, plan_of};
use crate::run::{
    Answer, Command, Event, NodeRun, NodeSnapshot, NodeState, Run, RunState, RunStateChange,
    busy_times, state_history,
};
use crate::{Outcome, Plan, Timestamp};

/// Checks that the state history, applied up to any event, equals the run replayed up to that
/// event.
pub(super) fn follows(run: &Run, history: &[(Timestamp, Event)]) {
    let moments = state_history(run.id(), Arc::clone(run.plan()), history.iter().cloned())
        .expect("the history is legal");
    let mut replayed = Run::new(run.id(), Arc::clone(run.plan())).expect("the plan has no cycle");
    let mut shown: Vec<NodeSnapshot> = Vec::new();
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

fn is_of(moment: &NodeSnapshot, node: &NodeRun) -> bool {
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

/// A run whose events are recorded with their times.
struct RecordedRun {
    scenario: Scenario,
    history: Vec<(Timestamp, Event)>,
}

impl RecordedRun {
    fn of(plan: Plan) -> Self {
        let mut run_log = Self {
            scenario: Scenario::of(plan),
            history: Vec::new(),
        };
        run_log.at(1_000, start(None));
        run_log
    }

    fn at(&mut self, now: i64, command: Command) {
        self.scenario.now = Timestamp(now);
        let events = self.scenario.step_ok(command).events;
        self.history
            .extend(events.into_iter().map(|event| (Timestamp(now), event)));
    }

    fn history_changes(&self) -> Vec<RunStateChange> {
        let run = &self.scenario.run;
        state_history(run.id(), Arc::clone(run.plan()), self.history.clone())
            .expect("the history is legal")
    }
}

#[test]
fn history_contains_only_changes() {
    let mut run_log = RecordedRun::of(chain());
    let (node, attempt) = run_log.scenario.attempt(0);
    run_log.at(2_000, super::scenario::started(node, attempt));
    run_log.at(
        5_000,
        super::scenario::ended(node, attempt, Outcome::Succeeded),
    );
    follows(&run_log.scenario.run, &run_log.history);
    let words: Vec<_> = run_log
        .history_changes()
        .iter()
        .map(|moment| {
            let nodes: Vec<_> = moment
                .nodes
                .iter()
                .map(|node| (node.place, node.state.as_str()))
                .collect();
            (
                moment.seq,
                moment.at.0,
                moment.run.as_ref().map(RunState::as_str),
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
    let mut run_log = RecordedRun::of(chain());
    let (node, attempt) = run_log.scenario.attempt(0);
    run_log.at(2_000, super::scenario::started(node, attempt));
    run_log.at(5_000, super::scenario::ended(node, attempt, failed()));
    assert_eq!(
        run_log.scenario.state_name(0),
        "waiting",
        "the node is retried"
    );
    let busy = busy_times(&run_log.history_changes(), 2, Timestamp(9_000));
    assert_eq!(busy, [Some(7_000), None], "from 2 s on, and still");
}

/// Compares the state history with the recorded one, which the interface's tests read too.
///
/// `BATON_WRITE_FIXTURES=1` rewrites the file.
#[test]
fn recorded_history_matches_this_version() {
    let mut plan = plan_of(&["A", "B", "C"], &[(0, 1), (0, 2)]);
    plan.nodes[0].max_retries = 1;
    let mut run_log = RecordedRun::of(plan);
    for (at, outcome) in [(1_500, failed()), (40_000, Outcome::Succeeded)] {
        let (node, attempt) = run_log.scenario.attempt(0);
        run_log.at(at, super::scenario::started(node, attempt));
        run_log.at(at + 700, super::scenario::ended(node, attempt, outcome));
        if run_log.scenario.state_name(0) == "waiting" {
            run_log.at(39_000, Command::Due { node });
        }
    }
    let (b, attempt) = run_log.scenario.attempt(1);
    run_log.at(41_000, super::scenario::started(b, attempt));
    let (question, request) = ("May it?".to_owned(), "r1".to_owned());
    run_log.at(
        42_000,
        Command::SessionAsked {
            node: b,
            attempt,
            question,
            request,
            call: None,
        },
    );
    run_log.at(
        60_000,
        Command::Answer {
            node: b,
            request: "r1".to_owned(),
            answer: Answer::AllowOnce,
        },
    );
    run_log.at(
        61_000,
        super::scenario::ended(b, attempt, Outcome::Succeeded),
    );
    let (c, attempt) = run_log.scenario.attempt(2);
    run_log.at(61_200, super::scenario::started(c, attempt));
    run_log.at(
        61_500,
        super::scenario::ended(c, attempt, Outcome::Succeeded),
    );
    run_log.at(62_000, Command::RerunFrom { node: node_id(0) });
    follows(&run_log.scenario.run, &run_log.history);

    let run = &run_log.scenario.run;
    let mut replayed = Run::new(run.id(), Arc::clone(run.plan())).expect("the plan has no cycle");
    let words: Vec<Vec<&str>> = run_log
        .history
        .iter()
        .map(|(at, event)| {
            replayed.apply(*at, event).expect("the history is legal");
            replayed
                .nodes()
                .map(|(_, node)| node.state.as_str())
                .collect()
        })
        .collect();
    let nodes: Vec<_> = run.plan().nodes.iter().map(|node| node.id).collect();
    let course = serde_json::json!({ "seq": run_log.history.len(), "nodes": nodes, "moments": run_log.history_changes() });
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
fn history_of_another_plan_reports_the_illegal_event() {
    let run_log = started_run(plan_of(&["A"], &[]));
    let wrong = Event::NodeRetryDue { node: node_id(0) };
    let history = [(Timestamp(0), wrong)];
    let refused = state_history(run_log.run.id(), Arc::clone(run_log.run.plan()), history)
        .expect_err("nothing has begun");
    assert_eq!(
        refused.to_string(),
        "event 1 of run 00000000-0000-0000-0000-000000000001 isn't valid while the run is paused"
    );
}
