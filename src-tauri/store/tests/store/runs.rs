//! Runs: the history, the data derived from it, and which executor may write.

use std::collections::BTreeMap;

use baton_model::outcome::Failure;
use baton_model::run::{Command, Goal, ReplanEnd};
use baton_model::{Epoch, NodeId, Outcome, ProposalId, RunId, RunState, Timestamp};
use baton_store::{Actor, NodeStateRow, RequestOutcome, RunWrite, Store, StoreError};
use rusqlite::Connection;
use uuid::Uuid;

use crate::sample_run::{SampleRun, executor, layered_plan, open};

/// Checks that the cached data matches the history.
pub fn check_against_history(store: &Store, run: RunId) {
    let (replayed, last) = store.runs().replay(run).unwrap();
    let events = store.run_events().list_after(run, 0, u32::MAX).unwrap();
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
        let reported = (
            node.id,
            &replayed.state,
            replayed.attempt,
            replayed.session,
            replayed.own_failures,
            &replayed.marks(),
        );
        assert_eq!(kept, reported);
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
        "rebuilt, with the same handoffs"
    );
}

#[test]
fn cache_equals_replay_at_every_event() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut sample = SampleRun::begin(&store, layered_plan(3, 2));
    check_against_history(&store, sample.run.id());
    while sample.step().unwrap() {
        check_against_history(&store, sample.run.id());
    }
    let row = store.runs().get(sample.run.id()).unwrap();
    assert_eq!(row.state, RunState::Completed);
    assert!(row.ended_at.is_some());
    assert!(store.runs().unfinished().unwrap().rows.is_empty());
}

#[test]
fn cache_equals_replay_for_random_commands() {
    let folder = tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .unwrap();
    let store = open(folder.path()).unwrap();
    let mut sample = SampleRun::begin(&store, layered_plan(4, 3));
    let mut granted = 0;
    let mut poller = ProgressPoller::default();
    // A reproducible random walk: the numbers come from a linear congruential generator.
    let mut chance: u64 = 7;
    for turn in 0..600 {
        chance = chance
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let drawn = usize::try_from(chance >> 33).unwrap();
        let node = sample.run.plan().nodes[drawn % 12].id;
        let live = sample
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
                sample.step().unwrap();
                poller.poll_if(turn % 3 == 0, &store, sample.run.id());
                continue;
            }
        };
        granted += usize::from(sample.command_if_legal(&command, &[]).unwrap());
        poller.poll_if(turn % 3 == 0, &store, sample.run.id());
        if turn % 20 == 0 {
            check_against_history(&store, sample.run.id());
        }
    }
    check_against_history(&store, sample.run.id());
    assert!(
        granted > 100,
        "only {granted} commands were accepted, so the test covers little"
    );
    assert!(
        poller.reported < poller.nodes.len() * 150,
        "{} of {}",
        poller.reported,
        poller.nodes.len() * 200
    );
}

/// A client that knows a run from earlier polls and asks only for what changed since.
#[derive(Default)]
struct ProgressPoller {
    nodes: BTreeMap<NodeId, NodeStateRow>,
    seq: u64,
    reported: usize,
}

impl ProgressPoller {
    /// Polls the run if `now`, and checks that the accumulated changes match the full state.
    fn poll_if(&mut self, now: bool, store: &Store, run: RunId) {
        if !now {
            return;
        }
        let last = store.runs().get(run).unwrap().last_seq;
        let moved = store.node_states().changed_since(run, self.seq).unwrap();
        self.reported += moved.len();
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
fn late_session_report_marks_its_node_changed() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut sample = SampleRun::begin(&store, layered_plan(1, 2));
    sample.finish();
    let (run, node) = (sample.run.id(), sample.run.plan().nodes[0].id);
    let last = store.runs().get(run).unwrap().last_seq;
    assert!(
        store
            .node_states()
            .changed_since(run, last)
            .unwrap()
            .is_empty(),
        "nothing has changed since"
    );

    let session = sample.run.node(node).unwrap().session.unwrap();
    let used = serde_json::json!({"input": 5});
    store.sessions().record_usage(session, &used).unwrap();
    let reported = store.node_states().changed_since(run, last).unwrap();
    assert_eq!(
        reported.iter().map(|row| row.node).collect::<Vec<_>>(),
        [node],
        "although no event followed"
    );
    assert_eq!(
        store.sessions().usage_changed_since(run, last).unwrap(),
        [(node, used)]
    );
    store.runs().rebuild_node_states(run).unwrap();
    assert_eq!(
        store.node_states().changed_since(run, last).unwrap().len(),
        2,
        "rebuilt nodes count as changed"
    );
}

#[test]
fn measured_time_is_the_same_for_attempt_session_and_node() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut sample = SampleRun::begin(&store, layered_plan(1, 2));
    sample.finish();
    let (run, node) = (sample.run.id(), sample.run.plan().nodes[0].id);
    let before = store.attempts().list(run, node).unwrap().remove(0);
    let span = before.started_at.zip(before.ended_at);
    let span = span.map(|(start, end)| end.ms_since(start));
    assert_eq!(before.times.worked_ms, span, "nothing was measured");

