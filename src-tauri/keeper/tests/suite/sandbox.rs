//! What a sandboxed program can and cannot access, with a real sandbox. As root and as another
//! user.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::Command;

use baton_keeper::{
    Cause, Confinement, Ending, Exit, Launch, NotStarted, Sandbox, SandboxProbe, probe_sandbox,
};
use tempfile::TempDir;

use crate::support::{Session, eventually, runs, script};

/// A data directory with a session's folder and foreign files.
struct Data {
    home: TempDir,
}

impl Data {
    fn new() -> Data {
        let home = TempDir::new().unwrap();
        for folder in [
            "data/sessions/own",
            "data/sessions/other",
            "data/worktrees/run/node",
            "data/requests",
            "repo/.git",
        ] {
            fs::create_dir_all(home.path().join(folder)).unwrap();
        }
        for file in [
            "baton.db",
            "serve.token",
            "sessions/other/stdout",
            "sessions/own/launch.note",
        ] {
            fs::write(home.path().join("data").join(file), "secret").unwrap();
        }
        fs::write(
            home.path().join("data/sessions/own/context.md"),
            "handed on",
        )
        .unwrap();
        fs::write(home.path().join("data/worktrees/run/node/file"), "work").unwrap();
        Data { home }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    fn sandbox(&self) -> Sandbox {
        Sandbox {
            hidden: self.path("data"),
            output: Some(self.path("data/sessions/own/output")),
            writable: vec![self.path("data/worktrees/run/node")],
            readable: vec![
                self.path("data/sessions/own/context.md"),
                self.path("data/requests"),
            ],
            read_only: vec![self.path("repo/.git/hooks")],
        }
    }

    fn launch(&self, text: &str) -> Launch {
        let mut launch = script(text);
        launch.cwd = self.path("data/worktrees/run/node");
        launch
            .env
            .insert("D".to_owned(), self.path("data").display().to_string());
        launch
            .env
            .insert("R".to_owned(), self.path("repo").display().to_string());
        launch.sandbox = Some(self.sandbox());
        launch
    }

    fn start(&self, text: &str) -> Session {
        Session::start_in(&self.path("data/sessions/own"), &self.launch(text))
    }
}

/// Whether the program was confined; if the kernel forbids it, the test prints that and ends.
fn is_held(exit: &Exit) -> bool {
    match &exit.confinement {
        Confinement::Held { .. } => true,
        Confinement::Forbidden { step, detail } => {
            println!("skipped: this kernel does not let a program {step}: {detail}");
            false
        }
        Confinement::NotAsked => panic!("the sandbox was forgotten"),
    }
}

const ATTEMPTS: &str = r#"
try() { if sh -c "$2" >/dev/null 2>&1; then echo "$1 yes"; else echo "$1 no"; fi; }
try database 'cat "$D/baton.db"'
try token 'cat "$D/serve.token"'
try other 'cat "$D/sessions/other/stdout"'
try record 'cat "$D/sessions/own/launch.note" || cat "$D/sessions/own/launch.json"'
try socket 'test -e "$D/sessions/own/control.sock"'
try upwards 'cat ../../../baton.db'
try keeper 'cat "/proc/$PPID/cwd/launch.json" || cat /proc/*/root"$D/baton.db" || cat /proc/*/cwd/launch.json'
try unmount 'umount "$D"'
try deeper 'unshare -Urm sh -c "umount $D && cat $D/baton.db"'
try litter 'echo x > "$D/anything"'
try context-change 'echo x >> "$D/sessions/own/context.md"'
try hook 'echo x > "$R/.git/hooks/pre-commit"'
try hooks-moved 'mv "$R/.git/hooks" "$R/.git/away"'
try git-moved 'mv "$R/.git" "$R/away"'
try sockets-changed 'echo x > "$D/requests/new"'
try context 'cat "$D/sessions/own/context.md"'
try output 'echo key=value >> "$D/sessions/own/output"'
try worktree 'echo more >> "$D/worktrees/run/node/file" && echo new > new && cat file'
try config 'echo x > "$R/.git/config"'
try elsewhere 'echo x > "$R/source" && ls "$R/.git/hooks"'
"#;

#[test]
fn sandboxed_program_accesses_only_its_own_files() {
    let data = Data::new();
    let mut session = data.start(ATTEMPTS);
    let exit = session.exit();
    if !is_held(&exit) {
        return;
    }
    let said = String::from_utf8(session.stdout()).unwrap();
    let succeeded: Vec<&str> = said
        .lines()
        .filter_map(|line| line.strip_suffix(" yes"))
        .collect();
    assert_eq!(
        succeeded,
        ["context", "output", "worktree", "config", "elsewhere"],
        "{said}"
    );
    assert_eq!(said.lines().count(), 20);
    assert_eq!(
        fs::read_to_string(data.path("data/sessions/own/output")).unwrap(),
        "key=value\n"
    );
    assert_eq!(
        fs::read_to_string(data.path("data/worktrees/run/node/file")).unwrap(),
        "workmore\n"
    );
    assert_eq!(
        fs::read_to_string(data.path("data/sessions/own/context.md")).unwrap(),
        "handed on"
    );
}

#[test]
fn unsandboxed_program_accesses_all_files() {
    let data = Data::new();
    let mut launch = data.launch("cat \"$D/baton.db\" && echo x > \"$R/.git/hook\"");
    launch.sandbox = None;
    let mut session = Session::start_in(&data.path("data/sessions/own"), &launch);
    assert_eq!(session.exit().ending, Ending::Exited { code: 0 });
    assert_eq!(session.stdout(), b"secret");
}

#[test]
fn sandboxed_program_cannot_signal_outside_processes() {
    let data = Data::new();
    let mut bystander = Command::new("sleep").arg("1000").spawn().unwrap();
    let bystander_pid = bystander.id();
    let text = format!(
        "kill -9 {bystander_pid} && echo killed; kill -9 $PPID && echo keeper; sleep 1000 & kill -9 $! && echo own; wait"
    );
    let mut session = data.start(&text);
    let exit = session.exit();
    let lives = bystander.try_wait().unwrap().is_none();
    bystander.kill().unwrap();
    bystander.wait().unwrap();
    match exit.confinement {
        Confinement::Held {
            holds_signals: true,
        } => {
            assert!(lives);
            assert_eq!(String::from_utf8(session.stdout()).unwrap(), "own\n");
        }
        held => println!("skipped: this kernel does not limit signals ({held:?})"),
    }
}

#[test]
fn sandboxed_descendants_are_terminated() {
    let data = Data::new();
    let mut session = data.start(
        "trap '' TERM; setsid sh -c 'trap \"\" TERM; echo far $$; while :; do sleep 1; done' & \
         env -i setsid nohup sh -c 'echo bare $$; exec sleep 1000' & echo near $$; wait; wait",
    );
    let pids: Vec<i32> = ["near ", "far ", "bare "]
        .iter()
        .map(|word| session.printed(word).parse().unwrap())
        .collect();
    session.app.send(&baton_keeper::Request::Cancel).unwrap();
    let exit = session.exit();
    assert_eq!(exit.cause, Some(Cause::Cancelled));
    assert_eq!(exit.survivors, 0);
    for pid in pids {
        eventually("its end", || (!runs_or_gone(pid)).then_some(()));
    }
}

fn runs_or_gone(pid: i32) -> bool {
    Path::new(&format!("/proc/{pid}")).exists() && runs(pid)
}

#[test]
fn unexecutable_program_is_reported_in_the_sandbox_too() {
    let data = Data::new();
    fs::write(data.path("bad"), "#!/no/such/interpreter\n").unwrap();
    fs::set_permissions(data.path("bad"), fs::Permissions::from_mode(0o755)).unwrap();
    let mut launch = data.launch("");
    launch.argv = vec![data.path("bad").display().to_string()];
    let exit = Session::start_in(&data.path("data/sessions/own"), &launch).exit();
    assert!(
        matches!(
            exit.ending,
            Ending::NotStarted {
                reason: NotStarted::CommandNotFound,
                ..
            }
        ),
        "{exit:?}"
    );
}

#[test]
fn failing_sandbox_stops_the_session() {
    let data = Data::new();
    let mut launch = data.launch("echo ran");
    launch.cwd = data.path("data/sessions/other");
    let mut session = Session::start_in(&data.path("data/sessions/own"), &launch);
    let exit = session.exit();
    if let Ending::Exited { .. } = exit.ending {
        assert!(!is_held(&exit));
        return;
    }
    let Ending::NotStarted { reason, detail } = exit.ending else {
        panic!("{:?}", exit.ending)
    };
    assert_eq!(reason, NotStarted::NotConfined);
    assert!(detail.contains("enter the working directory"), "{detail}");
    assert_eq!(session.stdout(), b"");
}

/// The sandboxes of root and of other users are created differently. As root, this test acts as
/// another user.
#[test]
fn sandbox_works_for_another_user() {
    if !nix::unistd::geteuid().is_root() {
        println!("skipped: the other tests ran as another user");
        return;
    }
    let data = Data::new();
    // A keeper that others can't execute, as in a checkout below root's home, is copied.
    let keeper = data.path("keeper");
    fs::copy(crate::support::keeper(), &keeper).unwrap();
    let own = data.path("data/sessions/own");
    data.launch(&format!(
        "{ATTEMPTS}\nid -u; sudo -n true && echo sudo yes; touch /etc/baton-was-here && echo root yes"
    ))
    .write(&own)
    .unwrap();
    let nobody = nix::unistd::User::from_name("nobody")
        .unwrap()
        .expect("nobody");
    give_all(data.home.path(), nobody.uid.as_raw(), nobody.gid.as_raw());
    let mut command = Command::new("setpriv");
    command.args([
        "--reuid",
        "nobody",
        "--regid",
        &nobody.gid.to_string(),
        "--clear-groups",
    ]);
    assert!(command.arg(&keeper).arg(&own).status().unwrap().success());
    let exit = Exit::read(&own).unwrap().unwrap();
    if !is_held(&exit) {
        return;
    }
    let said = fs::read_to_string(own.join("stdout")).unwrap();
    let succeeded: Vec<&str> = said
        .lines()
        .filter_map(|line| line.strip_suffix(" yes"))
        .collect();
    assert_eq!(
        succeeded,
        ["context", "output", "worktree", "config", "elsewhere"],
        "{said}"
    );
    assert!(
        said.contains(&format!("\n{}\n", nobody.uid)),
        "its user is the same inside: {said}"
    );
}

fn give_all(path: &Path, uid: u32, gid: u32) {
    chown(path, Some(uid), Some(gid)).unwrap();
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            give_all(&entry.unwrap().path(), uid, gid);
        }
    }
}

#[test]
fn probe_agrees_with_sessions() {
    let home = TempDir::new().unwrap();
    let folder = home.path().join("probe");
    let probe = probe_sandbox(crate::support::keeper(), &folder).unwrap();
    assert!(!folder.exists(), "nothing is left of it");
    let data = Data::new();
    match data.start("true").exit().confinement {
        Confinement::Held { holds_signals } => {
            assert_eq!(probe, SandboxProbe::Holds { holds_signals })
        }
        _ => assert!(matches!(probe, SandboxProbe::Forbidden { .. }), "{probe:?}"),
    }
}
