//! One odd value never voids a session: every field of every recorded stream is replaced by values that do not fit.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use baton_agents::claude::Claude;
use baton_agents::codex::{Codex, ExecSession};
use baton_agents::custom::{CustomAgent, Protocol};
use baton_agents::pi::Pi;
use baton_agents::{
    Adapter, Driver, LogFormat, ProcessEnd, SessionEvent, Stream, Task, TimelineIndex, ToolScope, Verdict, acp,
};
use serde_json::{Value, json};
use uuid::Uuid;

/// Values that do not fit, as they stand in a line. The first two are half a character and no character at all.
const ODD: &[&[u8]] = &[
    br#""x\ud800y""#,
    b"\"x\xffy\"",
    b"-1",
    b"1e999",
    b"123456789012345678901234567890",
    b"null",
    b"true",
    br#""a word of tomorrow""#,
    b"[]",
    br#"{"odd": 1}"#,
];

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

fn task() -> Task {
    Task {
        session: Uuid::from_u128(7),
        cwd: "/home/dev/project".to_owned(),
        prompt: "Do the work.".to_owned(),
        resume: None,
        model: None,
        scope: ToolScope::default(),
        handoff_prompt: "Write the handoff.".to_owned(),
    }
}

fn own(protocol: Protocol) -> Box<dyn Driver> {
    CustomAgent { name: "own".to_owned(), argv: vec!["own".to_owned()], protocol }.driver(&task())
}

/// Who reads the recording `name` of `agent`, and how timelines read it.
fn reader(agent: &str, name: &str) -> (Box<dyn Driver>, LogFormat) {
    match agent {
        "claude" => (Claude::default().driver(&task()), LogFormat::ClaudeStream),
        "codex" if name.starts_with("app_server") => (Codex::default().driver(&task()), LogFormat::CodexAppServer),
        "codex" => (Box::new(ExecSession::new(false)), LogFormat::CodexExec),
        "pi" => (Pi::default().driver(&task()), LogFormat::PiEvents),
        "acp" => (acp::driver(&task(), "Agent", "Log in."), LogFormat::Acp),
        "gemini" => (own(Protocol::GeminiStream), LogFormat::GeminiStream),
        "opencode" => (own(Protocol::OpencodeStream), LogFormat::OpencodeStream),
        _ => (own(Protocol::ClaudeStream), LogFormat::ClaudeStream),
    }
}

fn recordings(agent: &str) -> Vec<(String, Vec<Vec<u8>>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/sessions").join(agent);
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).expect("the folder is there").flatten().map(|file| file.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|kind| kind == "jsonl"));
    paths.sort();
    let read = |path: &Path| {
        let bytes = fs::read(path).expect("a file");
        let lines = bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty() && !line.starts_with(b"%%STDIN"));
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        (name, lines.map(<[u8]>::to_vec).collect())
    };
    paths.iter().map(|path| read(path)).collect()
}

/// The places of all values in `value` that hold no others, as JSON pointers.
fn leaves(value: &Value, at: &str, found: &mut Vec<String>) {
    let escaped = |key: &str| key.replace('~', "~0").replace('/', "~1");
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            fields.iter().for_each(|(key, field)| leaves(field, &format!("{at}/{}", escaped(key)), found));
        }
        Value::Array(items) if !items.is_empty() => {
            items.iter().enumerate().for_each(|(index, item)| leaves(item, &format!("{at}/{index}"), found));
        }
        _ if at.is_empty() => {}
        _ => found.push(at.to_owned()),
    }
}

/// What a line is and where in it a value stands: the same for all lines of a kind.
fn shape(line: &Value, place: &str) -> String {
    let kinds =
        ["/type", "/subtype", "/method", "/params/update/sessionUpdate", "/params/item/type", "/item/type", "/command"];
    let kind: Vec<&str> = kinds.iter().filter_map(|kind| line.pointer(kind)?.as_str()).collect();
    let steps: Vec<&str> = place.split('/').map(|step| if step.parse::<u32>().is_ok() { "*" } else { step }).collect();
    format!("{} {}", kind.join(" "), steps.join("/"))
}

fn replaced(line: &Value, place: &str, odd: &[u8]) -> Vec<u8> {
    let mut line = line.clone();
    *line.pointer_mut(place).expect("a place in it") = json!("@odd@");
    let text = line.to_string();
    let (before, after) = text.split_once("\"@odd@\"").expect("it stands there once");
    [before.as_bytes(), odd, after.as_bytes()].concat()
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
    for (name, lines) in recordings(agent) {
        let whole: Vec<&[u8]> = lines.iter().map(Vec::as_slice).collect();
        let (kinds, end) = told(agent, &name, &whole);
        for (number, line) in lines.iter().enumerate() {
            let Ok(value) = serde_json::from_slice::<Value>(line) else { continue };
            let mut places = Vec::new();
            leaves(&value, "", &mut places);
            for place in places {
                if !seen.insert(shape(&value, &place)) {
                    continue;
                }
                let is_telling = place.split('/').any(|step| TELLING.contains(&step));
                for (which, odd) in ODD.iter().enumerate() {
                    let changed = replaced(&value, &place, odd);
                    let mut lines = whole.clone();
                    lines[number] = &changed;
                    let (now, verdict) = told(agent, &name, &lines);
                    tried += 1;
                    let what = || format!("{agent} {name}, line {number}: {}", String::from_utf8_lossy(&changed));
                    assert!(is_telling || verdict == end, "{}: {end} became {verdict}", what());
                    let is_text = value.pointer(&place).is_some_and(Value::is_string) && which < 2;
                    let kept = kinds[number].iter().all(|kind| now[number].contains(kind));
                    assert!(is_telling || !is_text || kept, "{}: {:?} became {:?}", what(), kinds[number], now[number]);
                }
            }
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
    ("claude", "", &[r#"{"type":"result","subtype":"success","is_error":"no","result":"Done."}"#]),
    ("claude", "", &[r#"{"type":"result","subtype":7,"is_error":false,"result":"Done."}"#]),
    (
        "codex",
        "app_server",
        &[
            r#"{"id":"thread","result":{"thread":{"id":"t"}}}"#,
            r#"{"method":"turn/completed","params":{"threadId":-1,"turn":{"id":"x","status":"rested"}}}"#,
        ],
    ),
    ("gemini", "", &[r#"{"type":"result","status":"splendid","stats":{"input":-4}}"#]),
    ("opencode", "", &[r#"{"type":"step_finish","part":{"reason":-1,"tokens":{"input":1e999}}}"#]),
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
        assert_eq!(told(agent, name, &lines).1, "succeeded", "{agent}: {}", String::from_utf8_lossy(&lines.concat()));
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
