//! Watching sessions of other processes, before and after their folders exist.

use std::fs;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use uuid::Uuid;

use super::*;

fn watcher() -> (Receiver<LogUpdate>, SessionWatcher) {
    let (sender, updates) = channel();
    let tell = move |update| drop(sender.send(update));
    (updates, SessionWatcher::new(Arc::new(tell)))
}

fn is_notified(updates: &Receiver<LogUpdate>, session: SessionId) -> bool {
    let update = updates.recv_timeout(Duration::from_secs(60));
    matches!(update, Ok(LogUpdate::Session { session: told, .. }) if told == session)
}

#[test]
fn missing_folder_is_watched_until_it_appears() {
    let sessions = tempfile::tempdir().expect("a folder");
    let (session, run) = (SessionId(Uuid::from_u128(1)), RunId(Uuid::from_u128(2)));
    let folder = sessions.path().join(session.to_string());
    let (updates, watcher) = watcher();
    watcher.watch(&folder, session, run);
    fs::create_dir(&folder).expect("room");
    assert!(is_notified(&updates, session), "its folder appeared");
    watcher.watch(&folder, session, run);
    fs::write(folder.join(CLOCK), "x").expect("room");
    assert!(is_notified(&updates, session), "it grew");
}

#[test]
fn recreated_folder_is_watched_again() {
    let sessions = tempfile::tempdir().expect("a folder");
    let (session, run) = (SessionId(Uuid::from_u128(1)), RunId(Uuid::from_u128(2)));
    let folder = sessions.path().join(session.to_string());
    let (updates, watcher) = watcher();
    fs::create_dir(&folder).expect("room");
    watcher.watch(&folder, session, run);
    fs::remove_dir(&folder).expect("it is empty");
    assert!(is_notified(&updates, session), "its folder is gone");
    watcher.watch(&folder, session, run);
    fs::create_dir(&folder).expect("room");
    assert!(is_notified(&updates, session), "its folder is there again");
    watcher.watch(&folder, session, run);
    fs::write(folder.join(EXIT), "{}").expect("room");
    assert!(is_notified(&updates, session), "it ended");
}

#[test]
fn reading_does_not_trigger_updates() {
    let sessions = tempfile::tempdir().expect("a folder");
    let (read, grown, run) = (
        SessionId(Uuid::from_u128(1)),
        SessionId(Uuid::from_u128(2)),
        RunId(Uuid::from_u128(3)),
    );
    let (updates, watcher) = watcher();
    for session in [read, grown] {
        let folder = sessions.path().join(session.to_string());
        fs::create_dir(&folder).expect("room");
        fs::write(folder.join(CLOCK), "x").expect("room");
        watcher.watch(&folder, session, run);
    }
    let folder = sessions.path().join(read.to_string());
    fs::read(folder.join(CLOCK)).expect("it is there");
    assert_eq!(fs::read_dir(&folder).expect("it is there").count(), 1);
    fs::write(sessions.path().join(grown.to_string()).join(EXIT), "{}").expect("room");
    assert!(is_notified(&updates, grown), "only this one has changed");
    fs::write(folder.join(CLOCK), "xy").expect("room");
    let told = || updates.recv_timeout(Duration::from_secs(60)).ok();
    let is_read = |update: &LogUpdate| matches!(update, LogUpdate::Session { session, .. } if *session == read);
    assert!(
        std::iter::from_fn(told).any(|update| is_read(&update)),
        "it is still watched"
    );
}
