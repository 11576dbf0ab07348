//! The content of the exit record, and the conditions for getting one.

use std::os::unix::fs::PermissionsExt as _;

use baton_keeper::{Ending, Liveness, NotStarted, liveness};

use crate::support::{Session, keeper, launch, script};

fn obstacle(ending: Ending) -> (NotStarted, String) {
    match ending {
        Ending::NotStarted { reason, detail } => (reason, detail),
        other => panic!("started after all: {other:?}"),
    }
}

#[test]
fn worked_time_covers_the_whole_program() {
    let exit = Session::start(&script("sleep 0.3")).exit();
    let worked_ms = exit.worked_ms.expect("it ran");
    assert!(worked_ms >= 300, "{exit:?}");
}

#[test]
fn exit_record_has_code_and_resource_usage() {
    let mut session = Session::start(&script("echo out; echo error >&2; exit 7"));
    let exit = session.exit();
    assert_eq!(exit.ending, Ending::Exited { code: 7 });
    assert_eq!((exit.cause, exit.left_behind, exit.survivors), (None, 0, 0));
    assert_eq!((exit.stdout_bytes, exit.stderr_bytes), (4, 6));
    assert!(
        exit.pid.is_some() && exit.started_ms <= exit.ended_ms && exit.max_rss_kb > 0,
        "{exit:?}"
    );
    assert_eq!(liveness(&session.folder).unwrap(), Liveness::Ended(exit));
    assert!(!session.folder.join("control.sock").exists());
}

#[test]
fn terminating_signal_is_recorded() {
    let exit = Session::start(&script("kill -9 $$")).exit();
    assert_eq!(exit.ending, Ending::Signaled { signal: 9 });
    assert_eq!(exit.cause, None, "no client requested it");
}

#[test]
fn missing_and_non_executable_programs_are_distinguished() {
    let (reason, detail) = obstacle(
        Session::start(&launch(&["no-such-program", "x"]))
            .exit()
            .ending,
    );
    assert_eq!(
        (reason, detail.as_str()),
        (
            NotStarted::CommandNotFound,
            "command not found: no-such-program"
        )
    );

    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("plain"), "text").unwrap();
    let mut denied = launch(&["plain"]);
    denied
        .env
        .insert("PATH".into(), format!("/bin:{}", home.path().display()));
    let (reason, detail) = obstacle(Session::start(&denied).exit().ending);
    assert_eq!(
        (reason, detail.as_str()),
        (NotStarted::PermissionDenied, "permission denied: plain")
    );
}

#[test]
fn missing_interpreter_is_reported() {
    let home = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("lost", "#!/no/such/interpreter\n"),
        ("bare", "just text\n"),
    ] {
        std::fs::write(home.path().join(name), text).unwrap();
        std::fs::set_permissions(
            home.path().join(name),
            std::fs::Permissions::from_mode(0o755),
        )
        .unwrap();
    }
    let mut lost = launch(&["./lost"]);
    lost.cwd = home.path().to_owned();
    let (reason, detail) = obstacle(Session::start(&lost).exit().ending);
    assert_eq!(
        (reason, detail.as_str()),
        (
            NotStarted::CommandNotFound,
            "the interpreter of ./lost is missing"
        )
    );

    lost.argv = vec!["./bare".into()];
    let (reason, detail) = obstacle(Session::start(&lost).exit().ending);
    assert_eq!(reason, NotStarted::Other);
    assert!(detail.starts_with("not a program: ./bare"), "{detail}");
}

#[test]
fn missing_working_directory_is_reported() {
    let mut gone = launch(&["true"]);
    gone.cwd = "/no/such/folder".into();
    let (reason, detail) = obstacle(Session::start(&gone).exit().ending);
    assert_eq!(
        (reason, detail.as_str()),
        (NotStarted::CwdMissing, "not a directory: /no/such/folder")
    );
    gone.cwd = "/etc/passwd".into();
    assert_eq!(
        obstacle(Session::start(&gone).exit().ending).0,
        NotStarted::CwdMissing
    );
}

