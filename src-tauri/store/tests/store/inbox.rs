//! What waits for a person, read from real files.

use baton_model::node::{NodeKind, Question};
use baton_model::run::{Answer, Command};
use baton_model::{NodeState, Outcome, RunState};
use baton_store::{AskingNode, RunWait};

use crate::runs::check_against_history;
use crate::story::{Story, open, strands};

fn question(request: &str) -> (String, String) {
    (format!("May it do {request}?"), request.to_owned())
}

/// Lets the first living attempt ask.
fn ask(story: &mut Story, request: &str) {
    let (node, attempt, _) = story.run.live_attempts().next().unwrap();
    let (question, request) = question(request);
    story
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

fn lose(story: &mut Story) {
    let (node, attempt, _) = story.run.live_attempts().next().unwrap();
    let outcome = Outcome::Lost {
        detail: "the machine went down".to_owned(),
    };
    story
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

fn words(nodes: &[AskingNode]) -> Vec<&'static str> {
    nodes.iter().map(|node| node.state.word()).collect()
}

#[test]
fn nodes_of_all_runs_ask_until_they_are_answered() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut first = Story::begin(&store, strands(2, 2));
    let mut second = Story::begin(&store, strands(1, 1));
    assert!(
        store.inbox().nodes().unwrap().rows.is_empty(),
        "to wait for a place is not to wait for a person"
    );

    ask(&mut second, "b");
    ask(&mut first, "a");
    let asking = store.inbox().nodes().unwrap().rows;
    assert_eq!(words(&asking), ["waiting", "waiting"]);
    assert!(
        asking.is_sorted_by_key(|node| node.since),
        "the one that waits longest comes first"
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
fn a_node_that_asks_at_once_has_asked_since_the_run_began() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut plan = strands(1, 1);
    plan.nodes[0].kind = NodeKind::UserInput(Question {
        question: "Which?".to_owned(),
        ..Question::default()
    });
    let story = Story::begin(&store, plan);
    let asking = store.inbox().nodes().unwrap().rows;
    assert_eq!(words(&asking), ["waiting"]);
    let began = store.runs().get(story.run.id()).unwrap().started_at;
    assert_eq!(Some(asking[0].since), began);
    check_against_history(&store, story.run.id());
    assert_eq!(
        store.inbox().nodes().unwrap().rows,
        asking,
        "also when the cache was made anew"
    );
}

#[test]
fn a_lost_node_asks_also_when_the_cache_was_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut story = Story::begin(&store, strands(1, 1));
    story.go_on().unwrap();
    lose(&mut story);
    let asking = store.inbox().nodes().unwrap().rows;
    assert_eq!(words(&asking), ["interrupted"]);
    check_against_history(&store, story.run.id());
    assert_eq!(
        store.inbox().nodes().unwrap().rows,
        asking,
        "with the time at which it was lost"
    );

    let stalled = store.inbox().runs().unwrap().rows;
    assert_eq!(stalled.len(), 1);
    assert_eq!(
        (stalled[0].run, stalled[0].since),
        (story.run.id(), asking[0].since)
    );
    let RunWait::Stalled { message } = &stalled[0].wait else {
        panic!("{:?}", stalled[0].wait)
    };
    assert!(
        message.contains("'Node 0' did not come to an end"),
        "{message}"
    );
}

#[test]
fn who_asks_another_thing_asks_since_then() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut story = Story::begin(&store, strands(1, 2));
    ask(&mut story, "a");
    let since = |story: &Story| {
        store
            .inbox()
            .nodes()
            .unwrap()
            .rows
            .iter()
            .find(|n| n.run == story.run.id())
            .unwrap()
            .since
    };
    let asked = since(&story);
    story
        .command(
            &Command::Pause {
                stop_running: false,
            },
            &[],
        )
        .unwrap();
    assert_eq!(
        since(&story),
        asked,
        "what else happens in the run is no new question"
    );
    ask(&mut story, "b");
    assert_eq!(
        since(&story),
        asked,
        "the first question is still the one that is shown"
    );
    let node = story.run.live_attempts().next().unwrap().0;
    story
        .command(
            &Command::Answer {
                node,
                request: "a".to_owned(),
                answer: Answer::AllowOnce,
            },
            &[],
        )
        .unwrap();
    assert!(since(&story) > asked);
}

#[test]
fn a_run_that_has_ended_asks_nothing_and_is_among_the_ended() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut story = Story::begin(&store, strands(1, 1));
    story.go_on().unwrap();
    lose(&mut story);
    assert!(store.inbox().ended(10).unwrap().rows.is_empty());
    story.command(&Command::Cancel, &[]).unwrap();
    assert_eq!(story.run.state(), &RunState::Cancelled);
    assert!(matches!(
        story.run.nodes().next().unwrap().1.state,
        NodeState::Interrupted { .. }
    ));
    assert!(
        store.inbox().nodes().unwrap().rows.is_empty(),
        "its node is still interrupted, but nothing waits for it"
    );
    assert!(store.inbox().runs().unwrap().rows.is_empty());

    let mut later = Story::begin(&store, strands(1, 1));
    later.finish();
    let ended = store.inbox().ended(10).unwrap().rows;
    let runs: Vec<_> = ended
        .iter()
        .map(|run| (run.run, run.state.word()))
        .collect();
    assert!(
        runs.contains(&(story.run.id(), "cancelled"))
            && runs.contains(&(later.run.id(), "completed")),
        "{runs:?}"
    );
    assert_eq!(store.inbox().ended(1).unwrap().rows.len(), 1);
}
