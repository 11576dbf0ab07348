//! Sessions that another process executes, watched before there is anything to watch.

use std::fs;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use uuid::Uuid;

use super::*;

fn watches() -> (Receiver<Growth>, Watches) {
    let (sender, growths) = channel();
    let tell = move |growth| drop(sender.send(growth));
    (growths, Watches::new(Arc::new(tell)))
}

fn is_told(growths: &Receiver<Growth>, session: SessionId) -> bool {
    let growth = growths.recv_timeout(Duration::from_secs(60));
    matches!(growth, Ok(Growth::Session { session: told, .. }) if told == session)
}

#[test]
fn a_session_whose_folder_is_not_there_yet_is_told_of_when_it_appears_and_when_it_grows() {
    let sessions = tempfile::tempdir().expect("a folder");
    let (session, run) = (SessionId(Uuid::from_u128(1)), RunId(Uuid::from_u128(2)));
    let folder = sessions.path().join(session.to_string());
    let (growths, watches) = watches();
    watches.watch(&folder, session, run);
    fs::create_dir(&folder).expect("room");
    assert!(is_told(&growths, session), "its folder appeared");
    watches.watch(&folder, session, run);
    fs::write(folder.join(CLOCK), "x").expect("room");
    assert!(is_told(&growths, session), "it grew");
}

#[test]
fn a_session_whose_folder_is_made_anew_is_watched_anew() {
    let sessions = tempfile::tempdir().expect("a folder");
    let (session, run) = (SessionId(Uuid::from_u128(1)), RunId(Uuid::from_u128(2)));
    let folder = sessions.path().join(session.to_string());
    let (growths, watches) = watches();
    fs::create_dir(&folder).expect("room");
    watches.watch(&folder, session, run);
    fs::remove_dir(&folder).expect("it is empty");
    assert!(is_told(&growths, session), "its folder is gone");
    watches.watch(&folder, session, run);
    fs::create_dir(&folder).expect("room");
    assert!(is_told(&growths, session), "its folder is there again");
    watches.watch(&folder, session, run);
    fs::write(folder.join(EXIT), "{}").expect("room");
    assert!(is_told(&growths, session), "it ended");
}

#[test]
fn reading_a_session_is_not_told_as_its_growth() {
    let sessions = tempfile::tempdir().expect("a folder");
    let (read, grown, run) = (
        SessionId(Uuid::from_u128(1)),
        SessionId(Uuid::from_u128(2)),
        RunId(Uuid::from_u128(3)),
    );
    let (growths, watches) = watches();
    for session in [read, grown] {
        let folder = sessions.path().join(session.to_string());
        fs::create_dir(&folder).expect("room");
        fs::write(folder.join(CLOCK), "x").expect("room");
        watches.watch(&folder, session, run);
    }
    let folder = sessions.path().join(read.to_string());
    fs::read(folder.join(CLOCK)).expect("it is there");
    assert_eq!(fs::read_dir(&folder).expect("it is there").count(), 1);
    fs::write(sessions.path().join(grown.to_string()).join(EXIT), "{}").expect("room");
    assert!(is_told(&growths, grown), "only this one has changed");
    fs::write(folder.join(CLOCK), "xy").expect("room");
    let told = || growths.recv_timeout(Duration::from_secs(60)).ok();
    let is_read =
        |growth: &Growth| matches!(growth, Growth::Session { session, .. } if *session == read);
    assert!(
        std::iter::from_fn(told).any(|growth| is_read(&growth)),
        "it is still watched"
    );
}
