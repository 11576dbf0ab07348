//! A session of a real agent, driven as the engine drives it, in an empty directory with its own
//! home.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use baton_agents::timeline::ReadAt;
use baton_agents::{
    Adapter, Driver, Input, InputMessage, ProcessEnd, SessionEvent, Stream, Task, TimelineEntry,
    TimelineIndex, ToolScope, Verdict,
};
use tempfile::TempDir;
use uuid::Uuid;

/// The timeout of a session. The slowest agent takes about ten seconds.
const DEADLINE: Duration = Duration::from_secs(120);

/// Returns the program of an agent: the path in `variable`, or where `cargo xtask test` installs
/// it.
///
/// # Panics
/// If the program is missing: a skipped test would prove nothing.
#[must_use]
pub(crate) fn program(variable: &str, name: &str) -> PathBuf {
    let installed = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../target/tools")
        .join(name)
        .join("node_modules/.bin")
        .join(name);
    let program = std::env::var_os(variable).map_or(installed, PathBuf::from);
    assert!(
        program.exists(),
        "the real {name} is not at {}: run `cargo xtask test`, which installs it, or set {variable}",
        program.display()
    );
    program
}

/// The configuration of a session.
pub(crate) struct Setting {
    cwd: TempDir,
    home: TempDir,
    /// The agent's task, which may be changed before the start.
    pub(crate) task: Task,
    /// The agent's environment variables.
    pub(crate) env: Vec<(String, String)>,
}

pub(crate) struct AgentSession {
    driver: Box<dyn Driver>,
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<(Stream, Vec<u8>)>,
    log: Log,
    index: TimelineIndex,
    events: Vec<SessionEvent>,
    written: Vec<String>,
    setting: Setting,
    deadline: Instant,
}

/// The result of a session whose process has exited.
pub(crate) struct Ended {
    /// The driver's verdict.
    pub(crate) verdict: Verdict,
    pub(crate) driver: Box<dyn Driver>,
    /// All events of the driver.
    pub(crate) events: Vec<SessionEvent>,
    /// The keys of all inputs, in order.
    pub(crate) written: Vec<String>,
    /// The timeline of the output.
    pub(crate) timeline: Vec<TimelineEntry>,
    setting: Setting,
}

/// The output of a session.
#[derive(Default)]
struct Log {
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

impl ReadAt for Log {
    fn read_at(
        &mut self,
        stream: Stream,
        offset: u64,
        buffer: &mut [u8],
    ) -> std::io::Result<usize> {
        let bytes = if stream == Stream::Stdout {
            &self.stdout
        } else {
            &self.stderr
        };
        let rest = bytes
            .get(usize::try_from(offset).map_err(std::io::Error::other)?..)
            .unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}

impl Setting {
    /// A task that asks for a handoff.
    #[must_use]
    pub(crate) fn new() -> Self {
        let (cwd, home) = (
            TempDir::new().expect("a folder"),
            TempDir::new().expect("a folder"),
        );
        let task = Task {
            session: Uuid::new_v4(),
            // Agents resolve links in paths differently, so that this path has none.
            cwd: cwd
                .path()
                .canonicalize()
                .expect("the folder exists")
                .to_string_lossy()
                .into_owned(),
            prompt: "-p begins like a flag and goes on\nover \"two\" lines.".to_owned(),
            model: None,
            resume: None,
            tool_server: None,
            scope: ToolScope::default(),
            handoff_prompt: "Write the handoff. It begins with **What was done:**".to_owned(),
        };
        Self {
            cwd,
            home,
            task,
            env: Vec::new(),
        }
    }

    #[must_use]
    pub(crate) fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.env.push((name.to_owned(), value.into()));
        self
    }

    /// Writes a file to the home folder.
    ///
    /// # Panics
    /// If the file can't be written.
    #[must_use]
    pub(crate) fn with_file(self, path: &str, text: &str) -> Self {
        let file = self.home.path().join(path);
        std::fs::create_dir_all(file.parent().expect("the path is in the home folder"))
            .expect("the home folder is writable");
        std::fs::write(file, text).expect("the home folder is writable");
        self
    }

