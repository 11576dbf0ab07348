//! Runs: the history, what is derived from it, and whose writes count.

use std::collections::BTreeMap;

use baton_model::outcome::Failure;
use baton_model::run::{Command, Goal, ReplanEnd};
use baton_model::{Epoch, NodeId, Outcome, ProposalId, RunId, RunState, Timestamp};
use baton_store::{Actor, NodeStateRow, RequestOutcome, RunWrite, Store, StoreError};
use rusqlite::Connection;
use uuid::Uuid;

use crate::story::{Story, executor, open, strands};

/// What is kept beside the history is what the history says.
pub fn check_against_history(store: &Store, run: RunId) {
    let (replayed, last) = store.runs().replay(run).unwrap();
    let events = store.run_events().after(run, 0, u32::MAX).unwrap();
    let numbers: Vec<u64> = events.iter().map(|event| event.seq).collect();
    assert_eq!(
        numbers,
        (1..=last).collect::<Vec<_>>(),
        "numbered without gaps"
    );
    let row = store.runs().get(run).unwrap();
    assert_eq!(
        (&row.state, row.epoch, row.last_seq),
        (replayed.state(), replayed.epoch(), last)
    );
    let cached = store.node_states().list(run).unwrap();
    for (cached, (node, replayed)) in cached.iter().zip(replayed.nodes()) {
        let kept = (
            cached.node,
            &cached.state,
            cached.attempt,
            cached.session,
            cached.own_failures,
            &cached.marks,
        );
        let told = (
            node.id,
            &replayed.state,
            replayed.attempt,
            replayed.session,
            replayed.own_failures,
            &replayed.marks(),
        );
        assert_eq!(kept, told);
        let marks = (
            cached.started_at,
            cached.ended_at,
            cached.stale,
            cached.unverified,
        );
        assert_eq!(
            marks,
            (
                replayed.started_at,
                replayed.ended_at,
                replayed.stale,
                replayed.unverified
            )
        );
    }
    assert_eq!(cached.len(), replayed.nodes().count());
    store.runs().rebuild_node_states(run).unwrap();
    assert_eq!(
        store.node_states().list(run).unwrap(),
        cached,
        "made anew, also with the same handoffs"
    );
}

#[test]
fn the_cache_equals_the_replay_at_every_event() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut story = Story::begin(&store, strands(3, 2));
    check_against_history(&store, story.run.id());
    while story.go_on().unwrap() {
        check_against_history(&store, story.run.id());
    }
    let row = store.runs().get(story.run.id()).unwrap();
    assert_eq!(row.state, RunState::Completed);
    assert!(row.ended_at.is_some());
    assert!(store.runs().unfinished().unwrap().rows.is_empty());
}

#[test]
fn the_cache_equals_the_replay_whatever_is_commanded() {
    let folder = tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .unwrap();
    let store = open(folder.path()).unwrap();
    let mut story = Story::begin(&store, strands(4, 3));
    let mut granted = 0;
    let mut onlooker = Onlooker::default();
    // A walk that is the same each time: the numbers come from a linear congruence.
    let mut chance: u64 = 7;
    for turn in 0..600 {
        chance = chance
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let drawn = usize::try_from(chance >> 33).unwrap();
        let node = story.run.plan().nodes[drawn % 12].id;
        let live = story
            .run
            .live_attempts()
            .nth(drawn % 3)
            .map(|(node, attempt, _)| (node, attempt));
        let command = match (drawn / 12 % 14, live) {
            (0, _) => Command::Pause {
                stop_running: drawn % 2 == 0,
            },
            (1, _) => Command::Resume,
            (2, _) if drawn % 5 == 0 => Command::Cancel,
            (3, _) => Command::RetryNode {
                node,
                resume: false,
            },
            (4, _) => Command::RerunFrom { node },
            (5, _) => Command::SkipNode { node, stop: false },
            (6, _) => Command::MarkDone {
                node,
                handoff: String::new(),
                stop: false,
            },
            (7, Some((node, attempt))) => {
                let failure = Failure::ExitCode { code: 1 };
                Command::SessionEnded {
                    node,
                    attempt,
                    outcome: Outcome::Failed { failure },
                    artifact: None,
                    taken: None,
                    doubt: None,
                }
            }
            (8, Some((node, attempt))) => Command::SessionEnded {
                node,
                attempt,
                outcome: Outcome::Cancelled,
                artifact: None,
                taken: None,
                doubt: None,
            },
            (9, Some((node, attempt))) => Command::SessionWithdrawn { node, attempt },
            _ => {
                story.go_on().unwrap();
                onlooker.look_if(turn % 3 == 0, &store, story.run.id());
                continue;
            }
        };
        granted += usize::from(story.command_if_legal(&command, &[]).unwrap());
        onlooker.look_if(turn % 3 == 0, &store, story.run.id());
        if turn % 20 == 0 {
            check_against_history(&store, story.run.id());
        }
    }
    check_against_history(&store, story.run.id());
    assert!(
        granted > 100,
        "only {granted} commands were granted: the walk shows little"
    );
    assert!(
        onlooker.told < onlooker.nodes.len() * 150,
        "{} of {}",
        onlooker.told,
        onlooker.nodes.len() * 200
    );
}

