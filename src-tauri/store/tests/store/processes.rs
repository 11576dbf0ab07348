//! Several processes on one file: locking, change notifications, and crashes.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use baton_model::Timestamp;
use baton_store::{Actor, Change, StoreError};
use rusqlite::{Connection, TransactionBehavior};

use crate::runs::check_against_history;
use crate::sample_run::{SampleRun, layered_plan, open};

const ROLE: &str = "BATON_STORE_TEST_ROLE";
const FOLDER: &str = "BATON_STORE_TEST_FOLDER";
const DEADLINE: Duration = Duration::from_secs(20);

/// Starts this test binary again, in `role`, on the store in `folder`.
fn start(role: &str, folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "processes::child_process_entry", "--nocapture"])
        .env(ROLE, role)
        .env(FOLDER, folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits until the other process prints `word`.
fn wait_for(child: &mut Child, word: &str) {
    let lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
    assert!(
        lines.map_while(Result::ok).any(|line| line.contains(word)),
        "the other process ended before '{word}'"
    );
}

/// Not a test by itself: it is the second process of the tests below. Does nothing without a role.
#[test]
fn child_process_entry() {
    let (Ok(role), Some(folder)) = (std::env::var(ROLE), std::env::var_os(FOLDER)) else {
        return;
    };
    let folder = Path::new(&folder);
    match role.as_str() {
        "lives through runs" => {
            let store = open(folder).unwrap();
            println!("ready");
            loop {
                SampleRun::begin(&store, layered_plan(5, 10)).finish();
            }
        }
        "holds the lock" => {
            let mut connection = Connection::open(folder.join("baton.db")).unwrap();
            let _tx = connection
                .transaction_with_behavior(TransactionBehavior::Exclusive)
                .unwrap();
            println!("ready");
            std::io::stdin().read_line(&mut String::new()).unwrap();
        }
        "makes a plan" => {
            let store = open(folder).unwrap();
            println!("ready");
            std::io::stdin().read_line(&mut String::new()).unwrap();
            store
                .plans()
                .create(&layered_plan(1, 1), &Actor::PERSON, Timestamp(1))
                .unwrap();
        }
        other => panic!("no role {other}"),
    }
}

fn next(changes: &Receiver<Change>) -> Change {
    changes
        .recv_timeout(DEADLINE)
        .expect("the change was reported")
}

#[test]
fn busy_database_is_named_after_the_timeout() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut other = start("holds the lock", folder.path());
    wait_for(&mut other, "ready");
    let begin = Instant::now();
    let error = store
        .plans()
        .create(&layered_plan(1, 1), &Actor::PERSON, Timestamp(1))
        .unwrap_err();
    assert!(matches!(error, StoreError::Locked { .. }), "{error:?}");
    assert!(
        begin.elapsed() >= Duration::from_millis(200),
        "it waited for the busy timeout"
    );
    assert!(
        store.plans().list().unwrap().rows.is_empty(),
        "reads still work meanwhile"
    );
    drop(other.stdin.take());
    other.wait().unwrap();
    store
        .plans()
        .create(&layered_plan(1, 1), &Actor::PERSON, Timestamp(1))
        .expect("the lock is free again");
}