    let last = store.runs().get(run).unwrap().last_seq;
    store.sessions().set_worked_ms(before.session, 46).unwrap();
    let attempt = store.attempts().list(run, node).unwrap().remove(0);
    assert_eq!(attempt.times.worked_ms, Some(46));
    let session = store.sessions().get(attempt.session).unwrap();
    assert_eq!(session.times, attempt.times);
    let changed = store.attempts().times_changed_since(run, last).unwrap();
    assert_eq!(changed, [(node, attempt.times)].into(), "only this node");
    let all = store.attempts().times_changed_since(run, 0).unwrap();
    assert_eq!(all.len(), 2);
    let worked = store.attempts().worked_ms(run, &[(node, attempt.attempt)]);
    assert_eq!(worked.unwrap(), [((node, attempt.attempt), 46)].into());
}

#[test]
fn attempts_sessions_and_handoffs_follow_from_the_events() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut sample = SampleRun::begin(&store, layered_plan(1, 2));
    sample.finish();
    let (run, node) = (sample.run.id(), sample.run.plan().nodes[0].id);
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

    sample.command(&Command::RerunFrom { node }, &[]).unwrap();
    assert_eq!(
        store.runs().get(run).unwrap().ended_at,
        None,
        "it was resumed"
    );
    let attempts = store.attempts().list(run, node).unwrap();
    assert_eq!(attempts.len(), 2, "the earlier attempt is kept");
    sample.finish();
    check_against_history(&store, run);
    assert_eq!(store.artifacts().list_for_run(run).unwrap().rows.len(), 3);
    let latest = store.artifacts().latest_for_run(run).unwrap().rows;
    assert_eq!(
        latest
            .iter()
            .map(|artifact| artifact.attempt.0)
            .collect::<Vec<_>>(),
        [2, 1]
    );
}

/// The content of a stored handoff.
fn handoff(text: &str, author: &str, output: &str) -> String {
    format!(r#"{{"text":"{text}","author":"{author}","outputs":{{"key":"{output}"}},"files":[]}}"#)
}

#[test]
fn handoffs_differ_by_text_and_outputs() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let plan = layered_plan(1, 6);
    let nodes: Vec<_> = plan.nodes.iter().map(|node| node.id).collect();
    let mut first = SampleRun::begin(&store, plan.clone());
    first.finish();
    let executor = executor();
    store.executors().register(&executor).unwrap();
    let mut second = SampleRun::begin_stored(&store, plan, executor.id);
    second.finish();
    let runs = [first.run.id(), second.run.id()];
    let rows = rusqlite::Connection::open(folder.path().join("baton.db")).unwrap();
    let contents = [
        (
            "the same",
            [handoff("a", "agent", "1"), handoff("a", "agent", "1")],
        ),
        (
            "another text",
            [handoff("a", "agent", "1"), handoff("b", "agent", "1")],
        ),
        (
            "another output",
            [handoff("a", "agent", "1"), handoff("a", "agent", "2")],
        ),
        (
            "another author",
            [handoff("a", "agent", "1"), handoff("a", "person", "1")],
        ),
        (
            "another time",
            ["1.2 s", "40 ms"]
                .map(|time| handoff(&format!("`make` ended after {time}."), "facts", "1")),
        ),
        ("damaged", [handoff("a", "agent", "1"), "{".to_owned()]),
    ];
    for (node, (_, contents)) in nodes.iter().zip(&contents) {
        for (run, content) in runs.iter().zip(contents) {
            let update = "UPDATE artifacts SET content = ?3 WHERE run = ?1 AND node = ?2";
            let changed = rows.execute(update, rusqlite::params![run.0, node.0, content]);
            assert_eq!(changed.unwrap(), 1);
        }
    }
    let different = store
        .artifacts()
        .nodes_that_differ(runs[0], runs[1])
        .unwrap();
    let names: Vec<_> = nodes
        .iter()
        .zip(contents)
        .filter(|(node, _)| different.contains(node))
        .map(|(_, (name, _))| name)
        .collect();
    assert_eq!(names, ["another text", "another output", "damaged"]);
    let same = store.artifacts().nodes_that_differ(runs[0], runs[0]);
    assert_eq!(same.unwrap(), []);
}

