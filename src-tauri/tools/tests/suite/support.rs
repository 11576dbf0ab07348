//! A temporary working directory, and running `baton-tool` in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use baton_tools::Event;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The time limit for everything in these tests.
pub(crate) const DEADLINE: Duration = Duration::from_secs(20);

/// A temporary working directory.
pub(crate) struct TestWorkspace {
    folder: TempDir,
}

/// The result of running the program.
#[derive(Debug)]
pub(crate) struct ToolRun {
    pub(crate) code: Option<i32>,
    pub(crate) events: Vec<Event>,
    /// The raw standard output.
    pub(crate) stdout: String,
    /// The content of the outputs file.
    pub(crate) outputs: String,
}

impl TestWorkspace {
    pub(crate) fn new() -> Self {
        Self {
            folder: TempDir::new().expect("a folder"),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("enough disk space");
        fs::write(&path, text).expect("enough disk space");
        path
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap_or_default()
    }

    /// Waits until a file exists and isn't empty.
    pub(crate) fn wait_for(&self, name: &str) -> String {
        wait_until(&format!("{name} is written"), || {
            !self.read(name).is_empty()
        });
        self.read(name)
    }

    /// Starts a job of this kind with further keys.
    pub(crate) fn start(&self, kind: &str, more: Value) -> Child {
        let mut work = json!({ "kind": kind, "directory": self.path() });
        work.as_object_mut()
            .expect("a mapping")
            .extend(more.as_object().expect("a mapping").clone());
        let path = self.write(".work.json", &work.to_string());
        Command::new(env!("CARGO_BIN_EXE_baton-tool"))
            .args(["run".as_ref(), path.as_os_str()])
            .env("BATON_OUTPUT", self.path().join(".outputs"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts")
    }

    /// Runs a job of this kind to its end.
    pub(crate) fn run(&self, kind: &str, more: Value) -> ToolRun {
        let child = self.start(kind, more);
        self.end(child)
    }

    /// Waits until the program exits.
    pub(crate) fn end(&self, child: Child) -> ToolRun {
        let output = child.wait_with_output().expect("the program exits");
        let stdout = String::from_utf8(output.stdout).expect("text");
        let events = stdout
            .lines()
            .map(|line| serde_json::from_str(line).expect(line))
            .collect();
        ToolRun {
            code: output.status.code(),
            events,
            stdout,
            outputs: self.read(".outputs"),
        }
    }

    pub(crate) fn call(&self, tool: &str, args: Value) -> ToolRun {
        self.run("call", json!({ "call": call(tool, args) }))
    }

    /// Makes a call that must succeed, and returns its value.
    pub(crate) fn value(&self, tool: &str, args: Value) -> Value {
        self.call(tool, args).value()
    }

    /// Makes a call that must fail, and returns the message.
    pub(crate) fn failure(&self, tool: &str, args: Value) -> String {
        self.call(tool, args).failure()
    }
}

impl ToolRun {
    /// Returns the value of a job that must have succeeded.
    pub(crate) fn value(&self) -> Value {
        match self.events.last() {
            Some(Event::End {
                ok: true,
                value: Some(value),
                ..
            }) if self.code == Some(0) => value.clone(),
            _ => panic!("not done: {self:?}"),
        }
    }

    /// Returns the message of a job that must have failed.
    pub(crate) fn failure(&self) -> String {
        match self.events.last() {
            Some(Event::End {
                ok: false,
                message: Some(message),
                ..
            }) if self.code == Some(1) => message.clone(),
            _ => panic!("did not fail: {self:?}"),
        }
    }

    /// Returns the partial value.
    pub(crate) fn rest(&self) -> Value {
        match self.events.last() {
            Some(Event::End {
                value: Some(value), ..
            }) => value.clone(),
            _ => panic!("gave nothing: {self:?}"),
        }
    }
}

pub(crate) fn call(tool: &str, args: Value) -> Value {
    json!({ "toolName": tool, "toolArgs": args })
}

/// A call of the tool `shell`.
pub(crate) fn line(command: &str) -> Value {
    call("shell", json!({ "command": command }))
}

/// Waits until a condition holds.
pub(crate) fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let since = Instant::now();
    while !holds() {
        assert!(since.elapsed() < DEADLINE, "never: {what}");
        sleep(Duration::from_millis(5));
    }
}

/// Returns whether a process is running; a zombie is not.
pub(crate) fn is_alive(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    stat.rsplit_once(')')
        .is_some_and(|(_, rest)| !rest.trim_start().starts_with(['Z', 'X']))
}
