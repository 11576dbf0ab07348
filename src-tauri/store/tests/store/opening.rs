//! Opening existing files: which ones are refused, and that those stay unchanged.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use baton_model::Timestamp;
use baton_store::{Actor, NEWEST_FORMAT, Store, StoreError};
use rusqlite::Connection;

use crate::mounted_fs::run_inside;
use crate::sample_run::{SampleRun, layered_plan, open};

/// All files in a folder with their content.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries
        .map(|entry| {
            (
                entry.file_name().into_string().unwrap(),
                fs::read(entry.path()).unwrap(),
            )
        })
        .collect()
}

/// A folder with a database that contains a plan and a finished run.
fn finished_run() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    SampleRun::begin(&store, layered_plan(3, 20)).finish();
    folder
}

fn refusal(folder: &Path) -> StoreError {
    open(folder).err().expect("this file must be refused")
}

#[test]
fn data_survives_reopening() {
    let folder = finished_run();
    let store = open(folder.path()).unwrap();
    let plans = store.plans().list().unwrap();
    let run = plans.rows[0].last_run.as_ref().unwrap();
    assert_eq!((run.settled, run.total), (60, 60));
    assert!(run.state.has_ended());
}

#[test]
fn last_close_checkpoints_the_wal() {
    let folder = finished_run();
    let names: Vec<_> = contents(folder.path()).into_keys().collect();
    assert_eq!(
        names,
        ["baton.changes", "baton.db"],
        "no -wal or -shm file remains to be recovered"
    );
}

#[test]
fn newer_database_is_refused_unchanged() {
    let folder = finished_run();
    let path = folder.path().join("baton.db");
    Connection::open(&path)
        .unwrap()
        .pragma_update(None, "user_version", NEWEST_FORMAT + 41)
        .unwrap();
    let before = contents(folder.path());
    let error = refusal(folder.path());
    assert!(
        matches!(error, StoreError::NewerDatabase { found, known, .. } if found == NEWEST_FORMAT + 41 && known == NEWEST_FORMAT),
        "{error:?}"
    );
    assert!(
        contents(folder.path()) == before,
        "the file must not change, and no other may appear"
    );
}

#[test]
fn newer_database_with_its_version_in_the_wal_is_refused() {
    let folder = finished_run();
    let path = folder.path().join("baton.db");
    let newer = Connection::open(&path).unwrap();
    newer.pragma_update(None, "journal_mode", "WAL").unwrap();
    newer
        .pragma_update(None, "user_version", NEWEST_FORMAT + 1)
        .unwrap();
    let before = contents(folder.path());
    assert!(
        before.contains_key("baton.db-wal"),
        "the newer program still runs"
    );
    assert!(matches!(
        refusal(folder.path()),
        StoreError::NewerDatabase { .. }
    ));
    for name in ["baton.db", "baton.db-wal"] {
        assert!(
            contents(folder.path())[name] == before[name],
            "{name} was touched"
        );
    }
}

#[test]
fn truncated_file_is_refused_unchanged() {
    let folder = finished_run();
    let path = folder.path().join("baton.db");
    let whole = fs::read(&path).unwrap();
    for length in [whole.len() - 1, whole.len() / 2, 4096, 101, 99, 17, 3] {
        fs::write(&path, &whole[..length]).unwrap();
        let before = contents(folder.path());
        let error = refusal(folder.path());
        assert!(
            matches!(error, StoreError::Truncated { found, expected, .. } if found == length as u64 && found < expected),
            "{length} bytes: {error:?}"
        );
        assert!(
            contents(folder.path()) == before,
            "{length} bytes: something was touched"
        );
    }
}

#[test]
fn foreign_file_is_refused_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("baton.db");
    let of_another_program = || {
        let connection = Connection::open(&path).unwrap();
        connection.execute_batch("CREATE TABLE theirs (x)").unwrap();
    };
    let text = || fs::write(&path, "Dear diary, ".repeat(50)).unwrap();
    for write in [&of_another_program as &dyn Fn(), &text] {
        write();
        let before = contents(folder.path());
        let error = refusal(folder.path());
        assert!(
            matches!(error, StoreError::NotADatabase { .. }),
            "{error:?}"
        );
        assert!(contents(folder.path()) == before);
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn damage_within_the_file_is_reported() {
    let folder = finished_run();
    let path = folder.path().join("baton.db");
    let mut bytes = fs::read(&path).unwrap();
    let length = bytes.len();
    bytes[4096..length].fill(0xAA);
    fs::write(&path, bytes).unwrap();
    let error = match open(folder.path()) {
        Ok(store) => store
            .plans()
            .list()
            .expect_err("every page but the first is damaged"),
        Err(error) => error,
    };
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}");
}

#[test]
fn an_empty_file_becomes_a_database() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("baton.db"), "").unwrap();
    assert!(
        open(folder.path())
            .unwrap()
            .plans()
            .list()
            .unwrap()
            .rows
            .is_empty()
    );
}

