//! A session of a real agent with the scripted model, driven as the engine drives it.

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

/// The timeout of a session, which usually takes about a second.
const DEADLINE: Duration = Duration::from_secs(60);

/// Returns the program of an agent: the path in `BATON_TEST_<NAME>`, or the one that `cargo xtask
/// test` installs.
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

/// Configures a real agent for the scripted model: writes its settings to `home`, and returns its
/// environment variables.
pub(crate) type Settings = fn(home: &Path, base_url: &str) -> Vec<(&'static str, String)>;

/// A running session in a directory with its own home.
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

/// The environment of consecutive sessions.
pub(crate) struct Place {
    pub(crate) cwd: TempDir,
    pub(crate) home: TempDir,
    pub(crate) api: ModelApi,
}

/// The result of a session whose process has exited.
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

    /// Returns a task in this environment, modified by `change`.
    pub(crate) fn task(&self, change: impl FnOnce(&mut Task)) -> Task {
        let mut task = Task {
            session: Uuid::new_v4(),
            cwd: self.cwd.path().to_string_lossy().into_owned(),
            prompt: "-p begins like a flag and goes on\nover \"two\" lines.".to_owned(),
            model: None,
            resume: None,
            tool_server: None,
            scope: ToolScope::default(),
            handoff_prompt: "Write the handoff. It begins with **What was done:**".to_owned(),
        };
        change(&mut task);
        task
    }

    /// Starts a session of `adapter` in this environment.
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
                // An agent that rejects its first line may have exited before the second.
                (InputMessage::Text(text), Some(stdin)) => {
                    stdin.write_all(text.as_bytes()).unwrap_or_default()
                }
                (InputMessage::Close, stdin) => *stdin = None,
                (InputMessage::Quote(quote), _) => panic!("unexpected secret: {quote:?}"),
                (InputMessage::Text(text), None) => {
                    panic!("unexpected input after the end: {text}")
                }
            }
        }
    }

    /// Reads and answers until `done` returns true or the output ends. Returns whether `done` did.
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
                            .expect("no gap in the output");
                    }
                    self.events.extend(self.driver.handle_line(stream, &line));
                    let inputs = self.driver.take_inputs();
                    self.write(inputs);
                }
                Err(RecvTimeoutError::Disconnected) => return false,
                Err(RecvTimeoutError::Timeout) => {
                    panic!("timed out after {DEADLINE:?}; so far: {:#?}", self.events)
                }
            }
        }
        true
    }

    /// Waits until the session requests permission.
    pub(crate) fn until_asked(&mut self) -> baton_agents::PermissionRequest {
        assert!(
            self.wait_until(|driver, _| !driver.pending_permissions().is_empty()),
            "no permission was requested: {:#?}",
            self.events
        );
        self.driver.pending_permissions()[0].clone()
    }

    /// Waits for the process to exit.
    pub(crate) fn end(mut self) -> Ended {
        self.wait_until(|_, _| false);
        let status = self.child.wait().expect("the process is a child");
        let exit = ProcessEnd::Exited(status.code().expect("no signal was sent"));
        Ended {
            verdict: self.driver.verdict(&exit),
            driver: self.driver,
            events: self.events,
            written: self.written,
            timeline: self.timeline,
            place: self.place,
        }
    }

    /// Kills an agent that wouldn't exit by itself.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("the process is a child");
        self.child.wait().expect("the process is a child");
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

    /// Returns the keys of the written inputs, except for answers and status requests.
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
            "this version prints messages that Baton doesn't support: {unknown:#?}"
        );
    }

    /// Checks that the complete handoff was received.
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
