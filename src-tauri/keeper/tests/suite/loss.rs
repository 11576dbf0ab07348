//! Lost apps, lost keepers and long paths: what remains and how it is found again.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use baton_keeper::{
    Claim, Connection, Ending, Event, KeeperLife, Liveness, Request, connect, liveness,
    terminate_marked_processes,
};

use crate::support::{
    DEADLINE, Session, connection, eventually, exit, keeper, launch, runs, script,
};

#[test]
fn app_can_disconnect_and_reconnect() {
    let home = tempfile::tempdir().unwrap();
    let mut launch = script("echo before; while [ ! -e go ]; do sleep 0.01; done; echo after");
    launch.cwd = home.path().to_owned();
    let session = Session::start_in(home.path(), &launch);
    session.printed("before");
    let Session {
        folder,
        app,
        mut keeper,
        ..
    } = session;
    drop(app);

    let began = Instant::now();
    let mut again = loop {
        let mut again = Connection::open(&folder).unwrap();
        again.set_read_timeout(Some(DEADLINE)).unwrap();
        match again.receive().unwrap() {
            Some(Event::Hello { stdout: 7, .. }) => break again,
            // What is in the file may not be counted yet.
            Some(Event::Hello { .. }) if began.elapsed() < DEADLINE => {}
            other => panic!("{other:?}"),
        }
    };
    again.send(&Request::Follow).unwrap();
    assert!(
        matches!(liveness(&folder).unwrap(), Liveness::Running(claim) if claim.pid == keeper.id() as i32)
    );
    std::fs::write(folder.join("go"), "").unwrap();
    let exit = exit(&mut again);
    assert_eq!(
        (exit.ending, exit.stdout_bytes),
        (Ending::Exited { code: 0 }, 13)
    );
    assert!(keeper.wait().unwrap().success());
    assert!(connect(&folder).is_err());
}

