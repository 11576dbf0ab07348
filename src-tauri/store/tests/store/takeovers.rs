//! Runs that change hands, and the numbers that are kept of it.

use baton_model::run::Command;
use baton_model::{Epoch, ExecutorId, Timestamp};
use baton_store::{ExecutorKind, Store, TakeoverCounts};

use crate::story::{Story, executor, open, strands};

/// Another process takes the run over, whoever has it.
fn take_over(store: &Store, story: &mut Story) -> ExecutorId {
    let heir = executor();
    store.executors().register(&heir).unwrap();
    let epoch = Epoch(story.run.epoch().0 + 1);
    story
        .command(
            &Command::TakeOver {
                executor: heir.id,
                epoch,
                record: None,
            },
            &[],
        )
        .unwrap();
    heir.id
}

#[test]
fn a_takeover_of_a_running_run_is_counted_with_what_it_found() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut story = Story::begin(&store, strands(2, 3));
    let first = store.runs().get(story.run.id()).unwrap().executor;
    story.go_on().unwrap();
    assert_eq!(store.takeovers().latest_of(story.run.id()).unwrap(), None);

    let heir = take_over(&store, &mut story);
    let row = store
        .takeovers()
        .latest_of(story.run.id())
        .unwrap()
        .expect("it changed hands");
    assert_eq!(
        (row.epoch, row.executor, row.previous),
        (Epoch(1), heir, first)
    );
    assert_eq!(
        (row.previous_pid, row.previous_kind),
        (Some(std::process::id()), Some(ExecutorKind::Cli))
    );
    assert_eq!(
        row.last_beat,
        Some(Timestamp(1)),
        "registration is the first beat"
    );
    assert_eq!(row.recovery_ms(), Some(row.at.ms_since(Timestamp(1))));
    let live = story.run.live_attempts().count();
    let done = story
        .run
        .nodes()
        .filter(|(_, node)| node.state.has_ended())
        .count();
    assert_eq!(
        (row.done_nodes as usize, row.live_sessions as usize),
        (done, live),
        "what was inherited"
    );
    assert_eq!(
        (row.lost_sessions, row.previous_ended, row.displaced_at),
        (0, false, None)
    );

    store
        .takeovers()
        .note_displaced(story.run.id(), first, Timestamp(9000))
        .unwrap();
    store
        .takeovers()
        .note_displaced(story.run.id(), first, Timestamp(9999))
        .unwrap();
    let row = store
        .takeovers()
        .latest_of(story.run.id())
        .unwrap()
        .expect("it changed hands");
    assert_eq!(
        row.displaced_at,
        Some(Timestamp(9000)),
        "the first time counts"
    );
    take_over(&store, &mut story);
    let counts = store.takeovers().counts().unwrap();
    assert_eq!(
        (
            counts.takeovers,
            counts.displacements,
            counts.inherited_whole
        ),
        (2, 1, 2)
    );
    assert!(counts.mean_recovery_ms.is_some());
    let epochs: Vec<_> = store
        .takeovers()
        .list(10)
        .unwrap()
        .iter()
        .map(|row| row.epoch)
        .collect();
    assert_eq!(epochs, [Epoch(2), Epoch(1)], "the newest first");
}

#[test]
fn a_run_at_rest_that_is_taken_up_is_no_takeover() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut story = Story::begin(&store, strands(1, 1));
    story.finish();
    take_over(&store, &mut story);
    assert_eq!(
        store.takeovers().counts().unwrap(),
        TakeoverCounts::default()
    );
}

#[test]
fn running_runs_name_their_executors_and_the_departed_are_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let story = Story::begin(&store, strands(1, 2));
    let attended = store.executors().attending().unwrap().rows;
    let [only] = attended.as_slice() else {
        panic!("one run is running: {attended:?}")
    };
    assert_eq!(
        (only.run, only.row.as_ref().map(|row| row.id)),
        (story.run.id(), Some(only.executor))
    );

    let idle = executor();
    store.executors().register(&idle).unwrap();
    store.executors().end(idle.id, Timestamp(5)).unwrap();
    store.executors().end(only.executor, Timestamp(5)).unwrap();
    let mut later = executor();
    later.started_at = Timestamp(6 + 24 * 60 * 60 * 1000);
    store.executors().register(&later).unwrap();
    assert!(
        store.executors().get(idle.id).is_err(),
        "nobody asks for it any more"
    );
    assert!(
        store.executors().get(only.executor).is_ok(),
        "a run names it"
    );
}
