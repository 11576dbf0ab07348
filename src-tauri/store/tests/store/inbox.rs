//! The inbox, read from real files.

use baton_model::node::{NodeKind, Question};
use baton_model::run::{Answer, Command};
use baton_model::{NodeState, Outcome, RunState};
use baton_store::{NodeAwaitingPerson, RunWait};

use crate::runs::check_against_history;
use crate::sample_run::{SampleRun, layered_plan, open};

fn question(request: &str) -> (String, String) {
    (format!("May it do {request}?"), request.to_owned())
}

/// Makes the first live attempt ask for permission or an answer.
fn ask(sample: &mut SampleRun, request: &str) {
    let (node, attempt, _) = sample.run.live_attempts().next().unwrap();
    let (question, request) = question(request);
    sample
        .command(
            &Command::SessionAsked {
                node,
                attempt,
                question,
                request,
                call: None,
            },
            &[],
        )
        .unwrap();
}

fn mark_lost(sample: &mut SampleRun) {
    let (node, attempt, _) = sample.run.live_attempts().next().unwrap();
    let outcome = Outcome::Lost {
        detail: "the machine went down".to_owned(),
    };
    sample
        .command(
            &Command::SessionEnded {
                node,
                attempt,
                outcome,
                artifact: None,
                taken: None,
                doubt: None,
            },
            &[],
        )
        .unwrap();
}

fn statuses(nodes: &[NodeAwaitingPerson]) -> Vec<&'static str> {
    nodes.iter().map(|node| node.state.as_str()).collect()
}

#[test]
fn nodes_stay_in_the_inbox_until_answered() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut first = SampleRun::begin(&store, layered_plan(2, 2));
    let mut second = SampleRun::begin(&store, layered_plan(1, 1));
    assert!(
        store.inbox().nodes().unwrap().rows.is_empty(),
        "waiting for a slot isn't waiting for a person"
    );

    ask(&mut second, "b");
    ask(&mut first, "a");
    let asking = store.inbox().nodes().unwrap().rows;
    assert_eq!(statuses(&asking), ["waiting", "waiting"]);
    assert!(
        asking.is_sorted_by_key(|node| node.since),
        "longest wait first"
    );
    let of_first = asking
        .iter()
        .find(|node| node.run == first.run.id())
        .unwrap();
    assert_eq!((of_first.plan, of_first.version), (first.run.plan().id, 1));
    assert_eq!(
        of_first.session,
        first.run.node(of_first.node).unwrap().session
    );

    let node = of_first.node;
    first
        .command(
            &Command::Answer {
                node,
                request: "a".to_owned(),
                answer: Answer::AllowOnce,
            },
            &[],
        )
        .unwrap();
    let asking = store.inbox().nodes().unwrap().rows;
    assert_eq!(
        asking.iter().map(|node| node.run).collect::<Vec<_>>(),
        [second.run.id()]
    );
}

#[test]
fn node_that_asks_immediately_has_asked_since_run_start() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut plan = layered_plan(1, 1);
    plan.nodes[0].kind = NodeKind::UserInput(Question {
        question: "Which?".to_owned(),
        ..Question::default()
    });
    let sample = SampleRun::begin(&store, plan);
    let asking = store.inbox().nodes().unwrap().rows;
    assert_eq!(statuses(&asking), ["waiting"]);
    let began = store.runs().get(sample.run.id()).unwrap().started_at;
    assert_eq!(Some(asking[0].since), began);
    check_against_history(&store, sample.run.id());
    assert_eq!(
        store.inbox().nodes().unwrap().rows,
        asking,
        "also after the cache was rebuilt"
    );
}

#[test]
fn lost_node_stays_in_the_inbox_after_rebuild() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut sample = SampleRun::begin(&store, layered_plan(1, 1));
    sample.step().unwrap();
    mark_lost(&mut sample);
    let asking = store.inbox().nodes().unwrap().rows;
    assert_eq!(statuses(&asking), ["interrupted"]);
    check_against_history(&store, sample.run.id());
    assert_eq!(
        store.inbox().nodes().unwrap().rows,
        asking,
        "with the time at which it was lost"
    );

    let stalled = store.inbox().runs().unwrap().rows;
    assert_eq!(stalled.len(), 1);
    assert_eq!(
        (stalled[0].run, stalled[0].since),
        (sample.run.id(), asking[0].since)
    );
    let RunWait::Stalled { message } = &stalled[0].wait else {
        panic!("{:?}", stalled[0].wait)
    };
    assert!(message.contains("'Node 0' did not finish"), "{message}");
}

#[test]
fn new_question_resets_asked_at() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut sample = SampleRun::begin(&store, layered_plan(1, 2));
    ask(&mut sample, "a");
    let since = |sample: &SampleRun| {
        store
            .inbox()
            .nodes()
            .unwrap()
            .rows
            .iter()
            .find(|n| n.run == sample.run.id())
            .unwrap()
            .since
    };
    let asked = since(&sample);
    sample
        .command(
            &Command::Pause {
                stop_running: false,
            },
            &[],
        )
        .unwrap();
    assert_eq!(
        since(&sample),
        asked,
        "other events in the run don't change the question"
    );
    ask(&mut sample, "b");
    assert_eq!(since(&sample), asked, "the first question is still shown");
    let node = sample.run.live_attempts().next().unwrap().0;
    sample
        .command(
            &Command::Answer {
                node,
                request: "a".to_owned(),
                answer: Answer::AllowOnce,
            },
            &[],
        )
        .unwrap();
    assert!(since(&sample) > asked);
}

#[test]
fn ended_run_leaves_the_inbox_and_is_listed_as_ended() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut sample = SampleRun::begin(&store, layered_plan(1, 1));
    sample.step().unwrap();
    mark_lost(&mut sample);
    assert!(store.inbox().ended(10).unwrap().rows.is_empty());
    sample.command(&Command::Cancel, &[]).unwrap();
    assert_eq!(sample.run.state(), &RunState::Cancelled);
    assert!(matches!(
        sample.run.nodes().next().unwrap().1.state,
        NodeState::Interrupted { .. }
    ));
    assert!(
        store.inbox().nodes().unwrap().rows.is_empty(),
        "its node is still interrupted, but nothing waits for it"
    );
    assert!(store.inbox().runs().unwrap().rows.is_empty());

    let mut later = SampleRun::begin(&store, layered_plan(1, 1));
    later.finish();
    let ended = store.inbox().ended(10).unwrap().rows;
    let runs: Vec<_> = ended
        .iter()
        .map(|run| (run.run, run.state.as_str()))
        .collect();
    assert!(
        runs.contains(&(sample.run.id(), "cancelled"))
            && runs.contains(&(later.run.id(), "completed")),
        "{runs:?}"
    );
    assert_eq!(store.inbox().ended(1).unwrap().rows.len(), 1);
}
