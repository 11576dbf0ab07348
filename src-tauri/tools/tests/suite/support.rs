//! A folder to work in, and the program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use baton_tools::Event;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The longest that anything may take here.
pub(crate) const DEADLINE: Duration = Duration::from_secs(20);

/// A folder of its own for one test.
pub(crate) struct TestWorkspace {
    folder: TempDir,
}

/// What the program did.
#[derive(Debug)]
pub(crate) struct ToolRun {
    pub(crate) code: Option<i32>,
    pub(crate) events: Vec<Event>,
    /// What it printed, as it is.
    pub(crate) stdout: String,
    /// The file of outputs.
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
        fs::create_dir_all(path.parent().expect("a folder")).expect("room");
        fs::write(&path, text).expect("room");
        path
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap_or_default()
    }

    /// Waits until a file is there and holds something.
    pub(crate) fn wait_for(&self, name: &str) -> String {
        wait_until(&format!("{name} is written"), || {
            !self.read(name).is_empty()
        });
        self.read(name)
    }

    /// Starts the work `kind` with more keys.
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
            .expect("it starts")
    }

    /// Does the work to its end.
    pub(crate) fn run(&self, kind: &str, more: Value) -> ToolRun {
        let child = self.start(kind, more);
        self.end(child)
    }

    /// Waits for the end of what was started.
    pub(crate) fn end(&self, child: Child) -> ToolRun {
        let output = child.wait_with_output().expect("it ends");
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

    /// What a call gives that must succeed.
    pub(crate) fn value(&self, tool: &str, args: Value) -> Value {
        self.call(tool, args).value()
    }

    /// Why a call fails that must fail.
    pub(crate) fn failure(&self, tool: &str, args: Value) -> String {
        self.call(tool, args).failure()
    }
}

impl ToolRun {
    /// What the work gave; it must have been done.
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

    /// Why the work was not done; it must not have been.
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

    /// What the work gave in part.
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

/// A call of the shell.
pub(crate) fn line(command: &str) -> Value {
    call("shell", json!({ "command": command }))
}

/// Waits for something that has to come true.
pub(crate) fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let since = Instant::now();
    while !holds() {
        assert!(since.elapsed() < DEADLINE, "never: {what}");
        sleep(Duration::from_millis(5));
    }
}

/// Whether a process is there, as more than a record of its end.
pub(crate) fn is_alive(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    stat.rsplit_once(')')
        .is_some_and(|(_, rest)| !rest.trim_start().starts_with(['Z', 'X']))
}
