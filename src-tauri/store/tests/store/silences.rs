//! Executors that stop sending heartbeats, and may return.

use baton_model::Timestamp;

use crate::sample_run::{executor, open};

#[test]
fn silence_is_recorded_once_and_ends_with_a_heartbeat() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let quiet = executor();
    store.executors().register(&quiet).unwrap();
    store
        .executors()
        .record_heartbeat(quiet.id, Timestamp(1_000), 0)
        .unwrap();
    assert!(
        !store.silences().end(quiet.id, Timestamp(2_000)).unwrap(),
        "no silence was recorded"
    );

    assert!(store.silences().note(quiet.id, Timestamp(70_000)).unwrap());
    assert!(
        !store.silences().note(quiet.id, Timestamp(75_000)).unwrap(),
        "a second watcher records nothing new"
    );
    let [row] = &store.silences().list(10).unwrap()[..] else {
        panic!("one silence")
    };
    assert_eq!(
        (row.executor, row.since, row.noticed_at),
        (quiet.id, Timestamp(1_000), Timestamp(70_000))
    );
    assert_eq!(
        (row.pid, row.kind, row.back_at),
        (quiet.pid, quiet.kind, None)
    );

    assert!(store.silences().end(quiet.id, Timestamp(90_000)).unwrap());
    assert!(!store.silences().end(quiet.id, Timestamp(95_000)).unwrap());
    assert_eq!(
        store.silences().list(10).unwrap()[0].back_at,
        Some(Timestamp(90_000)),
        "the first record counts"
    );

    store
        .executors()
        .record_heartbeat(quiet.id, Timestamp(100_000), 0)
        .unwrap();
    assert!(
        store.silences().note(quiet.id, Timestamp(200_000)).unwrap(),
        "it may fall silent again"
    );
    let since: Vec<_> = store
        .silences()
        .list(10)
        .unwrap()
        .iter()
        .map(|row| row.since)
        .collect();
    assert_eq!(
        since,
        [Timestamp(100_000), Timestamp(1_000)],
        "the latest first"
    );
}

#[test]
fn ended_executors_are_not_silent_and_old_silences_are_pruned() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let (gone, quiet) = (executor(), executor());
    for row in [&gone, &quiet] {
        store.executors().register(row).unwrap();
    }
    store.executors().mark_ended(gone.id, Timestamp(5)).unwrap();
    assert!(!store.silences().note(gone.id, Timestamp(70_000)).unwrap());
    assert!(store.silences().note(quiet.id, Timestamp(70_000)).unwrap());
    let later = Timestamp(70_001 + 90 * 24 * 60 * 60 * 1000);
    store.silences().note(gone.id, later).unwrap();
    assert!(store.silences().list(10).unwrap().is_empty());
}
