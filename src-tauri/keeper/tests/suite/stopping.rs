//! No process outlives its session.

use std::time::{Duration, Instant};

use baton_keeper::{Cause, Ending, Request};

use crate::support::{Session, launch, runs, script};

/// Leaves a process that has left the session, the group and its parent, and prints its pid.
const DAEMON: &str = "
import os, sys, time, signal
heard, told = os.pipe()
if os.fork():
    os.wait(); os.read(heard, 1); sys.exit(0)
os.setsid()
if os.fork(): os._exit(0)
signal.signal(signal.SIGTERM, signal.SIG_IGN) if 'deaf' in sys.argv else None
print('daemon', os.getpid(), flush=True)
os.write(told, b'.')
if 'quiet' in sys.argv:
    for fd in (0, 1, 2): os.close(fd)
time.sleep(60)
";

#[test]
fn program_ignoring_sigterm_is_killed_after_grace() {
    let mut launch = script("trap '' TERM; echo ready; while :; do sleep 0.05; done");
    launch.grace_ms = 300;
    let mut session = Session::start(&launch);
    session.printed("ready");
    let began = Instant::now();
    session.app.send(&Request::Cancel).unwrap();
    let exit = session.exit();
    assert!(
        began.elapsed() >= Duration::from_millis(300),
        "the grace period had passed"
    );
    assert_eq!(
        (exit.ending, exit.cause),
        (Ending::Signaled { signal: 9 }, Some(Cause::Cancelled))
    );
    assert_eq!(session.marked(), [0; 0]);
}

#[test]
fn program_exiting_on_sigterm_is_not_delayed() {
    let mut launch = launch(&["sleep", "60"]);
    launch.grace_ms = 60_000;
    let mut session = Session::start(&launch);
    session.app.send(&Request::Cancel).unwrap();
    let exit = session.exit();
    assert_eq!(
        (exit.ending, exit.cause),
        (Ending::Signaled { signal: 15 }, Some(Cause::Cancelled))
    );
}

#[test]
fn detached_grandchild_is_terminated() {
    let text =
        "setsid sh -c 'trap \"\" TERM; echo grandchild $$; while :; do sleep 0.05; done' & wait";
    let mut launch = script(text);
    launch.grace_ms = 2_000;
    let mut session = Session::start(&launch);
    let grandchild = session.printed("grandchild ").parse().unwrap();
    session.app.send(&Request::Cancel).unwrap();
    let exit = session.exit();
    assert!(exit.left_behind >= 1, "{exit:?}");
    assert!(!runs(grandchild));
    assert_eq!(session.marked(), [0; 0]);
}

#[test]
fn suspended_program_is_terminated() {
    let mut session = Session::start(&script("echo ready; kill -STOP $$; echo on"));
    session.printed("ready");
    session.app.send(&Request::Cancel).unwrap();
    assert_eq!(session.exit().ending, Ending::Signaled { signal: 15 });
}

#[test]
fn daemon_is_terminated_with_its_session() {
    for arguments in [&["quiet"][..], &[], &["quiet", "deaf"]] {
        let mut launch = launch(&[&["python3", "-c", DAEMON], arguments].concat());
        launch.grace_ms = 600;
        let mut session = Session::start(&launch);
        let daemon = session.printed("daemon ").parse().unwrap();
        let exit = session.exit();
        assert_eq!(
            (exit.ending, exit.cause, exit.left_behind),
            (Ending::Exited { code: 0 }, None, 1),
            "{arguments:?}"
        );
        assert!(!runs(daemon), "{arguments:?}");
        assert_eq!(session.marked(), [0; 0], "{arguments:?}");
    }
}

#[test]
fn daemon_is_terminated_on_cancel() {
    let program = DAEMON.replace("sys.exit(0)", "time.sleep(60)");
    let mut launch = launch(&["python3", "-c", &program, "quiet", "deaf"]);
    launch.grace_ms = 200;
    let mut session = Session::start(&launch);
    let daemon = session.printed("daemon ").parse().unwrap();
    session.app.send(&Request::Cancel).unwrap();
    let exit = session.exit();
    assert_eq!((exit.cause, exit.survivors), (Some(Cause::Cancelled), 0));
    assert!(!runs(daemon));
    assert_eq!(session.marked(), [0; 0]);
}

#[test]
fn self_exiting_helper_is_not_left_behind() {
    let home = tempfile::tempdir().unwrap();
    let launch = script("(sleep 0.05; echo late) & echo early");
    // The keeper does not wait longer than needed.
    let patience = (baton_keeper::LINGER_VARIABLE, "20000".to_owned());
    let mut session = Session::start_with(home.path(), &launch, patience);
    let exit = session.exit();
    assert_eq!(
        (exit.left_behind, exit.stdout_bytes),
        (0, 11),
        "its output belongs to the session"
    );
    assert_eq!(session.stdout(), b"early\nlate\n");
}

#[test]
fn forking_program_is_terminated() {
    let text = "trap '' TERM; spawn() { (trap '' TERM; while :; do sleep 0.01 & sleep 0.01; done) & }; spawn; spawn; echo ready; wait";
    let mut launch = script(text);
    launch.grace_ms = 100;
    let mut session = Session::start(&launch);
    session.printed("ready");
    session.app.send(&Request::Cancel).unwrap();
    assert_eq!(session.exit().survivors, 0);
    assert_eq!(session.marked(), [0; 0]);
}

#[test]
fn timeout_is_enforced_without_an_app() {
    let mut launch = launch(&["sleep", "60"]);
    launch.timeout_ms = Some(150);
    let mut session = Session::start(&launch);
    // Refused if it has ended already.
    drop(session.app.send(&Request::Follow));
    let exit = session.exit();
    assert_eq!(
        (exit.ending, exit.cause),
        (Ending::Signaled { signal: 15 }, Some(Cause::TimedOut))
    );
    assert!(exit.ended_ms - exit.started_ms >= 150);
}

#[test]
fn sigterm_to_the_keeper_is_a_cancel() {
    let mut session = Session::start(&script("echo ready; exec sleep 60"));
    session.printed("ready");
    let keeper = session.keeper.id().to_string();
    for signal in ["-HUP", "-INT", "-TERM"] {
        assert!(
            std::process::Command::new("kill")
                .args([signal, &keeper])
                .status()
                .unwrap()
                .success()
        );
    }
    let exit = session.exit();
    assert_eq!(
        (exit.ending, exit.cause),
        (Ending::Signaled { signal: 15 }, Some(Cause::Cancelled))
    );
}
