//! Peers that a keeper rejects: any process in a session of the same data directory, even if it
//! disguises itself.

use std::path::{Path, PathBuf};

use baton_keeper::{Connection, Ending, Event, Refusal, Request, Stdin};
use tempfile::TempDir;

use crate::support::{Session, connection, receive, script};

/// Prints a keeper's answers to a forged permission reply and to a cancel; the socket may be that
/// of another session.
const FORGERY: &str = r#"
import os, socket, sys, time
folder = sys.argv[1]
until = time.time() + 30
while True:
    try:
        os.chdir(folder)
        peer = socket.socket(socket.AF_UNIX)
        peer.connect("control.sock")
        break
    except OSError:
        if time.time() > until:
            raise
        time.sleep(0.005)
try:
    peer.sendall(b'{"op":"input","key":"permission-1","text":"allow\\n"}\n{"op":"cancel"}\n')
except OSError:
    pass
said = b""
while True:
    try:
        more = peer.recv(4096)
    except ConnectionResetError:
        break
    if not more:
        break
    said += more
print("answered", said.decode().strip(), flush=True)
"#;

/// Ways in which a program tries to look like an outside process. `$T` is the forgery, `$F` the
/// folder of the keeper.
const WAYS: [&str; 5] = [
    "python3 $T $F",
    "setsid python3 $T $F",
    "nohup python3 $T $F 2>&1",
    "env -i /usr/bin/python3 $T $F",
    "setsid sh -c '(python3 $T $F; echo over) & exit'; sleep 5 & wait",
];

struct DataDirectory {
    home: TempDir,
}

impl DataDirectory {
    fn new() -> DataDirectory {
        let home = TempDir::new().unwrap();
        std::fs::write(home.path().join("forgery.py"), FORGERY).unwrap();
        DataDirectory { home }
    }

    fn folder(&self, name: &str) -> PathBuf {
        let folder = self.home.path().join("sessions").join(name);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn forge(&self, name: &str, way: &str, target: &Path) -> Session {
        let mut launch = script(&format!(
            "T={}; F={}; export T F; {way}",
            self.home.path().join("forgery.py").display(),
            target.display()
        ));
        launch.stdin = Stdin::Pipe;
        Session::start_in(&self.folder(name), &launch)
    }
}

#[test]
fn session_cannot_answer_its_own_questions() {
    for way in WAYS {
        let data = DataDirectory::new();
        let session = data.forge("own", way, &data.folder("own"));
        let answer = session.printed("answered ");
        assert_eq!(
            answer, r#"{"event":"refused","key":null,"reason":"notAllowed"}"#,
            "{way}"
        );
        assert!(!session.folder.join("stdin.jsonl").exists(), "{way}");
    }
}

#[test]
fn session_cannot_cancel_another_session() {
    let data = DataDirectory::new();
    let mut victim = {
        let mut launch = script("read line; echo heard $line");
        launch.stdin = Stdin::Pipe;
        Session::start_in(&data.folder("victim"), &launch)
    };
    for (number, way) in WAYS.iter().enumerate() {
        let thief = data.forge(&format!("thief-{number}"), way, &victim.folder);
        assert!(thief.printed("answered ").contains("notAllowed"), "{way}");
    }
    // Not even from the session of a check, whose folder is within another session's.
    let thief = data.forge("other/checks/0", WAYS[1], &victim.folder);
    assert!(thief.printed("answered ").contains("notAllowed"));

    // Outside processes are accepted as before.
    let mut outside = connection(Connection::open(&victim.folder).unwrap().into_stream());
    outside
        .send(&Request::Input {
            key: "1".to_owned(),
            text: "hello\n".to_owned(),
        })
        .unwrap();
    receive(&mut outside, |event| {
        matches!(event, Event::Accepted { .. }).then_some(())
    });
    assert_eq!(victim.exit().ending, Ending::Exited { code: 0 });
    assert_eq!(victim.stdout(), b"heard hello\n");
}

#[test]
fn other_users_are_rejected() {
    if !nix::unistd::geteuid().is_root() {
        println!("skipped: needs root, to become another user");
        return;
    }
    use std::os::unix::fs::PermissionsExt as _;
    let data = DataDirectory::new();
    let mut launch = script("read line");
    launch.stdin = Stdin::Pipe;
    let mut session = Session::start_in(&data.folder("own"), &launch);
    crate::support::eventually("the socket", || {
        session.folder.join("control.sock").exists().then_some(())
    });
    // As if file modes had been changed.
    for path in [
        data.home.path().to_owned(),
        data.folder("own"),
        session.folder.join("control.sock"),
    ] {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o777)).unwrap();
    }
    let mut command = std::process::Command::new("setpriv");
    command.env("PATH", "/usr/bin:/bin").args([
        "--reuid",
        "nobody",
        "--regid",
        "65534",
        "--clear-groups",
        "python3",
    ]);
    let said = command
        .arg(data.home.path().join("forgery.py"))
        .arg(&session.folder)
        .output()
        .unwrap();
    let said = String::from_utf8(said.stdout).unwrap();
    assert!(said.contains("notAllowed"), "{said}");
    session
        .app
        .send(&Request::CloseInput {
            key: "end".to_owned(),
        })
        .unwrap();
    assert_eq!(session.exit().cause, None);
}

#[test]
fn rejected_peer_receives_an_event() {
    let line = r#"{"event":"refused","key":null,"reason":"notAllowed"}"#;
    let refused = Event::Refused {
        key: None,
        reason: Refusal::NotAllowed,
    };
    assert_eq!(serde_json::from_str::<Event>(line).unwrap(), refused);
}