#[test]
fn damaged_launch_gives_an_exit_record() {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("launch.json"), "{").unwrap();
    let (mut keeper, _app) = baton_keeper::spawn(keeper(), home.path()).unwrap();
    assert!(keeper.wait().unwrap().success());
    let Liveness::Ended(exit) = liveness(home.path()).unwrap() else {
        panic!("no record")
    };
    assert_eq!(obstacle(exit.ending).0, NotStarted::LaunchUnreadable);
}

#[test]
fn program_gets_only_the_launch_environment() {
    let mut session = Session::start(&launch(&["env"]));
    session.exit();
    let expected = format!(
        "PATH=/usr/local/bin:/usr/bin:/bin\nBATON_SESSION_MARK={}\n",
        session.mark
    );
    assert_eq!(String::from_utf8(session.stdout()).unwrap(), expected);
}

#[test]
fn program_inherits_no_files_or_blocked_signals() {
    let program = "
import os
for line in open('/proc/self/status'):
    if line.startswith(('SigBlk', 'SigIgn')): print(line.split()[0], int(line.split()[1], 16) & 0x7fffffff & ~(1 << 12 | 1 << 24))
for fd in range(300):
    try: print(os.readlink(f'/proc/self/fd/{fd}'))
    except OSError: pass
";
    let mut session = Session::start(&launch(&["python3", "-c", program]));
    session.exit();
    let text = String::from_utf8(session.stdout()).unwrap();
    // Python itself ignores SIGPIPE and SIGXFSZ, and the C library reserves two signals above 31.
    assert!(
        text.starts_with("SigBlk: 0\nSigIgn: 0\n/dev/null\npipe:"),
        "{text}"
    );
    // The test runner may leave inheritable files open; the keeper's own must not be among them.
    let foreign = text
        .lines()
        .find(|file| file.contains("signalfd") || file.contains(session.folder.to_str().unwrap()));
    assert_eq!(foreign, None, "{text}");
}

#[test]
fn second_keeper_changes_nothing() {
    let mut session = Session::start(&script("echo once; sleep 0.3"));
    session.printed("once");
    for _ in 0..2 {
        let (mut second, _app) = baton_keeper::spawn(keeper(), &session.folder).unwrap();
        assert_eq!(second.wait().unwrap().code(), Some(3));
    }
    assert_eq!(session.exit().ending, Ending::Exited { code: 0 });
    let (mut late, _app) = baton_keeper::spawn(keeper(), &session.folder).unwrap();
    assert_eq!(
        late.wait().unwrap().code(),
        Some(3),
        "an ended session is not run again either"
    );
    assert_eq!(session.stdout(), b"once\n");
}

#[test]
fn concurrent_keepers_run_the_program_once() {
    let home = tempfile::tempdir().unwrap();
    script("echo run; sleep 0.1").write(home.path()).unwrap();
    let keepers: Vec<_> = (0..8)
        .map(|_| baton_keeper::spawn(keeper(), home.path()).unwrap())
        .collect();
    let codes: Vec<_> = keepers
        .into_iter()
        .map(|(mut keeper, _app)| keeper.wait().unwrap().code())
        .collect();
    assert_eq!(
        codes.iter().filter(|code| **code == Some(0)).count(),
        1,
        "{codes:?}"
    );
    assert_eq!(
        codes.iter().filter(|code| **code == Some(3)).count(),
        7,
        "{codes:?}"
    );
    assert_eq!(std::fs::read(home.path().join("stdout")).unwrap(), b"run\n");
}

#[test]
fn missing_session_folder_gives_an_exit_code() {
    let (mut keeper, _app) =
        baton_keeper::spawn(keeper(), std::path::Path::new("/no/such/session")).unwrap();
    assert_eq!(keeper.wait().unwrap().code(), Some(4));
}
