//! One malformed value never breaks a session: every field of every recorded stream is replaced
//! by malformed values.

mod fixture;

use std::collections::BTreeSet;

use baton_agents::claude::Claude;
use baton_agents::codex::{Codex, ExecSession};
use baton_agents::custom::{CustomAgent, Protocol};
use baton_agents::pi::Pi;
use baton_agents::{
    Adapter, Driver, LogFormat, ProcessEnd, SessionEvent, Stream, TimelineIndex, Verdict, acp,
};
use fixture::{malformed, recordings, task};

/// Fields that identify a line, its subject, or how the work ended. Without them, fewer events
/// are expected.
const TELLING: &[&str] = &[
    "type",
    // A cost in an unknown currency is not a cost in dollars.
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

/// The driver and format for the recording `name` of `agent`.
fn reader(agent: &str, name: &str) -> (Box<dyn Driver>, LogFormat) {
    match agent {
        "claude" => (
            Claude::default().driver(&task()),
            baton_agents::claude::STREAM_FORMAT,
        ),
        "codex" if name.starts_with("app_server") => (
            Codex::default().driver(&task()),
            baton_agents::codex::APP_SERVER_FORMAT,
        ),
        "codex" => (
            Box::new(ExecSession::new(false)),
            baton_agents::codex::EXEC_FORMAT,
        ),
        "pi" => (
            Pi::default().driver(&task()),
            baton_agents::pi::EVENTS_FORMAT,
        ),
        "acp" => (
            acp::driver(&task(), "Agent", "Log in."),
            baton_agents::acp::LOG_FORMAT,
        ),
        "gemini" => (
            own(Protocol::GeminiStream),
            baton_agents::gemini::STREAM_FORMAT,
        ),
        "opencode" => (
            own(Protocol::OpencodeStream),
            baton_agents::opencode::STREAM_FORMAT,
        ),
        _ => (
            own(Protocol::ClaudeStream),
            baton_agents::claude::STREAM_FORMAT,
        ),
    }
}

/// The kind of the verdict; the text may differ.
fn verdict(driver: &dyn Driver) -> &'static str {
    match driver.verdict(&ProcessEnd::Exited(0)) {
        Verdict::Succeeded => "succeeded",
        Verdict::Failed(_) => "failed",
        Verdict::Cancelled => "cancelled",
        Verdict::Limit { .. } => "limit",
        Verdict::Unavailable { .. } => "unavailable",
    }
}

/// The kinds of events of each line, and the verdict.
fn actual(agent: &str, name: &str, lines: &[&[u8]]) -> (Vec<Vec<String>>, &'static str) {
    let (mut driver, format) = reader(agent, name);
    let mut kinds = Vec::new();
    let mut index = TimelineIndex::new(format);
    let mut at = 0;
    for line in lines {
        let events = driver.handle_line(Stream::Stdout, line);
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
    let value = serde_json::to_value(event).expect("serializable");
    value["event"].as_str().unwrap_or_default().to_owned()
}

fn holds_for(agent: &str) {
    let mut seen = BTreeSet::new();
    let mut tried = 0;
    for (name, lines) in recordings(&format!("sessions/{agent}")) {
        let whole: Vec<&[u8]> = lines.iter().map(Vec::as_slice).collect();
        let (kinds, end) = actual(agent, &name, &whole);
        for change in malformed::mutations(&lines, &mut seen) {
            let is_telling = change.place.split('/').any(|step| TELLING.contains(&step));
            let mut lines = whole.clone();
            lines[change.number] = &change.line;
            let (now, verdict) = actual(agent, &name, &lines);
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
fn malformed_value_never_breaks_claude_session() {
    holds_for("claude");
}

#[test]
fn malformed_value_never_breaks_codex_session() {
    holds_for("codex");
}

#[test]
fn malformed_value_never_breaks_pi_session() {
    holds_for("pi");
}

#[test]
fn malformed_value_never_breaks_acp_session() {
    holds_for("acp");
}

#[test]
fn malformed_value_never_breaks_gemini_session() {
    holds_for("gemini");
}

#[test]
fn malformed_value_never_breaks_opencode_session() {
    holds_for("opencode");
}

#[test]
fn malformed_value_never_breaks_qwen_session() {
    holds_for("qwen");
}

/// Final lines of finished work, each with a partly unreadable end.
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
fn unknown_stop_reason_without_error_is_success() {
    for (agent, name, lines) in ENDS {
        let lines: Vec<&[u8]> = lines.iter().map(|line| line.as_bytes()).collect();
        assert_eq!(
            actual(agent, name, &lines).1,
            "succeeded",
            "{agent}: {}",
            String::from_utf8_lossy(&lines.concat())
        );
    }
}

#[test]
fn losses_are_marked() {
    for (agent, name, line) in [
        ("claude", "", &br#"{"type":"assistant","message":{"content":[{"type":"text","text":"a\ud800"}]},"timestamp":-7}"#[..]),
        ("codex", "app_server", &br#"{"method":"item/completed","params":{"item":{"type":"commandExecution","id":"i","command":"ls","exitCode":1e999}}}"#[..]),
        ("pi", "", &br#"{"type":"tool_execution_end","toolCallId":"c","isError":"no"}"#[..]),
        ("gemini", "", &br#"{"type":"tool_result","tool_id":"c","status":-1}"#[..]),
        ("opencode", "", &br#"{"type":"step_finish","part":{"reason":"stop","cost":"free"}}"#[..]),
    ] {
        let (kinds, _) = actual(agent, name, &[line]);
        assert!(kinds[0].len() > 1 && kinds[0].contains(&"unknown".to_owned()), "{agent}: {kinds:?}");
    }
}
