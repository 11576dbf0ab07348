//! Tests the real `claude` with the scripted model, driven as the engine drives it.
//!
//! Requires the program: the path in `BATON_TEST_CLAUDE`, or the one that `cargo xtask test`
//! installs.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use baton_agents::claude::Claude;
use baton_agents::{
    Adapter, Decision, Driver, Input, InputMessage, ProcessEnd, SessionEvent, Stream, Task,
    ToolScope, Verdict,
};
use baton_model::outcome::Failure;
use baton_model::plan::Autonomy;
use baton_model::time::Timestamp;
use baton_tests::model_api::ModelApi;
use tempfile::TempDir;
use uuid::Uuid;

/// The timeout of a session, which usually takes about a second.
const DEADLINE: Duration = Duration::from_secs(60);

fn claude() -> PathBuf {
    let installed = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../target/tools/claude/node_modules/.bin/claude");
    let program = std::env::var_os("BATON_TEST_CLAUDE").map_or(installed, PathBuf::from);
    assert!(
        program.exists(),
        "the real claude is not at {}: run `cargo xtask test`, which installs it, or set BATON_TEST_CLAUDE",
        program.display()
    );
    program
}

/// A session of the real client in an empty directory, with its own home.
struct Session {
    driver: Box<dyn Driver>,
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<(Stream, Vec<u8>)>,
    events: Vec<SessionEvent>,
    written: Vec<String>,
    cwd: TempDir,
    api: ModelApi,
    _home: TempDir,
    deadline: Instant,
}

/// The result of a session whose process has exited.
struct Ended {
    verdict: Verdict,
    driver: Box<dyn Driver>,
    events: Vec<SessionEvent>,
    /// The keys of all inputs, in order.
    written: Vec<String>,
    cwd: TempDir,
    prompts: Vec<String>,
}

impl Session {
    fn start(scenario: &str, change: impl FnOnce(&mut Task)) -> Self {
        let api = ModelApi::start().expect("a port is free");
        let (cwd, home) = (
            TempDir::new().expect("a folder"),
            TempDir::new().expect("a folder"),
        );
        let mut task = Task {
            session: Uuid::new_v4(),
            cwd: cwd.path().to_string_lossy().into_owned(),
            prompt: "-p begins like a flag and goes on\nover \"two\" lines.".to_owned(),
            model: None,
            resume: None,
            tool_server: None,
            scope: ToolScope::default(),
            handoff_prompt: "Write the handoff. It begins with **What was done:**".to_owned(),
        };
        change(&mut task);
        let adapter = Claude::at(claude().to_string_lossy());
        let plan = adapter.launch(&task);
        let mut command = Command::new(&plan.argv[0]);
        command
            .args(&plan.argv[1..])
            .current_dir(cwd.path())
            .env_clear();
        command
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
            .env("HOME", home.path());
        command.envs([
            ("ANTHROPIC_BASE_URL", api.base_url(scenario).as_str()),
            // Only accounts have usage limits. The server accepts any key.
            (
                if scenario == "limit" {
                    "CLAUDE_CODE_OAUTH_TOKEN"
                } else {
                    "ANTHROPIC_API_KEY"
                },
                "sk-ant-scripted",
            ),
            ("DISABLE_TELEMETRY", "1"),
            ("DISABLE_AUTOUPDATER", "1"),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            ("CLAUDE_CODE_MAX_RETRIES", "1"),
            ("IS_SANDBOX", "1"),
        ]);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("claude starts");
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
        let mut session = Self {
            driver: adapter.driver(&task),
            stdin: child.stdin.take(),
            child,
            lines,
            events: Vec::new(),
            written: Vec::new(),
            cwd,
            api,
            _home: home,
            deadline: Instant::now() + DEADLINE,
        };
        session.write(plan.first_inputs);
        session
    }

