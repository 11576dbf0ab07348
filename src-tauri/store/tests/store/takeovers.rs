//! Runs that are taken over, and the statistics about that.

use baton_model::run::Command;
use baton_model::{Epoch, ExecutorId, Timestamp};
use baton_store::{ExecutorKind, Store, TakeoverCounts};

use crate::sample_run::{SampleRun, executor, layered_plan, open};

/// Another process takes over the run from its current executor.
fn take_over(store: &Store, sample: &mut SampleRun) -> ExecutorId {
    let successor = executor();
    store.executors().register(&successor).unwrap();
    let epoch = Epoch(sample.run.epoch().0 + 1);
    sample
        .command(
            &Command::TakeOver {
                executor: successor.id,
                epoch,
                record: None,
            },
            &[],
        )
        .unwrap();
    successor.id
}

#[test]
fn takeover_of_a_running_run_is_counted_with_its_state() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut sample = SampleRun::begin(&store, layered_plan(2, 3));
    let first = store.runs().get(sample.run.id()).unwrap().executor;
    sample.step().unwrap();
    assert_eq!(
        store.takeovers().latest_for_run(sample.run.id()).unwrap(),
        None
    );

    let successor = take_over(&store, &mut sample);
    let row = store
        .takeovers()
        .latest_for_run(sample.run.id())
        .unwrap()
        .expect("a takeover was recorded");
    assert_eq!(
        (row.epoch, row.executor, row.previous),
        (Epoch(1), successor, first)
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
    let live = sample.run.live_attempts().count();
    let done = sample
        .run
        .nodes()
        .filter(|(_, node)| node.state.has_ended())
        .count();
    assert_eq!(
        (row.done_nodes as usize, row.live_sessions as usize),
        (done, live),
        "the inherited work"
    );
    assert_eq!(
        (row.lost_sessions, row.previous_ended, row.displaced_at),
        (0, false, None)
    );

    store
        .takeovers()
        .record_displaced(sample.run.id(), first, Timestamp(9000))
        .unwrap();
    store
        .takeovers()
        .record_displaced(sample.run.id(), first, Timestamp(9999))
        .unwrap();
    let row = store
        .takeovers()
        .latest_for_run(sample.run.id())
        .unwrap()
        .expect("a takeover was recorded");
    assert_eq!(
        row.displaced_at,
        Some(Timestamp(9000)),
        "the first record counts"
    );
    take_over(&store, &mut sample);
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
fn resuming_an_idle_run_is_not_a_takeover() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut sample = SampleRun::begin(&store, layered_plan(1, 1));
    sample.finish();
    take_over(&store, &mut sample);
    assert_eq!(
        store.takeovers().counts().unwrap(),
        TakeoverCounts::default()
    );
}

#[test]
fn active_runs_name_their_executors_and_ended_ones_are_pruned() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let sample = SampleRun::begin(&store, layered_plan(1, 2));
    let attended = store.executors().active_runs().unwrap().rows;
    let [only] = attended.as_slice() else {
        panic!("one run is running: {attended:?}")
    };
    assert_eq!(
        (only.run, only.row.as_ref().map(|row| row.id)),
        (sample.run.id(), Some(only.executor))
    );

    let idle = executor();
    store.executors().register(&idle).unwrap();
    store.executors().mark_ended(idle.id, Timestamp(5)).unwrap();
    store
        .executors()
        .mark_ended(only.executor, Timestamp(5))
        .unwrap();
    let mut later = executor();
    later.started_at = Timestamp(6 + 24 * 60 * 60 * 1000);
    store.executors().register(&later).unwrap();
    assert!(
        store.executors().get(idle.id).is_err(),
        "nothing refers to it any more"
    );
    assert!(
        store.executors().get(only.executor).is_ok(),
        "a run names it"
    );
}
