//! Events, verdicts and messages of Agent Client Protocol sessions: from recordings in
//! `tests/fixtures/sessions/acp`, and for cases that no recording covers.

use std::fs;
use std::io;
use std::path::PathBuf;

use baton_agents::timeline::{ReadAt, TimelineKind};
use baton_agents::{
    Decision, Driver, InputMessage, PriorSession, ProcessEnd, SessionEvent, Stream, Task,
    TimelineIndex, ToolScope, Verdict, acp,
};
use baton_model::outcome::Failure;
use baton_model::plan::Autonomy;
use proptest::prelude::*;
use serde_json::{Value, json};
use uuid::Uuid;

const NAMES: &[&str] = &[
    "claude_cancel",
    "claude_prompt",
    "codex_cancel",
    "codex_prompt",
    "gemini_cancel",
    "gemini_prompt",
    "opencode_cancel",
    "opencode_prompt",
];
/// The prefix of lines that the client wrote.
const WRITTEN: &[u8] = b"%%STDIN ";

fn recorded(name: &str) -> Vec<u8> {
    let folder =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/sessions/acp");
    fs::read(folder.join(format!("{name}.jsonl"))).expect("recording exists")
}

fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
        .collect()
}

fn task() -> Task {
    Task {
        session: Uuid::nil(),
        cwd: "/home/dev/project".to_owned(),
        prompt: "Do the work.".to_owned(),
        resume: None,
        tool_server: None,
        model: None,
        scope: ToolScope::default(),
        handoff_prompt: "Write the handoff.".to_owned(),
    }
}

fn driver_of(change: impl FnOnce(&mut Task)) -> Box<dyn Driver> {
    let mut task = task();
    change(&mut task);
    acp::driver(&task, "Agent", "Log in.")
}

/// The messages to write, as JSON with their keys; `close` for the end.
fn written(driver: &mut Box<dyn Driver>) -> Vec<(String, Value)> {
    let inputs = driver.take_inputs().into_iter();
    let messages = inputs.map(|input| match input.message {
        InputMessage::Text(text) => {
            assert!(
                text.ends_with('\n') && text.trim_end().lines().count() == 1,
                "one line: {text:?}"
            );
            (input.key, serde_json::from_str(&text).expect("valid JSON"))
        }
        InputMessage::Quote(quote) => (
            input.key,
            json!({"before": quote.before, "line": quote.line, "pointer": quote.pointer}),
        ),
        InputMessage::Close => (input.key, Value::Null),
    });
    messages.collect()
}

/// Feeds messages and returns the keys of the answers.
fn keys(driver: &mut Box<dyn Driver>, messages: &[Value]) -> Vec<String> {
    let mut keys = Vec::new();
    for message in messages {
        driver.handle_line(Stream::Stdout, message.to_string().as_bytes());
        keys.extend(written(driver).into_iter().map(|(key, _)| key));
    }
    keys
}

/// A log in memory, without standard error.
struct Log(Vec<u8>);

