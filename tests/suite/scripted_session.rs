//! A session of a real agent against the scripted model, driven the way the engine drives it.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use baton_agents::{
    Adapter, Driver, Input, InputMessage, ProcessEnd, SessionEvent, Stream, Task, TimelineIndex,
    ToolScope, Verdict,
};
use baton_tests::model_api::ModelApi;
use tempfile::TempDir;
use uuid::Uuid;

/// The longest that a session may take here; one takes about a second.
const DEADLINE: Duration = Duration::from_secs(60);

/// The program of an agent: `BATON_TEST_<NAME>` names it, else the one that `cargo xtask test` installs is taken.
pub(crate) fn program(command: &str) -> PathBuf {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/tools");
    let installed = tools.join(command).join("node_modules/.bin").join(command);
    let variable = format!("BATON_TEST_{}", command.to_uppercase());
    let program = std::env::var_os(&variable).map_or(installed, PathBuf::from);
    assert!(
        program.exists(),
        "the real {command} is not at {}: run `cargo xtask test`, which installs it, or set {variable}",
        program.display()
    );
    program
}

/// Lets a real agent find the scripted model: writes its settings into `home`, and returns variables for it.
pub(crate) type Settings = fn(home: &Path, base_url: &str) -> Vec<(&'static str, String)>;

/// A living session in a directory and with a home of its own.
pub(crate) struct Session {
    pub(crate) driver: Box<dyn Driver>,
    pub(crate) place: Place,
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<(Stream, Vec<u8>)>,
    events: Vec<SessionEvent>,
    written: Vec<String>,
    timeline: TimelineIndex,
    deadline: Instant,
}

/// Where sessions take place, one after the other.
pub(crate) struct Place {
    pub(crate) cwd: TempDir,
    pub(crate) home: TempDir,
    pub(crate) api: ModelApi,
}

/// What is left of a session when its process is gone.
pub(crate) struct Ended {
    pub(crate) verdict: Verdict,
    pub(crate) driver: Box<dyn Driver>,
    pub(crate) events: Vec<SessionEvent>,
    /// The keys of all inputs, in order.
    pub(crate) written: Vec<String>,
    pub(crate) place: Place,
    pub(crate) timeline: TimelineIndex,
}

impl Place {
    pub(crate) fn new() -> Self {
        let folder = || TempDir::new().expect("a folder");
        Self {
            cwd: folder(),
            home: folder(),
            api: ModelApi::start().expect("a port is free"),
        }
    }

    /// A task in this place, changed.
    pub(crate) fn task(&self, change: impl FnOnce(&mut Task)) -> Task {
        let mut task = Task {
            session: Uuid::new_v4(),
            cwd: self.cwd.path().to_string_lossy().into_owned(),
            prompt: "-p begins like a flag and goes on\nover \"two\" lines.".to_owned(),
            model: None,
            resume: None,
            scope: ToolScope::default(),
            handoff_prompt: "Write the handoff. It begins with **What was done:**".to_owned(),
        };
        change(&mut task);
        task
    }

    /// Starts a session of `adapter`.
    pub(crate) fn start(
        self,
        adapter: &dyn Adapter,
        task: &Task,
        scenario: &str,
        settings: Settings,
    ) -> Session {
        let plan = adapter.launch(task);
        let mut command = Command::new(&plan.argv[0]);
        command
            .args(&plan.argv[1..])
            .current_dir(self.cwd.path())
            .env_clear();
        command
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
            .env("HOME", self.home.path());
        command
            .envs(plan.env)
            .envs(settings(self.home.path(), &self.api.base_url(scenario)));
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("the agent starts");
        let (sender, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().expect("stdout is piped"));
        let stderr = BufReader::new(child.stderr.take().expect("stderr is piped"));
        let errors = sender.clone();
        std::thread::spawn(move || {
            stdout
                .split(b'\n')
                .flatten()
                .try_for_each(|line| sender.send((Stream::Stdout, line)))
        });
        std::thread::spawn(move || {
            stderr
                .split(b'\n')
                .flatten()
                .try_for_each(|line| errors.send((Stream::Stderr, line)))
        });
        let mut session = Session {
            driver: adapter.driver(task),
            stdin: child.stdin.take(),
            child,
            lines,
            events: Vec::new(),
            written: Vec::new(),
            timeline: TimelineIndex::new(adapter.log_format()),
            place: self,
            deadline: Instant::now() + DEADLINE,
        };
        session.write(plan.first_inputs);
        session
    }
}

impl Session {
    pub(crate) fn write(&mut self, inputs: impl IntoIterator<Item = Input>) {
        for input in inputs {
            self.written.push(input.key);
            match (input.message, &mut self.stdin) {
                // An agent that refuses its first line may be gone before the second.
                (InputMessage::Text(text), Some(stdin)) => {
                    stdin.write_all(text.as_bytes()).unwrap_or_default()
                }
                (InputMessage::Close, stdin) => *stdin = None,
                (InputMessage::Quote(quote), _) => panic!("no secret is said here, but: {quote:?}"),
                (InputMessage::Text(text), None) => {
                    panic!("nothing follows the end of the input, but: {text}")
                }
            }
        }
    }

    /// Reads and answers until `done` says so, or the output ends. Returns whether `done` did.
    pub(crate) fn wait_until(
        &mut self,
        mut done: impl FnMut(&dyn Driver, &[SessionEvent]) -> bool,
    ) -> bool {
        while !done(&*self.driver, &self.events) {
            let left = self.deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok((stream, line)) => {
                    if stream == Stream::Stdout {
                        let at = self.timeline.position(stream);
                        let whole = [line.as_slice(), b"\n"].concat();
                        self.timeline
                            .feed(stream, at, &whole)
                            .expect("nothing is left out");
                    }
                    self.events.extend(self.driver.handle_line(stream, &line));
                    let inputs = self.driver.take_inputs();
                    self.write(inputs);
                }
                Err(RecvTimeoutError::Disconnected) => return false,
                Err(RecvTimeoutError::Timeout) => {
                    panic!("no end within {DEADLINE:?}; so far: {:#?}", self.events)
                }
            }
        }
        true
    }

    /// Waits until the session asks for leave.
    pub(crate) fn until_asked(&mut self) -> baton_agents::PermissionRequest {
        assert!(
            self.wait_until(|driver, _| !driver.pending_permissions().is_empty()),
            "it has to ask: {:#?}",
            self.events
        );
        self.driver.pending_permissions()[0].clone()
    }

    /// Waits for the end of the process.
    pub(crate) fn end(mut self) -> Ended {
        self.wait_until(|_, _| false);
        let status = self.child.wait().expect("it is our child");
        let exit = ProcessEnd::Exited(status.code().expect("nobody sent a signal"));
        Ended {
            verdict: self.driver.verdict(&exit),
            driver: self.driver,
            events: self.events,
            written: self.written,
            timeline: self.timeline,
            place: self.place,
        }
    }

    /// Kills an agent that would go on for ever.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("it is our child");
        self.child.wait().expect("it is our child");
    }
}