    /// Starts `adapter`'s program.
    ///
    /// # Panics
    /// If it doesn't start.
    #[must_use]
    pub(crate) fn start(self, adapter: &dyn Adapter) -> AgentSession {
        let plan = adapter.launch(&self.task);
        let mut command = Command::new(&plan.argv[0]);
        command
            .args(&plan.argv[1..])
            .current_dir(self.cwd.path())
            .env_clear();
        command
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
            .env("HOME", self.home.path());
        command
            .env("TERM", "dumb")
            .envs(self.env.iter().cloned())
            .envs(plan.env);
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
        let mut session = AgentSession {
            driver: adapter.driver(&self.task),
            stdin: child.stdin.take(),
            child,
            lines,
            log: Log::default(),
            index: TimelineIndex::new(adapter.log_format()),
            events: Vec::new(),
            written: Vec::new(),
            setting: self,
            deadline: Instant::now() + DEADLINE,
        };
        session.write(plan.first_inputs);
        session
    }
}

impl Default for Setting {
    fn default() -> Self {
        Self::new()
    }
}

impl AgentSession {
    /// Writes inputs to the agent.
    ///
    /// # Panics
    /// If an input follows the end of the input.
    pub(crate) fn write(&mut self, inputs: impl IntoIterator<Item = Input>) {
        for input in inputs {
            match (input.message, &mut self.stdin) {
                (InputMessage::Text(text), Some(stdin)) => {
                    self.index.record_outgoing(&text);
                    // An agent that has exited reads nothing. The test checks how it ended.
                    stdin.write_all(text.as_bytes()).ok();
                }
                (InputMessage::Close, stdin) => *stdin = None,
                (InputMessage::Quote(quote), _) => panic!("unexpected secret: {quote:?}"),
                (InputMessage::Text(text), None) => {
                    panic!("unexpected input after the end: {text}")
                }
            }
            self.written.push(input.key);
        }
    }

    /// Returns the driver, to answer a request or to interrupt.
    pub(crate) fn driver(&mut self) -> &mut dyn Driver {
        &mut *self.driver
    }

    /// Reads and answers until `done` returns true or the output ends. Returns whether `done` did.
    ///
    /// # Panics
    /// On a timeout.
    pub(crate) fn wait_until(
        &mut self,
        mut done: impl FnMut(&dyn Driver, &[SessionEvent]) -> bool,
    ) -> bool {
        while !done(&*self.driver, &self.events) {
            let left = self.deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok((stream, line)) => self.handle_line(stream, line),
                Err(RecvTimeoutError::Disconnected) => return false,
                Err(RecvTimeoutError::Timeout) => {
                    self.child.kill().ok();
                    panic!("timed out after {DEADLINE:?}; so far: {:#?}", self.events);
                }
            }
        }
        true
    }

    fn handle_line(&mut self, stream: Stream, mut line: Vec<u8>) {
        self.events.extend(self.driver.handle_line(stream, &line));
        let inputs = self.driver.take_inputs();
        self.write(inputs);
        line.push(b'\n');
        let bytes = if stream == Stream::Stdout {
            &mut self.log.stdout
        } else {
            &mut self.log.stderr
        };
        let offset = bytes.len() as u64;
        bytes.extend(&line);
        self.index.feed(stream, offset, &line).expect("no gap");
    }

    /// Waits for the process to exit.
    ///
    /// # Panics
    /// On a timeout.
    #[must_use]
    pub(crate) fn end(mut self) -> Ended {
        self.wait_until(|_, _| false);
        let status = self.child.wait().expect("the process is a child");
        let exit = status
            .code()
            .map_or(ProcessEnd::Signaled(9), ProcessEnd::Exited);
        self.index.finish();
        Ended {
            verdict: self.driver.verdict(&exit),
            timeline: self
                .index
                .page(0..u64::MAX, &mut self.log)
                .expect("the log is in memory"),
            driver: self.driver,
            events: self.events,
            written: self.written,
            setting: self.setting,
        }
    }

    /// The agent's working directory.
    #[must_use]
    pub(crate) fn folder(&self) -> &Path {
        self.setting.cwd.path()
    }
}

impl Ended {
    /// The agent's working directory.
    #[must_use]
    pub(crate) fn folder(&self) -> &Path {
        self.setting.cwd.path()
    }
}