impl ReadAt for Log {
    fn read_at(&mut self, _: Stream, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = self
            .0
            .get(usize::try_from(offset).map_err(io::Error::other)?..)
            .unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}

fn cut(text: &str) -> String {
    let line = text.replace('\n', "\\n");
    if line.chars().count() <= 100 {
        line
    } else {
        line.chars().take(100).chain(['…']).collect()
    }
}

fn event_line(event: &SessionEvent) -> String {
    let value = serde_json::to_value(event).expect("serializable");
    cut(&value.to_string())
}

fn entry_line(kind: TimelineKind) -> String {
    cut(&match kind {
        TimelineKind::ToolCall {
            name,
            summary,
            input,
            result,
            ..
        } => {
            let result = result.map_or("no end".to_owned(), |result| {
                let how = if result.denied {
                    "denied"
                } else if result.ok {
                    "ok"
                } else {
                    "failed"
                };
                let lines = result
                    .diff
                    .map_or(0, |hunks| hunks.iter().map(|hunk| hunk.lines.len()).sum());
                format!("{how} {:?} diff {lines}", result.text)
            });
            let keys: Vec<&String> = input
                .as_object()
                .map(|input| input.keys().collect())
                .unwrap_or_default();
            return format!("call {name} ({}) {keys:?}: {}", cut(&summary), cut(&result));
        }
        TimelineKind::Permission {
            tool,
            summary,
            state,
            ..
        } => format!("permission {state:?} {tool}: {summary}"),
        TimelineKind::Prompt { text } => format!("prompt {text}"),
        TimelineKind::Text { markdown } => format!("text {markdown}"),
        TimelineKind::Thinking { text } => format!("thinking {text}"),
        TimelineKind::Note { text } => format!("note {text}"),
        TimelineKind::Error { text } => format!("error {text}"),
        TimelineKind::Usage { usage } => {
            return format!(
                "usage {}",
                serde_json::to_string(&usage).expect("serializable")
            );
        }
        other => format!("{other:?}"),
    })
}

/// The timeline of a log, one entry per line. Messages of the client are added when they were
/// written or, with `early`, first.
fn timeline(log: &[u8], early: bool) -> Vec<String> {
    let mut index = TimelineIndex::new(baton_agents::acp::LOG_FORMAT);
    let mut stdout = Vec::new();
    let said = |line: &[u8]| {
        line.strip_prefix(WRITTEN)
            .map(|line| String::from_utf8_lossy(line).into_owned())
    };
    if early {
        lines(log)
            .into_iter()
            .filter_map(said)
            .for_each(|line| index.record_outgoing(&line));
    }
    for line in lines(log) {
        match said(line) {
            Some(line) if !early => index.record_outgoing(&line),
            Some(_) => {}
            None => {
                let line = [line, b"\n"].concat();
                index
                    .feed(Stream::Stdout, stdout.len() as u64, &line)
                    .expect("no gap");
                stdout.extend(line);
            }
        }
    }
    index.finish();
    let entries = index
        .page(0..u64::MAX, &mut Log(stdout))
        .expect("in-memory log is readable");
    entries
        .into_iter()
        .map(|entry| entry_line(entry.kind))
        .collect()
}

/// Restricts the task to `tool`.
fn enforce(task: &mut Task, tool: &str) {
    task.scope.mode = baton_model::plan::ToolScopeMode::Enforce;
    task.scope.tools = vec![tool.to_owned()];
}

#[test]
fn recordings_match_snapshots() {
    for name in NAMES {
        let log = recorded(name);
        let mut driver = driver_of(|task| task.scope.autonomy = Autonomy::AskNew);
        let mut actual = Vec::new();
        for line in lines(&log)
            .into_iter()
            .filter(|line| !line.starts_with(WRITTEN))
        {
            actual.extend(
                driver
                    .handle_line(Stream::Stdout, line)
                    .iter()
                    .map(|event| format!("< {}", event_line(event))),
            );
            actual.extend(
                written(&mut driver)
                    .into_iter()
                    .map(|(key, _)| format!("> {key}")),
            );
        }
        actual.push(format!("session {:?}", driver.native_session()));
        actual.push(format!(
            "usage {}",
            serde_json::to_string(&driver.usage()).expect("serializable")
        ));
        actual.push(format!(
            "verdict {:?}",
            driver.verdict(&ProcessEnd::Exited(0))
        ));
        actual.push("timeline".to_owned());
        actual.extend(timeline(&log, false));
        insta::assert_snapshot!(format!("acp_{name}"), actual.join("\n"));
    }
}

#[test]
fn timeline_is_independent_of_outgoing_message_order() {
    for name in NAMES {
        let log = recorded(name);
        assert_eq!(timeline(&log, true), timeline(&log, false), "{name}");
    }
}

#[test]
fn every_recorded_line_is_understood() {
    for name in NAMES {
        for entry in timeline(&recorded(name), false) {
            assert!(
                !entry.starts_with("Unknown") && !entry.starts_with("Output"),
                "{name}: {entry}"
            );
        }
    }
}

fn answer(id: u64, result: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

fn update(update: Value) -> Value {
    json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": update}})
}

fn says(text: &str) -> Value {
    update(
        json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}),
    )
}

fn asks(id: Value, kind: &str) -> Value {
    let options =
        json!([{"optionId": "y", "kind": "allow_once"}, {"optionId": "n", "kind": "reject_once"}]);
    json!({"jsonrpc": "2.0", "id": id, "method": "session/request_permission", "params": {"sessionId": "s",
        "toolCall": {"toolCallId": "c", "title": "x", "kind": kind, "rawInput": {"command": "ls"}}, "options": options}})
}