#[test]
fn own_change_is_notified_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let changes = store.subscribe();
    let mut sample = SampleRun::begin(&store, layered_plan(1, 1));
    let plan = sample.run.plan().id;
    let revision = Some(1);
    assert_eq!(next(&changes), Change::PlanChanged { plan, revision });
    let run = sample.run.id();
    assert_eq!(
        next(&changes),
        Change::RunChanged {
            run,
            plan,
            seq: 2,
            nodes: vec![],
            whole: true
        }
    );
    sample.step().unwrap();
    let nodes = vec![sample.run.plan().nodes[0].id];
    let started = Change::RunChanged {
        run,
        plan,
        seq: 3,
        nodes: nodes.clone(),
        whole: false,
    };
    assert_eq!(next(&changes), started, "only the node changed");
    sample.step().unwrap();
    let ended = Change::RunChanged {
        run,
        plan,
        seq: 5,
        nodes,
        whole: true,
    };
    assert_eq!(next(&changes), ended, "the run ended with its only node");
    store.settings().set("theme", &"dark").unwrap();
    assert_eq!(next(&changes), Change::SettingsChanged);
    assert_eq!(
        store.settings().get::<String>("theme").unwrap().as_deref(),
        Some("dark")
    );
    // This process's own notification arrives too. Anything it causes arrives before the other
    // process's change.
    let other = open(folder.path()).unwrap();
    other.settings().set("theme", &"light").unwrap();
    assert_eq!(next(&changes), Change::SettingsChanged);
    other.announce(Change::AppStateKept).unwrap();
    assert_eq!(next(&changes), Change::AppStateKept);
    assert_eq!(
        changes.recv_timeout(Duration::from_millis(50)),
        Err(RecvTimeoutError::Timeout),
        "no change arrived twice"
    );
}

#[test]
fn change_by_another_process_is_notified() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let changes = store.subscribe();
    let mut other = start("makes a plan", folder.path());
    wait_for(&mut other, "ready");
    drop(other.stdin.take());
    let Change::PlanChanged { plan, .. } = next(&changes) else {
        panic!("the plan is the only change")
    };
    assert!(
        store.plans().current(plan).is_ok(),
        "a reported change can be read"
    );
    other.wait().unwrap();
}

#[test]
fn lagging_process_receives_everything_changed() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let raw = Connection::open(folder.path().join("baton.db")).unwrap();
    let changes = store.subscribe();
    // Another process made more changes than are kept.
    raw.execute_batch("INSERT INTO changes (id, origin, change) VALUES (9000, x'00112233445566778899aabbccddeeff', '{\"change\":\"settings_changed\"}')").unwrap();
    std::fs::write(folder.path().join("baton.changes"), "!").unwrap();
    assert_eq!(next(&changes), Change::Everything);
    assert_eq!(next(&changes), Change::SettingsChanged);
}

#[test]
fn dropped_listener_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    drop(store.subscribe());
    let changes = store.subscribe();
    for value in 0..3 {
        store.settings().set("n", &value).unwrap();
        assert_eq!(next(&changes), Change::SettingsChanged);
    }
}

#[test]
fn old_changes_are_trimmed() {
    let folder = tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .unwrap();
    let store = open(folder.path()).unwrap();
    for value in 0..5200 {
        store.settings().set("n", &value).unwrap();
    }
    let raw = Connection::open(folder.path().join("baton.db")).unwrap();
    let left: i64 = raw
        .query_row("SELECT COUNT(*) FROM changes", [], |row| row.get(0))
        .unwrap();
    assert!(
        (4096..=4096 + 512).contains(&left),
        "{left} are left of 5,200"
    );
}

#[test]
fn killed_process_leaves_complete_histories() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path()).unwrap());
    for round in 0..8 {
        let mut child = start("lives through runs", folder.path());
        wait_for(&mut child, "ready");
        // Exits after this many events, in the middle of the next write.
        let store = open(folder.path()).unwrap();
        let changes = store.subscribe();
        let events = 5 + round * 13;
        let begin = Instant::now();
        let mut seen = 0;
        while seen < events && begin.elapsed() < DEADLINE {
            seen += usize::from(matches!(next(&changes), Change::RunChanged { .. }));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        drop(store);

        let store = open(folder.path()).unwrap();
        let runs = store.runs().list(None, 1000).unwrap();
        assert!(runs.unreadable.is_empty() && !runs.rows.is_empty());
        for run in runs.rows {
            check_against_history(&store, run.id);
        }
    }
    let store = open(folder.path()).unwrap();
    assert!(
        !store.runs().unfinished().unwrap().rows.is_empty(),
        "no process was killed during a run"
    );
}
