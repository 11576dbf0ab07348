//! Runs the real `baton` command on a test environment's data, as a person in a shell would.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};

use crate::TestEnvironment;
use crate::test_environment::program;

/// Starts commands in the working directory of an environment's plans.
pub struct Shell {
    data: PathBuf,
    work_dir: PathBuf,
}

/// The output and exit code of a command.
#[derive(Debug)]
pub struct CommandOutput {
    /// `None` if a signal ended it.
    pub code: Option<i32>,
    /// The whole standard output.
    pub out: String,
    /// The whole standard error.
    pub err: String,
}

/// A running command whose output can be read line by line.
pub struct RunningCommand {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Shell {
    /// Creates a shell on the data of `env`.
    #[must_use]
    pub fn new(env: &TestEnvironment) -> Self {
        Self {
            data: env.data().to_path_buf(),
            work_dir: env.work_dir.path().to_path_buf(),
        }
    }

    /// Returns `baton` with these arguments, not started yet.
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

    /// Runs a command to its end.
    #[must_use]
    pub fn run(&self, arguments: &[&str]) -> CommandOutput {
        CommandOutput::of(self.baton(arguments))
    }

    /// Starts a command and returns without waiting for it.
    #[must_use]
    pub fn start(&self, arguments: &[&str]) -> RunningCommand {
        RunningCommand::new(self.baton(arguments))
    }

    /// Writes a plan file to the plans' working directory, and returns its path.
    #[must_use]
    pub fn plan_file(&self, name: &str, text: &str) -> String {
        let path = self.work_dir.join(name);
        std::fs::write(&path, text).expect("enough disk space");
        path.display().to_string()
    }
}

impl CommandOutput {
    /// Runs `command` to its end.
    #[must_use]
    pub fn of(mut command: Command) -> Self {
        let output = command.output().expect("the program starts");
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        Self {
            code: output.status.code(),
            out: text(&output.stdout),
            err: text(&output.stderr),
        }
    }
}

impl RunningCommand {
    /// Starts `command` and discards its standard error.
    #[must_use]
    pub fn new(command: Command) -> Self {
        Self::with_stderr(command, Stdio::null())
    }

    /// Starts `command` with `work_dir` as its standard error.
    #[must_use]
    pub fn with_stderr(mut command: Command, work_dir: impl Into<Stdio>) -> Self {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(work_dir)
            .spawn()
            .expect("baton starts");
        let lines = BufReader::new(child.stdout.take().expect("stdout is piped"));
        Self { child, lines }
    }

    /// Returns the next line of output, or `None` at the end.
    pub fn next_line(&mut self) -> Option<String> {
        let mut line = String::new();
        (self.lines.read_line(&mut line).expect("text") > 0).then_some(line)
    }

    /// Kills the command with SIGKILL. Returns false if it had already exited.
    #[must_use]
    pub fn kill(mut self) -> bool {
        // It may exit at this moment.
        let _ = self.child.kill();
        self.child
            .wait()
            .expect("a child of this process")
            .code()
            .is_none()
    }

    /// Returns the process. Its output is discarded from now on.
    #[must_use]
    pub fn into_child(self) -> Child {
        self.child
    }

    /// Returns the process id.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the command to exit. Returns the rest of its output.
    #[must_use]
    pub fn end(mut self) -> (ExitStatus, String) {
        let mut rest = String::new();
        self.lines.read_to_string(&mut rest).expect("text");
        (self.child.wait().expect("a child of this process"), rest)
    }
}
