//! One odd value never voids a session: every field of every recorded stream is replaced by values that do not fit.

mod fixture;

use std::collections::BTreeSet;

use baton_agents::claude::Claude;
use baton_agents::codex::{Codex, ExecSession};
use baton_agents::custom::{CustomAgent, Protocol};
use baton_agents::pi::Pi;
use baton_agents::{
    Adapter, Driver, LogFormat, ProcessEnd, SessionEvent, Stream, TimelineIndex, Verdict, acp,
};
use fixture::{odd, recordings, task};

/// Fields that say what a line is, whom it concerns, or how the work ended and why: without them the line tells less.
const TELLING: &[&str] = &[
    "type",
    // A price in an unknown currency is no price in dollars.
    "currency",
    "subtype",
    "method",
    "id",
    "role",
    "is_error",
    "terminal_reason",
    "api_error_status",
    "status",
    "stopReason",
    "stop_reason",
    "reason",
    "sessionUpdate",
    "session_id",
    "sessionId",
    "toolCallId",
    "code",
    "codexErrorInfo",
    "success",
    "error",
    "errors",
    "message",
    "errorMessage",
    "result",
    "kind",
    "protocolVersion",
    "isStreaming",
    "isCompacting",
    "willRetry",
    "threadId",
    "thread_id",
    "statusCode",
    "command",
    "task_id",
    "request_id",
    "name",
    "tool",
    "tool_name",
    "tool_use_id",
    "toolName",
    "tool_id",
    "callID",
    "itemId",
    "requestId",
    "api_retry",
    "text",
];

fn own(protocol: Protocol) -> Box<dyn Driver> {
    CustomAgent {
        name: "own".to_owned(),
        argv: vec!["own".to_owned()],
        protocol,
    }
    .driver(&task())
}

/// Who reads the recording `name` of `agent`, and how timelines read it.
fn reader(agent: &str, name: &str) -> (Box<dyn Driver>, LogFormat) {
    match agent {
        "claude" => (Claude::default().driver(&task()), LogFormat::ClaudeStream),
        "codex" if name.starts_with("app_server") => {
            (Codex::default().driver(&task()), LogFormat::CodexAppServer)
        }
        "codex" => (Box::new(ExecSession::new(false)), LogFormat::CodexExec),
        "pi" => (Pi::default().driver(&task()), LogFormat::PiEvents),
        "acp" => (acp::driver(&task(), "Agent", "Log in."), LogFormat::Acp),
        "gemini" => (own(Protocol::GeminiStream), LogFormat::GeminiStream),
        "opencode" => (own(Protocol::OpencodeStream), LogFormat::OpencodeStream),
        _ => (own(Protocol::ClaudeStream), LogFormat::ClaudeStream),
    }
}

/// The kind of each verdict; the words may differ.
fn verdict(driver: &dyn Driver) -> &'static str {
    match driver.verdict(&ProcessEnd::Exited(0)) {
        Verdict::Succeeded => "succeeded",
        Verdict::Failed(_) => "failed",
        Verdict::Cancelled => "cancelled",
        Verdict::Limit { .. } => "limit",
        Verdict::Unavailable { .. } => "unavailable",
    }
}

/// The kinds of what each line tells, and the verdict.
fn told(agent: &str, name: &str, lines: &[&[u8]]) -> (Vec<Vec<String>>, &'static str) {
    let (mut driver, format) = reader(agent, name);
    let mut kinds = Vec::new();
    let mut index = TimelineIndex::new(format);
    let mut at = 0;
    for line in lines {
        let events = driver.line(Stream::Stdout, line);
        driver.take_inputs();
        kinds.push(events.iter().map(kind).collect());
        let whole = [*line, &b"\n"[..]].concat();
        index.feed(Stream::Stdout, at, &whole).expect("no gap");
        at += whole.len() as u64;
    }
    index.finish();
    (kinds, verdict(&*driver))
}

fn kind(event: &SessionEvent) -> String {
    let value = serde_json::to_value(event).expect("events are plain data");
    value["event"].as_str().unwrap_or_default().to_owned()
}

