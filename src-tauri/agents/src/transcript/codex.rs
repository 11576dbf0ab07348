//! Codex's `rollout-*.jsonl`. The items of the conversation are told; the events beside them repeat what they say,
//! but for what the conversation itself does not hold.

use serde::Deserialize;
use serde_json::Value;

use crate::event::SessionEvent;
use crate::transcript::{Texts, Told, at, ended, started};

#[derive(Deserialize)]
struct Line {
    timestamp: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    payload: Option<Value>,
}

#[derive(Deserialize)]
struct Item {
    #[serde(rename = "type")]
    kind: String,
    role: Option<String>,
    content: Option<Texts>,
    summary: Option<Texts>,
    name: Option<String>,
    call_id: Option<String>,
    arguments: Option<String>,
    input: Option<String>,
    action: Option<Value>,
    output: Option<Value>,
}

#[derive(Deserialize)]
struct Meta {
    id: Option<String>,
    cli_version: Option<String>,
}

/// What a line tells.
pub(crate) fn tell(line: &[u8]) -> Result<Told, serde_json::Error> {
    let record: Line = serde_json::from_slice(line)?;
    let at_ms = at(record.timestamp.as_deref());
    let events = match (record.kind.as_deref(), record.payload) {
        (Some("session_meta"), Some(payload)) => {
            let meta: Meta = serde_json::from_value(payload)?;
            let version = meta.cli_version.unwrap_or_default();
            Some(vec![SessionEvent::Note {
                text: format!("Codex {version} began session {}", meta.id.unwrap_or_default()),
            }])
        }
        (Some("response_item"), Some(payload)) => item(serde_json::from_value(payload)?),
        (Some("event_msg"), Some(payload)) => event(&payload),
        (Some("compacted"), _) => Some(vec![SessionEvent::Note { text: "The conversation was compacted.".to_owned() }]),
        (Some("turn_context" | "world_state" | "token_usage_record" | "ghost_snapshot"), _) | (None, None) => {
            Some(Vec::new())
        }
        // Before the records had a payload, the items stood alone.
        (Some(_), None) => item(serde_json::from_slice(line)?),
        _ => None,
    };
    Ok(Told { at_ms, events })
}

fn item(item: Item) -> Option<Vec<SessionEvent>> {
    let call = item.call_id.unwrap_or_default();
    let name = item.name.unwrap_or_else(|| "shell".to_owned());
    Some(match (item.kind.as_str(), item.role.as_deref()) {
        ("message", Some("assistant")) => {
            let texts = item.content.map(Texts::all).unwrap_or_default();
            texts.into_iter().map(|markdown| SessionEvent::Text { markdown }).collect()
        }
        ("message", Some("user")) => item.content.map(Texts::all).unwrap_or_default().into_iter().map(said).collect(),
        ("message", _) => Vec::new(),
        ("reasoning", _) => {
            let texts = item.summary.map(Texts::all).unwrap_or_default();
            texts.into_iter().map(|text| SessionEvent::Thinking { text }).collect()
        }
        ("function_call", _) => {
            let arguments = item.arguments.unwrap_or_default();
            let input = serde_json::from_str(&arguments).unwrap_or(Value::String(arguments));
            vec![started(&call, &name, input)]
        }
        ("custom_tool_call", _) => {
            vec![started(&call, &name, serde_json::json!({ "input": item.input.unwrap_or_default() }))]
        }
        ("local_shell_call", _) => vec![started(&call, &name, item.action.unwrap_or_default())],
        ("function_call_output" | "custom_tool_call_output" | "local_shell_call_output", _) => {
            let (text, ok) = output(item.output.unwrap_or_default());
            vec![ended(&call, ok, &text)]
        }
        _ => return None,
    })
}

/// What stands in the person's name: their words, or the client's in a tag.
fn said(text: String) -> SessionEvent {
    let by_client = text.trim_start().starts_with(['<']) || text.starts_with("# AGENTS.md instructions");
    if by_client { SessionEvent::Note { text } } else { SessionEvent::Prompt { text } }
}

/// A tool's answer: a text, blocks, or the text of a JSON object with metadata. Shells tell their exit code in it.
fn output(output: Value) -> (String, bool) {
    let text = match output {
        Value::String(text) => text,
        Value::Object(mut fields) if fields.contains_key("content") => {
            let ok = fields.get("success").and_then(Value::as_bool).unwrap_or(true);
            let text = fields.remove("content").unwrap_or_default();
            return (text.as_str().map_or_else(|| text.to_string(), str::to_owned), ok);
        }
        other => serde_json::from_value::<Texts>(other).map(Texts::joined).unwrap_or_default(),
    };
    if let Ok(Value::Object(fields)) = serde_json::from_str(&text)
        && let Some(said) = fields.get("output").and_then(Value::as_str)
    {
        let code = fields.get("metadata").and_then(|metadata| metadata.get("exit_code")?.as_i64());
        return (said.to_owned(), code.is_none_or(|code| code == 0));
    }
    let code = text.lines().take(6).find_map(|line| line.strip_prefix("Process exited with code "));
    let ok = code.is_none_or(|code| code == "0");
    (text, ok)
}

fn event(payload: &Value) -> Option<Vec<SessionEvent>> {
    let text = |key: &str| payload[key].as_str().unwrap_or_default().to_owned();
    Some(match payload["type"].as_str()? {
        "error" => vec![SessionEvent::Error { text: text("message") }],
        "stream_error" | "warning" => vec![SessionEvent::Note { text: text("message") }],
        "turn_aborted" => vec![SessionEvent::Note { text: "The turn was interrupted.".to_owned() }],
        _ => Vec::new(),
    })
}