fn ended(status: &str) -> Value {
    update(json!({"sessionUpdate": "tool_call_update", "toolCallId": "c", "status": status}))
}

fn hello() -> Value {
    answer(
        1,
        json!({"protocolVersion": 1, "agentCapabilities": {"loadSession": true}}),
    )
}

fn session() -> Value {
    answer(2, json!({"sessionId": "s"}))
}

fn done(id: u64) -> Value {
    answer(id, json!({"stopReason": "end_turn"}))
}

fn detail(verdict: Verdict) -> String {
    match verdict {
        Verdict::Failed(Failure::AgentError { detail }) => detail,
        other => panic!("expected an agent error: {other:?}"),
    }
}

#[test]
fn usage_update_does_not_split_message() {
    let mut driver = driver_of(|_| {});
    let counted = || {
        update(json!({"sessionUpdate": "usage_update", "cost": {"amount": 0.5, "currency": "USD"}}))
    };
    keys(&mut driver, &[hello(), session(), says("Done."), done(3)]);
    keys(
        &mut driver,
        &[says("**What "), counted(), says("was done:** it"), done(4)],
    );
    assert_eq!(driver.handoff(), Some("**What was done:** it"));
}

#[test]
fn session_runs_from_initialize_to_handoff() {
    let mut driver = driver_of(|_| {});
    let actual = keys(
        &mut driver,
        &[
            hello(),
            session(),
            says("Do"),
            says("ne."),
            done(3),
            says("**What was done:** it"),
        ],
    );
    assert_eq!(actual, ["session", "prompt", "handoff"]);
    assert_eq!(keys(&mut driver, &[done(4)]), ["close"]);
    assert_eq!(driver.handoff(), Some("**What was done:** it"));
    assert_eq!(
        driver.verdict(&ProcessEnd::Signaled(15)),
        Verdict::Succeeded,
        "regardless of how the process ended"
    );
    assert_eq!(driver.native_session(), Some("s"));
    assert!(driver.interrupt().is_none(), "the session is closed");
}

#[test]
fn failed_handoff_keeps_work_succeeded() {
    let mut driver = driver_of(|_| {});
    let error = json!({"jsonrpc": "2.0", "id": 4, "error": {"code": 503, "message": "later"}});
    assert_eq!(
        keys(
            &mut driver,
            &[hello(), session(), says("x"), done(3), error]
        )
        .last(),
        Some(&"close".to_owned())
    );
    assert_eq!(
        (driver.handoff(), driver.verdict(&ProcessEnd::Exited(0))),
        (None, Verdict::Succeeded)
    );
}

#[test]
fn session_without_proper_end_fails() {
    for (messages, words) in [
        (
            vec![hello(), session(), done(3)],
            "it ended its turn without an answer",
        ),
        (
            vec![
                hello(),
                session(),
                says("x"),
                answer(3, json!({"stopReason": "refusal"})),
            ],
            "the model refused to continue",
        ),
        (
            vec![hello(), answer(2, json!({}))],
            "it started a session without an id",
        ),
        (
            vec![answer(1, json!({"protocolVersion": 2}))],
            "it speaks version 2 of the Agent Client Protocol, but Baton supports version 1",
        ),
        (
            vec![
                hello(),
                json!({"id": 2, "error": {"code": -32000, "message": "Authentication required"}}),
            ],
            "Authentication required. Log in.",
        ),
    ] {
        let mut driver = driver_of(|_| {});
        assert_eq!(
            keys(&mut driver, &messages).last().map(String::as_str),
            Some("close"),
            "{words}"
        );
        assert_eq!(detail(driver.verdict(&ProcessEnd::Exited(0))), words);
    }
    let mut driver = driver_of(|_| {});
    keys(&mut driver, &[hello(), session(), says("x")]);
    assert_eq!(
        detail(driver.verdict(&ProcessEnd::Exited(0))),
        "it exited before finishing its turn"
    );
    assert_eq!(
        detail(driver_of(|_| {}).verdict(&ProcessEnd::Exited(0))),
        "it exited before Agent started a session"
    );
}