#[test]
fn withdrawn_attempt_number_is_reused() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut sample = SampleRun::begin(&store, layered_plan(1, 1));
    let (node, attempt, session) = sample.run.live_attempts().next().unwrap();
    sample
        .command(
            &Command::Pause {
                stop_running: false,
            },
            &[],
        )
        .unwrap();
    sample
        .command(&Command::SessionWithdrawn { node, attempt }, &[])
        .unwrap();
    assert!(
        store
            .attempts()
            .list(sample.run.id(), node)
            .unwrap()
            .is_empty()
    );
    assert!(matches!(
        store.sessions().get(session),
        Err(StoreError::NotFound { .. })
    ));
    sample.command(&Command::Resume, &[]).unwrap();
    sample.finish();
    assert_eq!(
        store.attempts().list(sample.run.id(), node).unwrap().len(),
        1
    );
    check_against_history(&store, sample.run.id());
}

#[test]
fn usage_and_native_ids_are_stored() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let sample = SampleRun::begin(&store, layered_plan(1, 1));
    let (node, _, session) = sample.run.live_attempts().next().unwrap();
    store.sessions().set_native_id(session, "abc").unwrap();
    store
        .sessions()
        .record_usage(session, &serde_json::json!({"tokens": 7}))
        .unwrap();
    assert_eq!(
        store.sessions().get(session).unwrap().native_id.as_deref(),
        Some("abc")
    );
    assert_eq!(
        store.attempts().list(sample.run.id(), node).unwrap()[0].usage,
        Some(serde_json::json!({"tokens": 7}))
    );
}

#[test]
fn displaced_writer_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut old = SampleRun::begin(&store, layered_plan(1, 3));
    old.step().unwrap();

    let other = open(folder.path()).unwrap();
    let successor = executor();
    other.executors().register(&successor).unwrap();
    let (mut run, mut seq) = other.runs().replay(old.run.id()).unwrap();
    std::mem::swap(&mut run, &mut old.run);
    std::mem::swap(&mut seq, &mut old.seq);
    old.command(
        &Command::TakeOver {
            executor: successor.id,
            epoch: Epoch(1),
            record: None,
        },
        &[],
    )
    .unwrap();
    let row = store.runs().get(old.run.id()).unwrap();
    assert_eq!((row.epoch, row.executor), (Epoch(1), successor.id));

    // The previous executor continues with its outdated run.
    std::mem::swap(&mut run, &mut old.run);
    std::mem::swap(&mut seq, &mut old.seq);
    let before = store
        .run_events()
        .list_after(run.id(), 0, u32::MAX)
        .unwrap();
    old.epoch = Epoch(0);
    let error = old.step().unwrap_err();
    assert!(
        matches!(
            error,
            StoreError::StaleEpoch {
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
                executor: successor.id,
                epoch: Epoch(1),
                record: None,
            },
            &[],
        )
        .unwrap_err();
    assert!(
        matches!(error, StoreError::StaleEpoch { .. }),
        "only one executor may take over from the same epoch: {error:?}"
    );
    assert_eq!(
        store
            .run_events()
            .list_after(run.id(), 0, u32::MAX)
            .unwrap(),
        before,
        "none of it was stored"
    );
    check_against_history(&store, run.id());
}