#[test]
fn deep_folder_has_a_reachable_socket() {
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
fn program_of_a_killed_keeper_is_found_by_its_mark() {
    let text = "trap '' TERM HUP PIPE; setsid sh -c 'trap \"\" TERM; while :; do sleep 0.05; done' & echo child $!; while :; do sleep 0.05; done";
    let mut session = Session::start(&script(text));
    let child = session.printed("child ").parse().unwrap();
    session.keeper.kill().unwrap();
    // Before it is waited for, the keeper is a zombie, which does not count as alive.
    eventually("the keeper reads as lost", || {
        (liveness(&session.folder).unwrap() == Liveness::Lost).then_some(())
    });
    session.keeper.wait().unwrap();
    assert_eq!(liveness(&session.folder).unwrap(), Liveness::Lost);
    assert_eq!(
        session
            .app
            .receive()
            .unwrap()
            .map(|event| matches!(event, Event::Hello { .. })),
        Some(true)
    );
    assert!(runs(child), "a killed keeper cannot end anything");

    assert!(terminate_marked_processes(&session.mark, Duration::from_millis(200)) >= 2);
    assert!(!runs(child));
    assert_eq!(session.marked(), [0; 0]);
    assert_eq!(terminate_marked_processes(&session.mark, Duration::ZERO), 0);
}

#[test]
fn an_unclaimed_folder_has_not_started() {
    let home = tempfile::tempdir().unwrap();
    launch(&["true"]).write(home.path()).unwrap();
    assert_eq!(liveness(home.path()).unwrap(), Liveness::NotStarted);
    assert_eq!(Claim::read(home.path()).unwrap(), None);
}

#[test]
fn claim_with_a_reused_pid_is_not_alive() {
    let mut session = Session::start(&script("echo ready; exec sleep 60"));
    session.printed("ready");
    let claim = Claim::read(&session.folder).unwrap().unwrap();
    assert_eq!(claim.life(&session.folder), KeeperLife::Lives);

    let earlier = Claim {
        start_ticks: claim.start_ticks - 1,
        ..claim.clone()
    };
    let by_earlier_version = Claim {
        host: String::new(),
        pid_namespace: String::new(),
        ..earlier.clone()
    };
    for stale in [earlier, by_earlier_version] {
        assert_eq!(
            liveness(claimed(&stale).path()).unwrap(),
            Liveness::Lost,
            "{stale:?}"
        );
    }
    session.app.send(&Request::Cancel).unwrap();
    session.exit();
}

#[test]
fn keeper_of_another_boot_is_gone_only_if_this_machine_restarted_since() {
    let own = own_claim();
    let last_boot = Claim {
        boot_id: OTHER_BOOT.into(),
        ..own.clone()
    };
    let home = claimed(&last_boot);
    assert_eq!(
        liveness(home.path()).unwrap(),
        Liveness::OutOfSight(last_boot.clone()),
        "files were written since"
    );
    date_back(home.path());
    assert_eq!(liveness(home.path()).unwrap(), Liveness::Lost);
    let elsewhere = Claim {
        host: "another".into(),
        ..last_boot
    };
    let home = claimed(&elsewhere);
    date_back(home.path());
    assert_eq!(
        liveness(home.path()).unwrap(),
        Liveness::OutOfSight(elsewhere),
        "that machine may be running"
    );
}

#[test]
fn keeper_in_another_container_is_not_judged_by_its_pid() {
    let own = own_claim();
    for foreign in [
        Claim {
            host: "another".into(),
            ..own.clone()
        },
        Claim {
            pid_namespace: "pid:[1]".into(),
            start_ticks: own.start_ticks + 1,
            ..own.clone()
        },
    ] {
        let unlocked = Claim {
            is_locked: false,
            ..foreign.clone()
        };
        assert_eq!(
            liveness(claimed(&unlocked).path()).unwrap(),
            Liveness::OutOfSight(unlocked)
        );

        let home = claimed(&foreign);
        let held = std::fs::File::open(home.path().join("claim")).unwrap();
        held.lock().unwrap();
        assert_eq!(
            liveness(home.path()).unwrap(),
            Liveness::Running(foreign),
            "its lock is held"
        );
        drop(held);
        assert_eq!(
            liveness(home.path()).unwrap(),
            Liveness::Lost,
            "its lock is free"
        );
    }
}

#[test]
fn keeper_in_another_pid_namespace_is_observed_by_its_lock() {
    let unshare = |argv: &[&str]| {
        let mut command = Command::new("unshare");
        command
            .args([
                "--user",
                "--map-root-user",
                "--pid",
                "--fork",
                "--kill-child",
                "--mount-proc",
            ])
            .args(argv);
        command
    };
    if !unshare(&["true"])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
    {
        println!(
            "skipped: this machine does not allow pid namespaces (unshare --user --pid --mount-proc)"
        );
        return;
    }
    let home = tempfile::tempdir().unwrap();
    script("echo ready; exec sleep 60")
        .write(home.path())
        .unwrap();
    let path = [keeper().to_str().unwrap(), home.path().to_str().unwrap()];
    let mut container = unshare(&path).stdin(Stdio::null()).spawn().unwrap();
    eventually("the program runs", || {
        home.path().join("stdout").exists().then_some(())
    });
    let claim = Claim::read(home.path()).unwrap().unwrap();
    assert_ne!(
        claim.pid,
        container.id() as i32,
        "its pid is valid only in its own namespace"
    );
    assert_eq!(
        liveness(home.path()).unwrap(),
        Liveness::Running(claim),
        "its pid is not valid here"
    );

    let mut connection = connection(connect(home.path()).unwrap());
    assert!(
        matches!(connection.receive().unwrap(), Some(Event::Hello { .. })),
        "its socket can be reached"
    );
    container.kill().unwrap();
    container.wait().unwrap();
    eventually("the keeper reads as lost", || {
        (liveness(home.path()).unwrap() == Liveness::Lost).then_some(())
    });
}

const OTHER_BOOT: &str = "00000000-0000-0000-0000-000000000000";

/// The claim of a keeper that has ended, as keepers on this machine write it.
fn own_claim() -> Claim {
    let mut session = Session::start(&script("true"));
    session.exit();
    Claim::read(&session.folder).unwrap().unwrap()
}

/// A folder with this claim and nothing else.
fn claimed(claim: &Claim) -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(
        home.path().join("claim"),
        serde_json::to_vec(claim).unwrap(),
    )
    .unwrap();
    home
}

/// As if the claim had been made long before this machine was booted.
fn date_back(folder: &Path) {
    let file = std::fs::File::options()
        .append(true)
        .open(folder.join("claim"))
        .unwrap();
    file.set_modified(std::time::UNIX_EPOCH + Duration::from_secs(86_400))
        .unwrap();
}

#[test]
fn torn_claim_counts_as_lost() {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("claim"), "").unwrap();
    assert_eq!(liveness(home.path()).unwrap(), Liveness::Lost);
}