/// gemini 0.61 answers this way when it has given up on its service, after up to six silent
/// minutes.
#[test]
fn classifies_gemini_errors() {
    let quota = "Quota exceeded for metric: requests, limit: 15\nPlease retry in 39.8s.";
    let service =
        r#"{"error":{"code":529,"message":"Overloaded (scripted)","status":"OVERLOADED_ERROR"}}"#;
    let limit = |detail: &str| Verdict::Limit {
        reset_at: None,
        detail: detail.to_owned(),
    };
    for (error, expected) in [
        (
            json!({"code": 429, "message": "too many requests"}),
            limit("too many requests"),
        ),
        (json!({"code": 429, "message": quota}), limit(quota)),
        (
            json!({"code": 529, "message": service}),
            Verdict::Unavailable {
                detail: "Overloaded (scripted)".to_owned(),
            },
        ),
    ] {
        let mut driver = driver_of(|_| {});
        let answer = json!({"jsonrpc": "2.0", "id": 3, "error": error});
        assert_eq!(
            keys(&mut driver, &[hello(), session(), answer]),
            ["session", "prompt", "close"]
        );
        assert_eq!(driver.verdict(&ProcessEnd::Exited(0)), expected);
    }
}

#[test]
fn resumes_prior_session_as_agent_supports() {
    let hello = |capabilities: Value| {
        answer(
            1,
            json!({"protocolVersion": 1, "agentCapabilities": capabilities}),
        )
    };
    for (capabilities, method) in [
        (
            json!({"loadSession": true, "sessionCapabilities": {"resume": {}}}),
            "session/resume",
        ),
        (json!({"loadSession": true}), "session/load"),
    ] {
        let mut driver = driver_of(|task| task.resume = Some(PriorSession::resume("old")));
        driver.handle_line(Stream::Stdout, hello(capabilities).to_string().as_bytes());
        let (_, question) = written(&mut driver).remove(0);
        assert_eq!(
            (&question["method"], &question["params"]["sessionId"]),
            (&json!(method), &json!("old"))
        );
        // Loading repeats the old conversation, which is neither a handoff nor work of this
        // attempt.
        assert_eq!(
            keys(&mut driver, &[says("old words"), answer(2, Value::Null)]),
            ["prompt"]
        );
        keys(&mut driver, &[done(3)]);
        assert_eq!(
            detail(driver.verdict(&ProcessEnd::Exited(0))),
            "it ended its turn without an answer"
        );
    }
    let mut driver = driver_of(|task| task.resume = Some(PriorSession::resume("old")));
    assert_eq!(keys(&mut driver, &[hello(json!({}))]), ["close"]);
    assert_eq!(
        detail(driver.verdict(&ProcessEnd::Exited(0))),
        "it can't resume an earlier session"
    );
}

#[test]
fn forked_session_has_its_own_id() {
    let hello = |capabilities: Value| {
        answer(
            1,
            json!({"protocolVersion": 1, "agentCapabilities": capabilities}),
        )
    };
    let mut driver = driver_of(|task| task.resume = Some(PriorSession::fork("old")));
    let can = json!({"loadSession": true, "sessionCapabilities": {"fork": {}, "resume": {}}});
    driver.handle_line(Stream::Stdout, hello(can).to_string().as_bytes());
    let (_, question) = written(&mut driver).remove(0);
    assert_eq!(
        (&question["method"], &question["params"]["sessionId"]),
        (&json!("session/fork"), &json!("old"))
    );
    assert_eq!(
        keys(&mut driver, &[answer(2, json!({"sessionId": "new"}))]),
        ["prompt"]
    );
    assert_eq!(
        driver.native_session(),
        Some("new"),
        "the prompt goes to the copy"
    );

    let mut driver = driver_of(|task| task.resume = Some(PriorSession::fork("old")));
    let cannot = json!({"loadSession": true, "sessionCapabilities": {"resume": {}}});
    assert_eq!(
        keys(&mut driver, &[hello(cannot)]),
        ["close"],
        "the earlier session is not resumed instead"
    );
    let sentence = "it can't copy a session; the earlier one is unchanged";
    assert_eq!(detail(driver.verdict(&ProcessEnd::Exited(0))), sentence);
}

