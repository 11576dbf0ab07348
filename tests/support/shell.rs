//! The real `baton` command on a house's data, as a person at a shell would use it.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};

use crate::House;
use crate::house::program;

/// A shell in the place where a house's plans work.
pub struct Shell {
    data: PathBuf,
    place: PathBuf,
}

/// What a command said, and how it ended.
#[derive(Debug)]
pub struct Said {
    /// The exit code; none when a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// A command that runs.
pub struct Running {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Shell {
    /// A shell on the data of `house`.
    #[must_use]
    pub fn of(house: &House) -> Self {
        Self {
            data: house.data().to_path_buf(),
            place: house.place.path().to_path_buf(),
        }
    }

    /// `baton` with these words, not started yet.
    #[must_use]
    pub fn baton(&self, words: &[&str]) -> Command {
        let mut command = Command::new(program("baton"));
        command
            .args(words)
            .arg("--data-dir")
            .arg(&self.data)
            .current_dir(&self.place)
            .stdin(Stdio::null());
        command
    }

    /// Carries a command out.
    #[must_use]
    pub fn say(&self, words: &[&str]) -> Said {
        let output = self.baton(words).output().expect("baton starts");
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        Said {
            code: output.status.code(),
            out: text(&output.stdout),
            err: text(&output.stderr),
        }
    }

    /// Starts a command and leaves it running.
    #[must_use]
    pub fn start(&self, words: &[&str]) -> Running {
        Running::new(self.baton(words))
    }

    /// Writes a plan file into the place where plans work; returns its path.
    #[must_use]
    pub fn plan_file(&self, name: &str, text: &str) -> String {
        let path = self.place.join(name);
        std::fs::write(&path, text).expect("room");
        path.display().to_string()
    }
}

impl Running {
    /// Starts `command`.
    #[must_use]
    pub fn new(command: Command) -> Self {
        Self::complaining_to(command, Stdio::null())
    }

    /// Starts `command` with its standard error in `place`.
    #[must_use]
    pub fn complaining_to(mut command: Command, place: impl Into<Stdio>) -> Self {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(place)
            .spawn()
            .expect("baton starts");
        let lines = BufReader::new(child.stdout.take().expect("it is piped"));
        Self { child, lines }
    }

    /// The next line that it prints; none when it has ended.
    pub fn line(&mut self) -> Option<String> {
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
