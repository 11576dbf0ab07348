//! The app goes, the keeper goes, the path is long: what remains and how it is found again.

use std::time::Duration;

use baton_keeper::{Claim, Connection, Ending, Event, Liveness, Request, connect, end_marked, liveness};

use crate::support::{DEADLINE, Session, connection, eventually, exit, launch, runs, script};

#[test]
fn an_app_that_leaves_changes_nothing_and_may_come_back() {
    let home = tempfile::tempdir().unwrap();
    let mut launch = script("echo before; while [ ! -e go ]; do sleep 0.01; done; echo after");
    launch.cwd = home.path().to_owned();
    let session = Session::start_in(home.path(), &launch);
    session.printed("before");
    let Session { folder, app, mut keeper, .. } = session;
    drop(app);

    let mut again = Connection::open(&folder).unwrap();
    again.set_read_timeout(Some(DEADLINE)).unwrap();
    assert!(matches!(again.receive().unwrap(), Some(Event::Hello { stdout: 7, .. })));
    again.send(&Request::Follow).unwrap();
    assert!(matches!(liveness(&folder).unwrap(), Liveness::Running(claim) if claim.pid == keeper.id() as i32));
    std::fs::write(folder.join("go"), "").unwrap();
    let exit = exit(&mut again);
    assert_eq!((exit.ending, exit.stdout_bytes), (Ending::Exited { code: 0 }, 13));
    assert!(keeper.wait().unwrap().success());
    assert!(connect(&folder).is_err());
}

#[test]
fn a_deep_folder_has_a_socket_all_the_same() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("a".repeat(120)).join("b".repeat(120));
    std::fs::create_dir_all(&folder).unwrap();
    let mut session = Session::start_in(&folder, &script("echo ready; exec sleep 60"));
    session.printed("ready");
    let mut second = connection(connect(&folder).unwrap());
    second.send(&Request::Cancel).unwrap();
    assert_eq!(exit(&mut second), session.exit());
}

#[test]
fn a_killed_keeper_is_lost_and_its_program_is_found_by_the_mark() {
    let text = "trap '' TERM HUP PIPE; setsid sh -c 'trap \"\" TERM; while :; do sleep 0.05; done' & echo child $!; while :; do sleep 0.05; done";
    let mut session = Session::start(&script(text));
    let child = session.printed("child ").parse().unwrap();
    session.keeper.kill().unwrap();
    // Not yet waited for, the keeper is a zombie: that is not alive either.
    eventually("the keeper reads as lost", || (liveness(&session.folder).unwrap() == Liveness::Lost).then_some(()));
    session.keeper.wait().unwrap();
    assert_eq!(liveness(&session.folder).unwrap(), Liveness::Lost);
    assert_eq!(session.app.receive().unwrap().map(|event| matches!(event, Event::Hello { .. })), Some(true));
    assert!(runs(child), "a killed keeper cannot end anything");

    assert!(end_marked(&session.mark, Duration::from_millis(200)) >= 2);
    assert!(!runs(child));
    assert_eq!(session.marked(), [0; 0]);
    assert_eq!(end_marked(&session.mark, Duration::ZERO), 0);
}

#[test]
fn an_unclaimed_folder_has_not_started() {
    let home = tempfile::tempdir().unwrap();
    launch(&["true"]).write(home.path()).unwrap();
    assert_eq!(liveness(home.path()).unwrap(), Liveness::NotStarted);
    assert_eq!(Claim::read(home.path()).unwrap(), None);
}

#[test]
fn a_claim_whose_pid_was_given_away_is_not_taken_for_alive() {
    let mut session = Session::start(&script("echo ready; exec sleep 60"));
    session.printed("ready");
    let claim = Claim::read(&session.folder).unwrap().unwrap();
    assert!(claim.is_alive());

    let home = tempfile::tempdir().unwrap();
    let earlier = Claim { start_ticks: claim.start_ticks - 1, ..claim.clone() };
    let last_boot = Claim { boot_id: "00000000-0000-0000-0000-000000000000".into(), ..claim.clone() };
    for stale in [earlier, last_boot] {
        std::fs::write(home.path().join("claim"), serde_json::to_vec(&stale).unwrap()).unwrap();
        assert_eq!(liveness(home.path()).unwrap(), Liveness::Lost, "{stale:?}");
    }
    session.app.send(&Request::Cancel).unwrap();
    session.exit();
}

#[test]
fn a_torn_claim_is_lost() {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("claim"), "").unwrap();
    assert_eq!(liveness(home.path()).unwrap(), Liveness::Lost);
}
