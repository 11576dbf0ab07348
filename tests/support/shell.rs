//! The real `baton` command on a test environment's data, as a person at a shell would use it.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};

use crate::TestEnvironment;
use crate::test_environment::program;

/// A shell in the directory where an environment's plans work.
pub struct Shell {
    data: PathBuf,
    work_dir: PathBuf,
}

/// What a command said, and how it ended.
#[derive(Debug)]
pub struct CommandOutput {
    /// The exit code; none when a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// A command that runs.
pub struct RunningCommand {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Shell {
    /// A shell on the data of `env`.
    #[must_use]
    pub fn new(env: &TestEnvironment) -> Self {
        Self {
            data: env.data().to_path_buf(),
            work_dir: env.work_dir.path().to_path_buf(),
        }
    }

    /// `baton` with these words, not started yet.
    #[must_use]
    pub fn baton(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(program("baton"));
        command
            .args(arguments)
            .arg("--data-dir")
            .arg(&self.data)
            .current_dir(&self.work_dir)
            .stdin(Stdio::null());
        command
    }

    /// Carries a command out.
    #[must_use]
    pub fn run(&self, arguments: &[&str]) -> CommandOutput {
        let output = self.baton(arguments).output().expect("baton starts");
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        CommandOutput {
            code: output.status.code(),
            out: text(&output.stdout),
            err: text(&output.stderr),
        }
    }

    /// Starts a command and leaves it running.
    #[must_use]
    pub fn start(&self, arguments: &[&str]) -> RunningCommand {
        RunningCommand::new(self.baton(arguments))
    }

    /// Writes a plan file into the place where plans work; returns its path.
    #[must_use]
    pub fn plan_file(&self, name: &str, text: &str) -> String {
        let path = self.work_dir.join(name);
        std::fs::write(&path, text).expect("room");
        path.display().to_string()
    }
}

impl RunningCommand {
    /// Starts `command`.
    #[must_use]
    pub fn new(command: Command) -> Self {
        Self::with_stderr(command, Stdio::null())
    }

    /// Starts `command` with its standard error in `work_dir`.
    #[must_use]
    pub fn with_stderr(mut command: Command, work_dir: impl Into<Stdio>) -> Self {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(work_dir)
            .spawn()
            .expect("baton starts");
        let lines = BufReader::new(child.stdout.take().expect("it is piped"));
        Self { child, lines }
    }

    /// The next line that it prints; none when it has ended.
    pub fn next_line(&mut self) -> Option<String> {
        let mut line = String::new();
        (self.lines.read_line(&mut line).expect("text") > 0).then_some(line)
    }

    /// Ends it with SIGKILL, unless it has ended by itself; whether it was killed.
    #[must_use]
    pub fn kill(mut self) -> bool {
        // It may have ended this moment.
        let _ = self.child.kill();
        self.child
            .wait()
            .expect("a child of this process")
            .code()
            .is_none()
    }

    /// The process itself; nobody listens to what it prints from now on.
    #[must_use]
    pub fn into_child(self) -> Child {
        self.child
    }

    /// The process's number.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Waits for its end; the rest of what it printed.
    #[must_use]
    pub fn end(mut self) -> (ExitStatus, String) {
        let mut rest = String::new();
        self.lines.read_to_string(&mut rest).expect("text");
        (self.child.wait().expect("a child of this process"), rest)
    }
}