#[test]
fn interrupted_creation_is_completed() {
    let folder = tempfile::tempdir().unwrap();
    let begun = Connection::open(folder.path().join("baton.db")).unwrap();
    begun.pragma_update(None, "journal_mode", "WAL").unwrap();
    drop(begun);
    assert_ne!(
        fs::metadata(folder.path().join("baton.db")).unwrap().len(),
        0,
        "it has a header already"
    );
    assert!(
        open(folder.path())
            .unwrap()
            .plans()
            .list()
            .unwrap()
            .rows
            .is_empty()
    );
}

#[test]
fn concurrent_opens_of_a_new_folder_succeed() {
    for _ in 0..10 {
        let folder = tempfile::tempdir().unwrap();
        let openers: Vec<_> = (0..6)
            .map(|_| {
                let folder = folder.path().to_path_buf();
                std::thread::spawn(move || {
                    Store::open(&folder).map(|store| store.plans().list().unwrap().rows.len())
                })
            })
            .collect();
        for opener in openers {
            assert_eq!(
                opener
                    .join()
                    .unwrap()
                    .expect("one makes it, the others wait"),
                0
            );
        }
    }
}

#[test]
fn missing_folder_is_created() {
    let folder = tempfile::tempdir().unwrap();
    let deep = folder.path().join("a/b");
    drop(open(&deep).unwrap());
    assert!(deep.join("baton.db").exists());
}

#[test]
fn file_in_place_of_the_folder_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let error = refusal(&file);
    assert!(
        error.to_string().contains(file.to_str().unwrap()),
        "{error}"
    );
}

/// A released migration is never edited. If this snapshot changes, add a new migration.
#[test]
fn format_7() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path()).unwrap());
    let connection = Connection::open(folder.path().join("baton.db")).unwrap();
    let mut parts = connection
        .prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name")
        .unwrap();
    let parts: Vec<String> = parts
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(|sql| sql.unwrap())
        .collect();
    insta::assert_snapshot!(parts.join(";\n\n"));
}

#[test]
fn read_only_folder_is_reported() {
    run_inside(
        "tmpfs",
        "size=8m",
        "opening::read_only_folder_is_reported",
        |folder, shell| {
            drop(open(folder).unwrap());
            shell("mount -o remount,ro .");
            let error = refusal(folder);
            assert!(matches!(error, StoreError::ReadOnly { .. }), "{error:?}");
            let message = error.to_string();
            assert!(
                message.contains("read-only")
                    && error
                        .fix()
                        .is_some_and(|fix| fix.starts_with("make both writable")),
                "{message}"
            );
        },
    );
}

#[test]
fn read_only_file_is_reported() {
    run_inside(
        "tmpfs",
        "size=8m",
        "opening::read_only_file_is_reported",
        |folder, shell| {
            drop(open(folder).unwrap());
            shell("mount --bind baton.db baton.db && mount -o remount,bind,ro baton.db");
            let error = refusal(folder);
            assert!(
                matches!(&error, StoreError::ReadOnly { path } if path.ends_with("baton.db")),
                "{error:?}"
            );
        },
    );
}

#[test]
fn full_disk_is_reported_and_loses_nothing() {
    run_inside(
        "tmpfs",
        "size=2m",
        "opening::full_disk_is_reported_and_loses_nothing",
        |folder, _| {
            let store = open(folder).unwrap();
            let plan = layered_plan(1, 3);
            store
                .plans()
                .create(&plan, &Actor::PERSON, Timestamp(1))
                .unwrap();
            let ballast = folder.join("ballast");
            // Fills the disk, so the last write fails.
            let _full = fs::write(&ballast, vec![0; 4 << 20]);
            let error = fill(&store);
            assert!(matches!(error, StoreError::Full { .. }), "{error:?}");
            assert_eq!(
                store.plans().list().unwrap().rows.len(),
                stored(&store),
                "a failed write stores nothing"
            );

            drop(store);
            match open(folder) {
                Ok(store) => assert!(matches!(fill(&store), StoreError::Full { .. })),
                Err(error) => assert!(
                    matches!(error, StoreError::Full { .. }),
                    "opening on a full disk: {error:?}"
                ),
            }

            fs::remove_file(&ballast).unwrap();
            let store = open(folder).unwrap();
            store
                .plans()
                .create(&layered_plan(1, 3), &Actor::PERSON, Timestamp(2))
                .expect("there is room again");
            drop(store);
            assert_eq!(
                fs::read_dir(folder).unwrap().count(),
                2,
                "the WAL was checkpointed"
            );
            let store = open(folder).unwrap();
            assert_eq!(store.plans().current(plan.id).unwrap().1, plan);
        },
    );
}

fn fill(store: &Store) -> StoreError {
    for _ in 0..1000 {
        let mut plan = layered_plan(1, 3);
        plan.description = "x".repeat(20_000);
        if let Err(error) = store.plans().create(&plan, &Actor::PERSON, Timestamp(1)) {
            return error;
        }
    }
    panic!("the disk holds 2 MB");
}

/// The number of plans whose content can be read.
fn stored(store: &Store) -> usize {
    let plans = store.plans().list().unwrap().rows;
    plans
        .iter()
        .filter(|row| store.plans().current(row.record.plan).is_ok())
        .count()
}