impl Ended {
    pub(crate) fn has_file(&self, name: &str) -> bool {
        self.place.cwd.path().join(name).exists()
    }

    pub(crate) fn prompts(&self) -> Vec<String> {
        self.place
            .api
            .seen()
            .into_iter()
            .map(|seen| seen.prompt)
            .collect()
    }

    /// The keys of what was written, without those of answers and of questions for the state.
    pub(crate) fn keys(&self) -> Vec<&str> {
        let noise = ["answer:", "settled:", "state"];
        let keys = self.written.iter().map(String::as_str);
        keys.filter(|key| !noise.iter().any(|noise| key.starts_with(noise)))
            .collect()
    }

    pub(crate) fn assert_known(&self) {
        let unknown: Vec<_> = self
            .events
            .iter()
            .filter(|event| matches!(event, SessionEvent::Unknown { .. }))
            .collect();
        assert!(
            unknown.is_empty(),
            "this version says things that Baton does not know: {unknown:#?}"
        );
    }

    /// Whether the handoff came, whole.
    pub(crate) fn assert_handed_on(&self) {
        assert_eq!(self.verdict, Verdict::Succeeded, "{:#?}", self.events);
        let handoff = self.driver.handoff().unwrap_or_default();
        assert!(
            handoff.contains("**Files changed:**"),
            "{handoff:?} {:#?}",
            self.events
        );
    }
}