fn holds_for(agent: &str) {
    let mut seen = BTreeSet::new();
    let mut tried = 0;
    for (name, lines) in recordings(&format!("sessions/{agent}")) {
        let whole: Vec<&[u8]> = lines.iter().map(Vec::as_slice).collect();
        let (kinds, end) = told(agent, &name, &whole);
        for change in odd::changes(&lines, &mut seen) {
            let is_telling = change.place.split('/').any(|step| TELLING.contains(&step));
            let mut lines = whole.clone();
            lines[change.number] = &change.line;
            let (now, verdict) = told(agent, &name, &lines);
            tried += 1;
            let (kinds, now) = (&kinds[change.number], &now[change.number]);
            let what = || {
                format!(
                    "{agent} {name}, line {}: {}",
                    change.number,
                    String::from_utf8_lossy(&change.line)
                )
            };
            assert!(
                is_telling || verdict == end,
                "{}: {end} became {verdict}",
                what()
            );
            let kept = kinds.iter().all(|kind| now.contains(kind));
            assert!(
                is_telling || !change.is_text_for_text() || kept,
                "{}: {kinds:?} became {now:?}",
                what()
            );
        }
    }
    assert!(tried > 100, "{tried} changes were tried");
}

#[test]
fn an_odd_value_never_voids_a_session_of_claude() {
    holds_for("claude");
}

#[test]
fn an_odd_value_never_voids_a_session_of_codex() {
    holds_for("codex");
}

#[test]
fn an_odd_value_never_voids_a_session_of_pi() {
    holds_for("pi");
}

#[test]
fn an_odd_value_never_voids_a_session_of_the_agent_client_protocol() {
    holds_for("acp");
}

#[test]
fn an_odd_value_never_voids_a_session_of_gemini() {
    holds_for("gemini");
}

#[test]
fn an_odd_value_never_voids_a_session_of_opencode() {
    holds_for("opencode");
}

#[test]
fn an_odd_value_never_voids_a_session_of_qwen() {
    holds_for("qwen");
}

/// What an agent told when its work was done, with an end that is half legible.
const ENDS: &[(&str, &str, &[&str])] = &[
    (
        "claude",
        "",
        &[r#"{"type":"result","subtype":"success","is_error":"no","result":"Done."}"#],
    ),
    (
        "claude",
        "",
        &[r#"{"type":"result","subtype":7,"is_error":false,"result":"Done."}"#],
    ),
    (
        "codex",
        "app_server",
        &[
            r#"{"id":"thread","result":{"thread":{"id":"t"}}}"#,
            r#"{"method":"turn/completed","params":{"threadId":-1,"turn":{"id":"x","status":"rested"}}}"#,
        ],
    ),
    (
        "gemini",
        "",
        &[r#"{"type":"result","status":"splendid","stats":{"input":-4}}"#],
    ),
    (
        "opencode",
        "",
        &[r#"{"type":"step_finish","part":{"reason":-1,"tokens":{"input":1e999}}}"#],
    ),
    (
        "acp",
        "",
        &[
            r#"{"id":1,"result":{"protocolVersion":1,"agentInfo":{"name":-7}}}"#,
            r#"{"id":2,"result":{"sessionId":"s"}}"#,
            r#"{"method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk","messageId":3,"content":{"type":"text","text":"Done \ud800."}}}}"#,
            r#"{"id":3,"result":{"stopReason":["end"]}}"#,
            r#"{"id":4,"result":{"stopReason":"rested"}}"#,
        ],
    ),
];

#[test]
fn work_that_ended_without_an_error_is_done_whatever_its_end_is_called() {
    for (agent, name, lines) in ENDS {
        let lines: Vec<&[u8]> = lines.iter().map(|line| line.as_bytes()).collect();
        assert_eq!(
            told(agent, name, &lines).1,
            "succeeded",
            "{agent}: {}",
            String::from_utf8_lossy(&lines.concat())
        );
    }
}

#[test]
fn what_could_not_be_read_is_noted() {
    for (agent, name, line) in [
        ("claude", "", &br#"{"type":"assistant","message":{"content":[{"type":"text","text":"a\ud800"}]},"timestamp":-7}"#[..]),
        ("codex", "app_server", &br#"{"method":"item/completed","params":{"item":{"type":"commandExecution","id":"i","command":"ls","exitCode":1e999}}}"#[..]),
        ("pi", "", &br#"{"type":"tool_execution_end","toolCallId":"c","isError":"no"}"#[..]),
        ("gemini", "", &br#"{"type":"tool_result","tool_id":"c","status":-1}"#[..]),
        ("opencode", "", &br#"{"type":"step_finish","part":{"reason":"stop","cost":"free"}}"#[..]),
    ] {
        let (kinds, _) = told(agent, name, &[line]);
        assert!(kinds[0].len() > 1 && kinds[0].contains(&"unknown".to_owned()), "{agent}: {kinds:?}");
    }
}