/// Somebody who knows a run from earlier looks, and asks only for what moved since.
#[derive(Default)]
struct Onlooker {
    nodes: BTreeMap<NodeId, NodeStateRow>,
    seq: u64,
    told: usize,
}

impl Onlooker {
    /// Looks at a run, if it is time: all that was ever told of it is what is to be told now.
    fn look_if(&mut self, now: bool, store: &Store, run: RunId) {
        if !now {
            return;
        }
        let last = store.runs().get(run).unwrap().last_seq;
        let moved = store.node_states().since(run, self.seq).unwrap();
        self.told += moved.len();
        self.seq = last;
        self.nodes
            .extend(moved.into_iter().map(|row| (row.node, row)));
        let whole = store.node_states().list(run).unwrap();
        assert_eq!(
            self.nodes,
            whole.into_iter().map(|row| (row.node, row)).collect(),
            "at event {last}"
        );
    }
}

#[test]
fn whoever_looks_on_is_told_of_a_session_that_reports_after_its_node_ended() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut story = Story::begin(&store, strands(1, 2));
    story.finish();
    let (run, node) = (story.run.id(), story.run.plan().nodes[0].id);
    let last = store.runs().get(run).unwrap().last_seq;
    assert!(
        store.node_states().since(run, last).unwrap().is_empty(),
        "nothing has moved since"
    );

    let session = story.run.node(node).unwrap().session.unwrap();
    let used = serde_json::json!({"input": 5});
    store.sessions().record_usage(session, &used).unwrap();
    let told = store.node_states().since(run, last).unwrap();
    assert_eq!(
        told.iter().map(|row| row.node).collect::<Vec<_>>(),
        [node],
        "although no event followed"
    );
    assert_eq!(store.sessions().used_in(run, last).unwrap(), [(node, used)]);
    store.runs().rebuild_node_states(run).unwrap();
    assert_eq!(
        store.node_states().since(run, last).unwrap().len(),
        2,
        "what was made anew is told anew"
    );
}

#[test]
fn attempts_sessions_and_handoffs_follow_from_the_events() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut story = Story::begin(&store, strands(1, 2));
    story.finish();
    let (run, node) = (story.run.id(), story.run.plan().nodes[0].id);
    let first = store.attempts().list(run, node).unwrap().remove(0);
    assert_eq!(first.outcome, Some(Outcome::Succeeded));
    let session = store.sessions().get(first.session).unwrap();
    assert_eq!(
        (session.node, session.started_at, session.ended_at),
        (node, first.started_at, first.ended_at)
    );
    assert_eq!(
        store.artifacts().get(first.artifact.unwrap()).unwrap().node,
        node
    );

    story.command(&Command::RerunFrom { node }, &[]).unwrap();
    assert_eq!(
        store.runs().get(run).unwrap().ended_at,
        None,
        "it was taken up again"
    );
    let attempts = store.attempts().list(run, node).unwrap();
    assert_eq!(attempts.len(), 2, "the earlier attempt is kept");
    story.finish();
    check_against_history(&store, run);
    assert_eq!(store.artifacts().all_of(run).unwrap().rows.len(), 3);
    let latest = store.artifacts().latest_of(run).unwrap().rows;
    assert_eq!(
        latest
            .iter()
            .map(|artifact| artifact.attempt.0)
            .collect::<Vec<_>>(),
        [2, 1]
    );
}

