//! Starts sessions in temporary folders, and waits for conditions with a deadline.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use baton_keeper::{Connection, Event, Exit, Launch, MARK_VARIABLE, Stdin, spawn};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tempfile::TempDir;

/// Far more than any test takes on a busy machine.
pub(crate) const DEADLINE: Duration = Duration::from_secs(30);

/// The keeper under test.
pub(crate) fn keeper() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_baton-keeper"))
}

/// A launch of `argv` in `/`, with a unique mark.
pub(crate) fn launch(argv: &[&str]) -> Launch {
    static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let next = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    Launch {
        argv: argv.iter().map(|one| (*one).to_owned()).collect(),
        cwd: PathBuf::from("/"),
        env: BTreeMap::from([("PATH".to_owned(), "/usr/local/bin:/usr/bin:/bin".to_owned())]),
        mark: format!("test-{}-{next}", std::process::id()),
        stdin: Stdin::Null,
        first_input: Vec::new(),
        timeout_ms: None,
        grace_ms: 3000,
        sandbox: None,
    }
}

/// A launch of a shell script.
pub(crate) fn script(text: &str) -> Launch {
    launch(&["sh", "-c", text])
}

/// A session whose keeper was started by the test.
pub(crate) struct Session {
    pub(crate) folder: PathBuf,
    pub(crate) mark: String,
    pub(crate) keeper: Keeper,
    pub(crate) app: Connection,
    _home: Option<TempDir>,
}

impl Session {
    /// Starts a session in a temporary folder.
    pub(crate) fn start(launch: &Launch) -> Session {
        let home = TempDir::new().unwrap();
        // Within this test's own folder: other sessions in it would count as sessions of the same
        // data directory.
        let folder = home.path().join("sessions/own");
        std::fs::create_dir_all(&folder).unwrap();
        let mut session = Session::start_in(&folder, launch);
        session._home = Some(home);
        session
    }

    /// Starts a session in an existing folder.
    pub(crate) fn start_in(folder: &Path, launch: &Launch) -> Session {
        launch.write(folder).unwrap();
        let (keeper, stream) = spawn(self::keeper(), folder).unwrap();
        Session::new(folder, launch, keeper, stream)
    }

    /// Starts a session whose keeper has one more environment variable.
    pub(crate) fn start_with(
        folder: &Path,
        launch: &Launch,
        (name, value): (&str, String),
    ) -> Session {
        launch.write(folder).unwrap();
        let (ours, theirs) = UnixStream::pair().unwrap();
        let mut command = Command::new(self::keeper());
        command
            .arg(folder)
            .env(name, value)
            .stdin(Stdio::from(OwnedFd::from(theirs)));
        Session::new(folder, launch, command.spawn().unwrap(), ours)
    }

    fn new(folder: &Path, launch: &Launch, keeper: Child, stream: UnixStream) -> Session {
        Session {
            folder: folder.to_owned(),
            mark: launch.mark.clone(),
            keeper: Keeper(keeper),
            app: connection(stream),
            _home: None,
        }
    }

    /// Waits for the end; the last event and the record must agree.
    pub(crate) fn exit(&mut self) -> Exit {
        let told = exit(&mut self.app);
        assert_eq!(Exit::read(&self.folder).unwrap().as_ref(), Some(&told));
        assert!(self.keeper.wait().unwrap().success());
        told
    }

    pub(crate) fn stdout(&self) -> Vec<u8> {
        match std::fs::read(self.folder.join("stdout")) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            read => read.unwrap(),
        }
    }

    /// Waits until the program has printed a line that starts with `beginning`, and returns the
    /// rest of that line.
    pub(crate) fn printed(&self, beginning: &str) -> String {
        eventually(beginning, || {
            let text = std::fs::read_to_string(self.folder.join("stdout")).unwrap_or_default();
            text.split_inclusive('\n')
                .filter_map(|line| {
                    line.strip_suffix('\n')?
                        .strip_prefix(beginning)
                        .map(|rest| rest.trim().to_owned())
                })
                .next()
        })
    }

    /// The living processes with the session's mark.
    pub(crate) fn marked(&self) -> Vec<i32> {
        marked(&self.mark)
    }
}

/// A keeper that is killed if the test fails.
pub(crate) struct Keeper(Child);

impl Deref for Keeper {
    type Target = Child;

    fn deref(&self) -> &Child {
        &self.0
    }
}

impl DerefMut for Keeper {
    fn deref_mut(&mut self) -> &mut Child {
        &mut self.0
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        if let Ok(None) = self.0.try_wait() {
            let _ = kill(Pid::from_raw(self.0.id() as i32), Signal::SIGTERM);
            drop(self.0.wait());
        }
    }
}

pub(crate) fn connection(stream: UnixStream) -> Connection {
    let connection = Connection::new(stream);
    connection.set_read_timeout(Some(DEADLINE)).unwrap();
    connection
}

/// Receives until the exit event, which must be the last one.
pub(crate) fn exit(connection: &mut Connection) -> Exit {
    let exit = receive(connection, |event| match event {
        Event::Exited { exit } => Some(exit),
        _ => None,
    });
    assert_eq!(
        connection.receive().unwrap(),
        None,
        "nothing comes after the exit"
    );
    exit
}

/// Receives until `choose` accepts an event.
pub(crate) fn receive<T>(connection: &mut Connection, choose: impl Fn(Event) -> Option<T>) -> T {
    loop {
        let event = connection
            .receive()
            .unwrap()
            .expect("the keeper ended the connection early");
        if let Some(chosen) = choose(event) {
            return chosen;
        }
    }
}

/// Waits for a condition.
pub(crate) fn eventually<T>(what: &str, look: impl Fn() -> Option<T>) -> T {
    let deadline = Instant::now() + DEADLINE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < deadline, "in vain: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The living processes with a mark; independent of the library's own search.
pub(crate) fn marked(mark: &str) -> Vec<i32> {
    let entry = format!("{MARK_VARIABLE}={mark}");
    let pids = std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().to_str()?.parse().ok());
    pids.filter(|pid| {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment
            .split(|byte| *byte == 0)
            .any(|one| one == entry.as_bytes())
    })
    .collect()
}

/// Whether a process is running, and not a zombie.
pub(crate) fn runs(pid: i32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| !stat[stat.rfind(')').unwrap()..].starts_with(") Z"))
}
