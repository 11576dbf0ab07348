//! A session of a real agent, driven the way the engine drives it, in an empty directory with a home of its own.

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

/// The longest that a session may take; the slowest agent takes some ten seconds.
const DEADLINE: Duration = Duration::from_secs(120);

/// The program of an agent that the tests need: where `variable` says, else where `cargo xtask test` installs it.
///
/// # Panics
/// When it is not there: a test that is passed over says nothing.
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

/// What a session begins with.
pub(crate) struct Setting {
    cwd: TempDir,
    home: TempDir,
    /// What the agent is asked; change it before the start.
    pub(crate) task: Task,
    /// The variables that it is started with.
    pub(crate) env: Vec<(String, String)>,
}

/// A running session.
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

/// What is left of a session when its process is gone.
pub(crate) struct Ended {
    /// What the driver makes of it.
    pub(crate) verdict: Verdict,
    /// The driver.
    pub(crate) driver: Box<dyn Driver>,
    /// Everything that it told.
    pub(crate) events: Vec<SessionEvent>,
    /// The keys of all inputs, in order.
    pub(crate) written: Vec<String>,
    /// The timeline of what was printed.
    pub(crate) timeline: Vec<TimelineEntry>,
    setting: Setting,
}

/// What a session printed.
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
            // What agents make of a path that leads through a link differs; this one leads through none.
            cwd: cwd
                .path()
                .canonicalize()
                .expect("the folder is there")
                .to_string_lossy()
                .into_owned(),
            prompt: "-p begins like a flag and goes on\nover \"two\" lines.".to_owned(),
            model: None,
            resume: None,
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

    /// Adds a variable.
    #[must_use]
    pub(crate) fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.env.push((name.to_owned(), value.into()));
        self
    }

    /// Puts a file into the home folder.
    ///
    /// # Panics
    /// When it cannot be written.
    #[must_use]
    pub(crate) fn with_file(self, path: &str, text: &str) -> Self {
        let file = self.home.path().join(path);
        std::fs::create_dir_all(file.parent().expect("it is below the home folder"))
            .expect("the home folder is ours");
        std::fs::write(file, text).expect("the home folder is ours");
        self
    }

    /// Starts `adapter`'s program.
    ///
    /// # Panics
    /// When it does not start.
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
    /// Writes to the agent.
    ///
    /// # Panics
    /// When something follows the end of the input.
    pub(crate) fn write(&mut self, inputs: impl IntoIterator<Item = Input>) {
        for input in inputs {
            match (input.message, &mut self.stdin) {
                (InputMessage::Text(text), Some(stdin)) => {
                    self.index.record_outgoing(&text);
                    // An agent that has gone reads no more; its end is what the test looks at.
                    stdin.write_all(text.as_bytes()).ok();
                }
                (InputMessage::Close, stdin) => *stdin = None,
                (InputMessage::Quote(quote), _) => panic!("no secret is said here, but: {quote:?}"),
                (InputMessage::Text(text), None) => {
                    panic!("nothing follows the end of the input, but: {text}")
                }
            }
            self.written.push(input.key);
        }
    }

    /// The driver, to answer or to interrupt.
    pub(crate) fn driver(&mut self) -> &mut dyn Driver {
        &mut *self.driver
    }

    /// Reads and answers until `done` says so, or the output ends. Returns whether `done` did.
    ///
    /// # Panics
    /// When neither comes before the deadline.
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
                    panic!("no end within {DEADLINE:?}; so far: {:#?}", self.events);
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

    /// Waits for the end of the process.
    ///
    /// # Panics
    /// When it does not come before the deadline.
    #[must_use]
    pub(crate) fn end(mut self) -> Ended {
        self.wait_until(|_, _| false);
        let status = self.child.wait().expect("it is our child");
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

    /// Where the agent works.
    #[must_use]
    pub(crate) fn folder(&self) -> &Path {
        self.setting.cwd.path()
    }
}

impl Ended {
    /// Where the agent worked.
    #[must_use]
    pub(crate) fn folder(&self) -> &Path {
        self.setting.cwd.path()
    }
}