#[test]
fn a_withdrawn_attempt_leaves_its_number_to_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut story = Story::begin(&store, strands(1, 1));
    let (node, attempt, session) = story.run.live_attempts().next().unwrap();
    story
        .command(
            &Command::Pause {
                stop_running: false,
            },
            &[],
        )
        .unwrap();
    story
        .command(&Command::SessionWithdrawn { node, attempt }, &[])
        .unwrap();
    assert!(
        store
            .attempts()
            .list(story.run.id(), node)
            .unwrap()
            .is_empty()
    );
    assert!(matches!(
        store.sessions().get(session),
        Err(StoreError::NotFound { .. })
    ));
    story.command(&Command::Resume, &[]).unwrap();
    story.finish();
    assert_eq!(
        store.attempts().list(story.run.id(), node).unwrap().len(),
        1
    );
    check_against_history(&store, story.run.id());
}

#[test]
fn usage_and_native_names_are_noted() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let story = Story::begin(&store, strands(1, 1));
    let (node, _, session) = story.run.live_attempts().next().unwrap();
    store.sessions().name_natively(session, "abc").unwrap();
    store
        .sessions()
        .record_usage(session, &serde_json::json!({"tokens": 7}))
        .unwrap();
    assert_eq!(
        store.sessions().get(session).unwrap().native_id.as_deref(),
        Some("abc")
    );
    assert_eq!(
        store.attempts().list(story.run.id(), node).unwrap()[0].usage,
        Some(serde_json::json!({"tokens": 7}))
    );
}

#[test]
fn whoever_was_overtaken_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut old = Story::begin(&store, strands(1, 3));
    old.go_on().unwrap();

    let other = open(folder.path()).unwrap();
    let heir = executor();
    other.executors().register(&heir).unwrap();
    let (mut run, mut seq) = other.runs().replay(old.run.id()).unwrap();
    std::mem::swap(&mut run, &mut old.run);
    std::mem::swap(&mut seq, &mut old.seq);
    old.command(
        &Command::TakeOver {
            executor: heir.id,
            epoch: Epoch(1),
            record: None,
        },
        &[],
    )
    .unwrap();
    let row = store.runs().get(old.run.id()).unwrap();
    assert_eq!((row.epoch, row.executor), (Epoch(1), heir.id));

    // The old one goes on with what it knew.
    std::mem::swap(&mut run, &mut old.run);
    std::mem::swap(&mut seq, &mut old.seq);
    let before = store.run_events().after(run.id(), 0, u32::MAX).unwrap();
    old.epoch = Epoch(0);
    let error = old.go_on().unwrap_err();
    assert!(
        matches!(
            error,
            StoreError::EpochPassed {
                ours: Epoch(0),
                current: Epoch(1),
                ..
            }
        ),
        "{error:?}"
    );
    let error = old
        .command(
            &Command::TakeOver {
                executor: heir.id,
                epoch: Epoch(1),
                record: None,
            },
            &[],
        )
        .unwrap_err();
    assert!(
        matches!(error, StoreError::EpochPassed { .. }),
        "two may not take over from the same one: {error:?}"
    );
    assert_eq!(
        store.run_events().after(run.id(), 0, u32::MAX).unwrap(),
        before,
        "nothing of it was stored"
    );
    check_against_history(&store, run.id());
}

#[test]
fn a_writer_that_missed_an_event_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut story = Story::begin(&store, strands(1, 3));
    story.seq -= 1;
    let error = story.go_on().unwrap_err();
    assert!(
        matches!(error, StoreError::HistoryMoved { .. }),
        "{error:?}"
    );
}

#[test]
fn a_write_that_fails_half_way_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let story = Story::begin(&store, strands(1, 2));
    let events = store.run_events().after(story.run.id(), 0, 10).unwrap();
    let again = baton_store::Recorded {
        at: Timestamp(9),
        actor: Actor::Baton,
        event: events[1].event.clone(),
    };
    let write = RunWrite {
        run: story.run.id(),
        epoch: Epoch(0),
        expected_last_seq: None,
        records: &[again],
        state: &RunState::Completed,
        nodes: &[],
        artifacts: &[],
        evidence: &[],
        sessions: &[],
    };
    assert!(
        store.runs().append(&write).is_err(),
        "an attempt is reserved once"
    );
    assert_eq!(
        store.run_events().after(story.run.id(), 0, 10).unwrap(),
        events
    );
    check_against_history(&store, story.run.id());
}