#[test]
fn model_is_set_before_prompt() {
    let option = json!({"sessionId": "s", "configOptions": [{"id": "m", "category": "model", "currentValue": "a"}]});
    let older = json!({"sessionId": "s", "models": {"currentModelId": "a"}});
    for (session, method) in [
        (option, "session/set_config_option"),
        (older, "session/set_model"),
    ] {
        let mut driver = driver_of(|task| task.model = Some("big".to_owned()));
        keys(&mut driver, &[hello()]);
        driver.handle_line(Stream::Stdout, answer(2, session).to_string().as_bytes());
        let (key, question) = written(&mut driver).remove(0);
        assert_eq!(
            (key.as_str(), &question["method"]),
            ("model", &json!(method))
        );
        assert_eq!(keys(&mut driver, &[answer(3, Value::Null)]), ["prompt"]);
    }
    let mut driver = driver_of(|task| task.model = Some("big".to_owned()));
    assert_eq!(
        keys(&mut driver, &[hello(), session()]),
        ["session", "close"]
    );
    assert_eq!(
        detail(driver.verdict(&ProcessEnd::Exited(0))),
        "it can't switch models, but the node requires big"
    );
}

#[test]
fn permission_answer_uses_agents_option_id() {
    let mut driver = driver_of(|task| enforce(task, "execute"));
    keys(&mut driver, &[hello(), session()]);
    for (id, kind, option) in [(json!(0), "execute", "y"), (json!("a b"), "edit", "n")] {
        driver.handle_line(
            Stream::Stdout,
            asks(id.clone(), kind).to_string().as_bytes(),
        );
        let (key, said) = written(&mut driver).remove(0);
        assert_eq!(key, format!("answer:{id}"));
        assert_eq!(
            (&said["id"], &said["result"]["outcome"]["optionId"]),
            (&id, &json!(option)),
            "{kind}"
        );
    }
    // An agent without a rejecting option gets a cancelled outcome.
    let only_yes = json!({"id": 9, "method": "session/request_permission", "params": {"toolCall": {"toolCallId": "d",
        "kind": "edit"}, "options": [{"optionId": "y", "kind": "allow_always"}]}});
    driver.handle_line(Stream::Stdout, only_yes.to_string().as_bytes());
    assert_eq!(
        written(&mut driver)[0].1["result"],
        json!({"outcome": {"outcome": "cancelled"}})
    );
}

#[test]
fn permission_request_waits_for_answer() {
    let mut driver = driver_of(|task| task.scope.autonomy = Autonomy::AskAll);
    keys(&mut driver, &[hello(), session()]);
    assert_eq!(keys(&mut driver, &[asks(json!(7), "execute")]), [""; 0]);
    let request = driver.pending_permissions()[0].clone();
    assert_eq!(
        (
            request.request.as_str(),
            request.summary.as_str(),
            &request.input["command"]
        ),
        ("7", "ls", &json!("ls"))
    );
    assert_eq!(
        driver.activity().as_deref(),
        Some("waiting for an answer: execute: ls")
    );
    let input = driver.answer("7", &Decision::Allow).expect("pending");
    assert_eq!(input.key, "answer:7");
    assert!(
        driver.pending_permissions().is_empty() && driver.answer("7", &Decision::Allow).is_none()
    );
}

#[test]
fn agent_is_nudged_after_refusal() {
    let mut driver = driver_of(|task| enforce(task, "Read"));
    let actual = keys(
        &mut driver,
        &[
            hello(),
            session(),
            asks(json!(0), "execute"),
            ended("failed"),
            done(3),
        ],
    );
    assert_eq!(actual, ["session", "prompt", "answer:0", "go-on:1"]);
    // It continued on its own, so it needs no nudge.
    let actual = keys(
        &mut driver,
        &[
            asks(json!(1), "execute"),
            ended("failed"),
            says("I cannot."),
            done(4),
        ],
    );
    assert_eq!(actual, ["answer:1", "handoff"]);
    assert_eq!(driver.verdict(&ProcessEnd::Exited(0)), Verdict::Succeeded);
}

#[test]
fn nudges_are_limited() {
    let mut driver = driver_of(|task| enforce(task, "Read"));
    keys(&mut driver, &[hello(), session()]);
    let mut actual = Vec::new();
    for turn in 3..8 {
        actual.extend(keys(
            &mut driver,
            &[asks(json!(turn), "execute"), ended("failed"), done(turn)],
        ));
    }
    actual.retain(|key| !key.starts_with("answer"));
    assert_eq!(
        actual,
        ["go-on:1", "go-on:2", "go-on:3", "handoff", "close"]
    );
}