    fn write(&mut self, inputs: impl IntoIterator<Item = Input>) {
        for input in inputs {
            self.written.push(input.key);
            match (input.message, &mut self.stdin) {
                (InputMessage::Text(text), Some(stdin)) => {
                    stdin.write_all(text.as_bytes()).expect("claude reads")
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
    fn wait_until(&mut self, mut done: impl FnMut(&dyn Driver, &[SessionEvent]) -> bool) -> bool {
        while !done(&*self.driver, &self.events) {
            let left = self.deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok((stream, line)) => {
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

    /// Waits for the process to exit.
    fn end(mut self) -> Ended {
        self.wait_until(|_, _| false);
        let status = self.child.wait().expect("the process is a child");
        let exit = ProcessEnd::Exited(status.code().expect("no signal was sent"));
        Ended {
            verdict: self.driver.verdict(&exit),
            driver: self.driver,
            events: self.events,
            written: self.written,
            cwd: self.cwd,
            prompts: self
                .api
                .seen()
                .into_iter()
                .map(|seen| seen.prompt)
                .collect(),
        }
    }
}

impl Ended {
    fn has_file(&self, name: &str) -> bool {
        self.cwd.path().join(name).exists()
    }

    fn keys(&self) -> Vec<&str> {
        self.written
            .iter()
            .map(|key| {
                if key.starts_with("answer:") {
                    "answer"
                } else {
                    key
                }
            })
            .collect()
    }

    fn assert_known(&self) {
        let unknown: Vec<_> = self
            .events
            .iter()
            .filter(|event| matches!(event, SessionEvent::Unknown { .. }))
            .collect();
        assert!(
            unknown.is_empty(),
            "this version of claude prints messages that Baton doesn't support: {unknown:#?}"
        );
    }
}

#[test]
fn session_ends_with_a_handoff() {
    let ended = Session::start("text", |_| {}).end();
    ended.assert_known();
    assert_eq!(ended.verdict, Verdict::Succeeded);
    assert_eq!(ended.keys(), ["initialize", "prompt", "handoff", "close"]);
    assert!(
        ended
            .driver
            .handoff()
            .is_some_and(|text| text.contains("**Files changed:**")),
        "{:?}",
        ended.driver.handoff()
    );
    assert_eq!(
        ended.prompts[0],
        "-p begins like a flag and goes on\nover \"two\" lines."
    );
    assert!(ended.driver.usage().usd.is_some_and(|usd| usd > 0.0));
    assert_eq!(
        ended.driver.usage().output_tokens,
        Some(84),
        "two turns of 42"
    );
}

#[test]
fn session_uses_the_id_chosen_by_baton() {
    let id = Uuid::new_v4();
    let ended = Session::start("text", |task| task.session = id).end();
    assert_eq!(ended.driver.native_session(), Some(id.to_string().as_str()));
}

#[test]
fn permissions_are_answered_by_the_rules() {
    let ended = Session::start("write_bash", |_| {}).end();
    ended.assert_known();
    assert_eq!(ended.verdict, Verdict::Succeeded);
    assert_eq!(
        ended.keys(),
        [
            "initialize",
            "prompt",
            "answer",
            "answer",
            "handoff",
            "close"
        ]
    );
    assert!(ended.has_file("hello.txt") && ended.has_file("checked.txt"));
}

#[test]
fn denied_permission_reaches_the_agent() {
    let mut session = Session::start("write_bash", |task| task.scope.autonomy = Autonomy::AskAll);
    assert!(
        session.wait_until(|driver, _| !driver.pending_permissions().is_empty()),
        "Write needs permission"
    );
    let write = session.driver.pending_permissions()[0].clone();
    assert_eq!(
        (write.tool.as_str(), write.summary.ends_with("hello.txt")),
        ("Write", true)
    );
    assert!(
        session
            .driver
            .activity()
            .is_some_and(|line| line.starts_with("waiting for an answer: Write"))
    );
    let allowed = session.driver.answer(&write.request, &Decision::Allow);
    session.write(allowed);

    assert!(
        session.wait_until(|driver, _| !driver.pending_permissions().is_empty()),
        "Bash needs permission"
    );
    let bash = session.driver.pending_permissions()[0].request.clone();
    let denied = session.driver.answer(
        &bash,
        &Decision::Deny {
            reason: "Not today.".to_owned(),
        },
    );
    session.write(denied);
    assert_eq!(
        session.driver.answer(&bash, &Decision::Allow),
        None,
        "one answer per request"
    );

    let ended = session.end();
    assert!(ended.has_file("hello.txt") && !ended.has_file("checked.txt"));
    let refused = ended.events.iter().any(|event| {
        matches!(event, SessionEvent::ToolEnded { result, .. } if result.denied && result.text.contains("Not today."))
    });
    assert!(refused, "the agent gets the reason");
    assert_eq!(ended.verdict, Verdict::Succeeded);
}

#[test]
fn tools_outside_the_list_are_blocked() {
    let ended = Session::start("write_bash", |task| {
        task.scope.autonomy = Autonomy::RefuseGuarded;
        task.scope.tools = vec!["Write".to_owned()];
    })
    .end();
    ended.assert_known();
    assert!(ended.has_file("hello.txt") && !ended.has_file("checked.txt"));
    let is_reported = ended.events.iter().any(|event| {
        matches!(event, SessionEvent::ToolEnded { result, .. }
            if result.text.contains("Tool Bash is not available in this plan. Only: Write"))
    });
    assert!(is_reported, "{:#?}", ended.events);
}

#[test]
fn interrupted_turn_is_cancelled() {
    let mut session = Session::start("bash", |_| {});
    assert!(session.wait_until(|_, events| {
        events.iter().any(|event| {
            matches!(
                event,
                SessionEvent::PermissionAnswered { allowed: true, .. }
            )
        })
    }));
    let interrupt = session.driver.interrupt();
    session.write(interrupt);
    let ended = session.end();
    ended.assert_known();
    assert_eq!(ended.verdict, Verdict::Cancelled);
    assert_eq!(ended.written.last().map(String::as_str), Some("close"));
}

#[test]
fn refused_login_is_a_failure_with_a_fix() {
    let ended = Session::start("err401", |_| {}).end();
    let Verdict::Failed(Failure::AgentError { detail }) = &ended.verdict else {
        panic!("{:?}", ended.verdict)
    };
    assert!(
        detail.contains("Invalid API key") && detail.contains("log in"),
        "{detail}"
    );
    assert_eq!(ended.keys(), ["initialize", "prompt", "close"]);
    assert_eq!(ended.driver.usage().usd, None, "no cost is reported");
}

#[test]
fn overload_is_retried_or_reported() {
    let ended = Session::start("err529_once", |_| {}).end();
    assert_eq!(ended.verdict, Verdict::Succeeded);
    assert!(
        ended
            .events
            .iter()
            .any(|event| matches!(event, SessionEvent::Retrying { attempt: 1, .. }))
    );

    let ended = Session::start("err529", |_| {}).end();
    assert!(
        matches!(ended.verdict, Verdict::Unavailable { .. }),
        "{:?}",
        ended.verdict
    );
}

#[test]
fn usage_limit_reports_its_reset_time() {
    let ended = Session::start("limit", |_| {}).end();
    ended.assert_known();
    let Verdict::Limit { reset_at, detail } = &ended.verdict else {
        panic!("{:?}", ended.verdict)
    };
    assert_eq!(*reset_at, Some(Timestamp(1_893_456_000_000)), "{detail}");
}

#[test]
fn background_work_is_waited_for() {
    let mut session = Session::start("bgbash", |_| {});
    assert!(session.wait_until(|driver, _| {
        driver
            .activity()
            .is_some_and(|line| line.starts_with("background work"))
    }));
    assert!(
        !session.cwd.path().join("late.txt").exists(),
        "the command is still running"
    );
    assert!(
        !session.written.contains(&"handoff".to_owned()),
        "the work isn't finished"
    );
    std::fs::write(session.cwd.path().join("go"), "").expect("enough disk space");
    let ended = session.end();
    ended.assert_known();
    assert!(ended.has_file("late.txt"));
    assert_eq!(ended.verdict, Verdict::Succeeded);
    assert!(
        ended
            .driver
            .handoff()
            .is_some_and(|text| text.contains("**What was done:**"))
    );
}

#[test]
fn thinking_and_text_are_separate() {
    let ended = Session::start("thinking", |_| {}).end();
    ended.assert_known();
    assert!(
        ended
            .events
            .iter()
            .any(|event| matches!(event, SessionEvent::Thinking { .. }))
    );
    assert!(ended.events.contains(&SessionEvent::Text {
        markdown: "Hello.".to_owned()
    }));
}