/// Whoever executes the run next may be stored by itself or together with what it then does.
#[test]
fn a_run_has_ended_once_whoever_has_it_afterwards() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut story = Story::begin(&store, strands(1, 1));
    let (node, attempt, _) = story.run.live_attempts().next().unwrap();
    story
        .command(
            &Command::SessionStarted {
                node,
                attempt,
                checkpoint: None,
            },
            &[],
        )
        .unwrap();
    let outcome = Outcome::Failed {
        failure: Failure::ExitCode { code: 1 },
    };
    let ended = Command::SessionEnded {
        node,
        attempt,
        outcome,
        artifact: None,
        taken: None,
        doubt: None,
    };
    story.command(&ended, &[]).unwrap();
    let row = store.runs().get(story.run.id()).unwrap();
    assert!(
        matches!(row.state, RunState::Failed { .. }),
        "{:?}",
        row.state
    );

    let proposal = ProposalId(Uuid::now_v7());
    let begin = Command::BeginReplan { proposal };
    let end = Command::EndReplan {
        proposal,
        end: ReplanEnd::Rejected,
    };
    for next in [None, Some(begin), None, Some(end), None] {
        match &next {
            Some(command) => story.command(command, &[]).unwrap(),
            None => story.take_over(),
        }
        let after = store.runs().get(story.run.id()).unwrap();
        assert_eq!(after.ended_at, row.ended_at, "after {next:?}");
    }
    assert_eq!(store.runs().get(story.run.id()).unwrap().state, row.state);

    story
        .command(
            &Command::RetryNode {
                node,
                resume: false,
            },
            &[],
        )
        .unwrap();
    assert_eq!(
        store.runs().get(story.run.id()).unwrap().ended_at,
        None,
        "it goes on"
    );
    story.finish();
    assert!(
        store.runs().get(story.run.id()).unwrap().ended_at > row.ended_at,
        "and ends anew"
    );
}

#[test]
fn events_are_neither_changed_nor_deleted_by_any_program() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    Story::begin(&store, strands(1, 1));
    let raw = Connection::open(folder.path().join("baton.db")).unwrap();
    for sql in [
        "UPDATE run_events SET at = 0",
        "UPDATE run_events SET seq = seq + 1",
        "DELETE FROM run_events",
    ] {
        let error = raw.execute(sql, []).unwrap_err();
        assert!(error.to_string().contains("are never"), "{sql}: {error}");
    }
}

#[test]
fn a_reader_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut story = Story::begin(&store, strands(2, 2));
    story.finish();
    let whole = store
        .run_events()
        .after(story.run.id(), 0, u32::MAX)
        .unwrap();
    let mut read = Vec::new();
    loop {
        let next = store
            .run_events()
            .after(story.run.id(), read.len() as u64, 3)
            .unwrap();
        if next.is_empty() {
            break;
        }
        read.extend(next);
    }
    assert_eq!(read, whole);
}

#[test]
fn unfinished_runs_name_their_executor() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let story = Story::begin(&store, strands(1, 2));
    let executor = store.runs().get(story.run.id()).unwrap().executor;
    store.executors().beat(executor, Timestamp(77), 7).unwrap();
    drop(store);
    let store = open(folder.path()).unwrap();
    let unfinished = store.runs().unfinished().unwrap().rows.remove(0);
    assert_eq!(unfinished.run.goal, Goal::All);
    assert_eq!(unfinished.executor.unwrap().last_beat, Timestamp(77));
    store.executors().end(executor, Timestamp(78)).unwrap();
    assert!(store.executors().present().unwrap().rows.is_empty());
}

#[test]
fn a_request_waits_for_the_executor_of_its_run() {
    let folder = tempfile::tempdir().unwrap();
    let (store, shell) = (open(folder.path()).unwrap(), open(folder.path()).unwrap());
    let story = Story::begin(&store, strands(1, 2));
    let owner = store.runs().get(story.run.id()).unwrap().executor;
    let id = shell
        .requests()
        .add(
            story.run.id(),
            &Command::Cancel,
            &Actor::PERSON,
            Timestamp(5),
        )
        .unwrap();
    assert_eq!(shell.requests().outcome(id).unwrap(), None);
    assert!(
        store
            .requests()
            .pending_for(executor().id)
            .unwrap()
            .rows
            .is_empty(),
        "it is not for others"
    );
    let pending = store.requests().pending_for(owner).unwrap().rows;
    assert_eq!((pending[0].id, &pending[0].command), (id, &Command::Cancel));
    store
        .requests()
        .answer(id, &RequestOutcome::Granted, Timestamp(6))
        .unwrap();
    let second = RequestOutcome::Refused {
        message: "too late".to_owned(),
    };
    store.requests().answer(id, &second, Timestamp(7)).unwrap();
    assert_eq!(
        shell.requests().outcome(id).unwrap(),
        Some(RequestOutcome::Granted),
        "the first answer counts"
    );
    assert!(store.requests().pending_for(owner).unwrap().rows.is_empty());
}