#[test]
fn interrupt_cancels_open_requests_and_ends_session() {
    let mut driver = driver_of(|task| task.scope.autonomy = Autonomy::AskAll);
    assert!(driver.interrupt().is_none(), "there is no session to stop");
    keys(
        &mut driver,
        &[hello(), session(), asks(json!(7), "execute")],
    );
    let Some(InputMessage::Text(text)) = driver.interrupt().map(|input| input.message) else {
        panic!("a text")
    };
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(
        (&lines[0]["id"], &lines[1]["method"]),
        (&json!(7), &json!("session/cancel"))
    );
    assert_eq!(
        keys(
            &mut driver,
            &[answer(3, json!({"stopReason": "cancelled"}))]
        ),
        ["close"]
    );
    assert_eq!(driver.verdict(&ProcessEnd::Exited(0)), Verdict::Cancelled);
}

#[test]
fn unsupported_request_is_rejected() {
    let mut driver = driver_of(|_| {});
    for method in [
        "fs/write_text_file",
        "fs/read_text_file",
        "terminal/create",
        "elicitation/create",
        "later/thing",
    ] {
        let question = json!({"jsonrpc": "2.0", "id": "q", "method": method, "params": {}});
        driver.handle_line(Stream::Stdout, question.to_string().as_bytes());
        let (_, said) = written(&mut driver).remove(0);
        assert_eq!(
            (&said["id"], &said["error"]["code"]),
            (&json!("q"), &json!(-32601)),
            "{method}"
        );
    }
}

#[test]
fn banner_and_unknown_messages_are_shown_raw() {
    let mut driver = driver_of(|_| {});
    let banner = driver.handle_line(Stream::Stdout, b"\x1b[1mWelcome to the agent!\x1b[0m");
    assert!(
        matches!(&banner[..], [SessionEvent::Output { text, .. }] if text == "Welcome to the agent!")
    );
    keys(&mut driver, &[hello(), session()]);
    for later in [
        update(json!({"sessionUpdate": "hologram", "x": 1})),
        json!({"jsonrpc": "2.0", "method": "_vendor/news", "params": {}}),
        update(json!({"sessionUpdate": "tool_call", "toolCallId": 7})),
        json!({"hello": true}),
    ] {
        let events = driver.handle_line(Stream::Stdout, later.to_string().as_bytes());
        assert_eq!(
            events,
            [SessionEvent::Unknown {
                raw: later.to_string()
            }]
        );
    }
    assert_eq!(
        keys(&mut driver, &[says("Done."), done(3)]),
        ["handoff"],
        "it continues anyway"
    );
}

#[test]
fn would_block_call_is_reported() {
    let mut driver = driver_of(|task| {
        task.scope.mode = baton_model::plan::ToolScopeMode::Log;
        task.scope.tools = vec!["Read".to_owned()];
    });
    keys(&mut driver, &[hello(), session()]);
    let call = update(
        json!({"sessionUpdate": "tool_call", "toolCallId": "c", "title": "bash", "rawInput": {"command": "ls"}}),
    );
    let events = driver.handle_line(Stream::Stdout, call.to_string().as_bytes());
    let SessionEvent::OutsideScope {
        call,
        what,
        note,
        refused: false,
    } = &events[1]
    else {
        panic!("{events:?}")
    };
    assert_eq!((call.as_str(), what.as_str()), ("c", "bash: ls"));
    assert!(
        note.starts_with("would have been blocked: Tool bash"),
        "{note}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn arbitrary_bytes_never_panic(
        name in prop::sample::select(NAMES),
        noise in prop::collection::vec((any::<usize>(), any::<u8>()), 0..30),
        more in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..80), 0..5),
    ) {
        let mut log = recorded(name);
        for (place, byte) in noise {
            let place = place % log.len();
            log[place] = byte;
        }
        let mut driver = driver_of(|_| {});
        for line in lines(&log).into_iter().chain(more.iter().map(Vec::as_slice)) {
            driver.handle_line(Stream::Stdout, line);
            driver.take_inputs();
            driver.activity();
        }
        driver.verdict(&ProcessEnd::Exited(0));
        timeline(&[log, more.join(&b'\n')].concat(), true);
    }
}