#[test]
fn writer_with_stale_seq_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut sample = SampleRun::begin(&store, layered_plan(1, 3));
    sample.seq -= 1;
    let error = sample.step().unwrap_err();
    assert!(
        matches!(error, StoreError::StaleHistory { .. }),
        "{error:?}"
    );
}

#[test]
fn failed_write_is_rolled_back() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let sample = SampleRun::begin(&store, layered_plan(1, 2));
    let events = store
        .run_events()
        .list_after(sample.run.id(), 0, 10)
        .unwrap();
    let again = baton_store::RecordedEvent {
        at: Timestamp(9),
        actor: Actor::Baton,
        event: events[1].event.clone(),
    };
    let write = RunWrite {
        run: sample.run.id(),
        epoch: Epoch(0),
        expected_last_seq: None,
        records: &[again],
        state: &RunState::Completed,
        nodes: &[],
        artifacts: &[],
        evidence: &[],
        sessions: &[],
        worked: &[],
    };
    assert!(
        store.runs().append(&write).is_err(),
        "an attempt is reserved once"
    );
    assert_eq!(
        store
            .run_events()
            .list_after(sample.run.id(), 0, 10)
            .unwrap(),
        events
    );
    check_against_history(&store, sample.run.id());
}

/// A takeover may be stored on its own or together with the events that follow it.
#[test]
fn takeover_of_an_ended_run_keeps_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut sample = SampleRun::begin(&store, layered_plan(1, 1));
    let (node, attempt, _) = sample.run.live_attempts().next().unwrap();
    sample
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
    sample.command(&ended, &[]).unwrap();
    let row = store.runs().get(sample.run.id()).unwrap();
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
            Some(command) => sample.command(command, &[]).unwrap(),
            None => sample.take_over(),
        }
        let after = store.runs().get(sample.run.id()).unwrap();
        assert_eq!(after.ended_at, row.ended_at, "after {next:?}");
    }
    assert_eq!(store.runs().get(sample.run.id()).unwrap().state, row.state);

    sample
        .command(
            &Command::RetryNode {
                node,
                resume: false,
            },
            &[],
        )
        .unwrap();
    assert_eq!(
        store.runs().get(sample.run.id()).unwrap().ended_at,
        None,
        "it resumes"
    );
    sample.finish();
    assert!(
        store.runs().get(sample.run.id()).unwrap().ended_at > row.ended_at,
        "and ends again"
    );
}

#[test]
fn events_are_neither_changed_nor_deleted_by_any_program() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    SampleRun::begin(&store, layered_plan(1, 1));
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
fn reader_resumes_after_last_seq() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut sample = SampleRun::begin(&store, layered_plan(2, 2));
    sample.finish();
    let whole = store
        .run_events()
        .list_after(sample.run.id(), 0, u32::MAX)
        .unwrap();
    let mut read = Vec::new();
    loop {
        let next = store
            .run_events()
            .list_after(sample.run.id(), read.len() as u64, 3)
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
    let sample = SampleRun::begin(&store, layered_plan(1, 2));
    let executor = store.runs().get(sample.run.id()).unwrap().executor;
    store
        .executors()
        .record_heartbeat(executor, Timestamp(77), 7)
        .unwrap();
    drop(store);
    let store = open(folder.path()).unwrap();
    let unfinished = store.runs().unfinished().unwrap().rows.remove(0);
    assert_eq!(unfinished.run.goal, Goal::All);
    assert_eq!(unfinished.executor.unwrap().last_beat, Timestamp(77));
    store
        .executors()
        .mark_ended(executor, Timestamp(78))
        .unwrap();
    assert!(store.executors().list_active().unwrap().rows.is_empty());
}

#[test]
fn a_request_waits_for_the_executor_of_its_run() {
    let folder = tempfile::tempdir().unwrap();
    let (store, shell) = (open(folder.path()).unwrap(), open(folder.path()).unwrap());
    let sample = SampleRun::begin(&store, layered_plan(1, 2));
    let owner = store.runs().get(sample.run.id()).unwrap().executor;
    let id = shell
        .requests()
        .add(
            sample.run.id(),
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
