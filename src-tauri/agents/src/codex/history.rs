//! Codex's `rollout-*.jsonl`. The items of the conversation give the events. The event records
//! next to them are used only for what the items do not contain.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::event::SessionEvent;
use crate::history::{HistoryLayout, HomeFolder, HomeVariable};
use crate::history_line::{self, DecodedLine, at, ended_with_images, image_events, started, texts};
use crate::image::images_in;
use crate::lenient_json;
use crate::log_format::LogFormat;
use crate::record::Record;

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(default, deserialize_with = "lenient_json::field")]
    timestamp: Option<String>,
    #[serde(rename = "type", default, deserialize_with = "lenient_json::field")]
    kind: Option<String>,
    #[serde(borrow)]
    payload: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Item<'a> {
    #[serde(rename = "type", default, deserialize_with = "lenient_json::field")]
    kind: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    role: Option<String>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    summary: Option<&'a RawValue>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    name: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    call_id: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    arguments: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    input: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::any_value")]
    action: Value,
    #[serde(default, deserialize_with = "lenient_json::any_value")]
    output: Value,
}

#[derive(Deserialize)]
struct Meta {
    #[serde(default, deserialize_with = "lenient_json::field")]
    id: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    cli_version: Option<String>,
}

#[derive(Deserialize)]
struct Event {
    #[serde(rename = "type", default, deserialize_with = "lenient_json::field")]
    kind: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    message: String,
}

/// The layout of Codex's history files: folders, file names and line format.
pub static HISTORY: HistoryLayout = HistoryLayout {
    format: LogFormat::lines("codex history", read),
    home_variable: Some(HomeVariable::Folder("CODEX_HOME")),
    homes: &[HomeFolder::Home(".codex")],
    folders: &["sessions", "archived_sessions"],
    files: &["rollout-*.jsonl"],
    session_file: Some("-{id}.jsonl"),
    ..HistoryLayout::EMPTY
};

fn read(line: &[u8]) -> Record<'_> {
    history_line::read(line, decode)
}

fn decode(line: &[u8]) -> Result<DecodedLine, serde_json::Error> {
    let record: Line<'_> = serde_json::from_slice(line)?;
    let at_ms = at(record.timestamp.as_deref());
    let events = match (record.kind.as_deref(), record.payload) {
        (Some("session_meta"), Some(payload)) => {
            let meta: Meta = serde_json::from_str(payload.get())?;
            let version = meta.cli_version.unwrap_or_default();
            Some(vec![SessionEvent::Note {
                text: format!(
                    "Codex {version} started session {}",
                    meta.id.unwrap_or_default()
                ),
            }])
        }
        (Some("response_item"), Some(payload)) => item(serde_json::from_str(payload.get())?),
        (Some("event_msg"), Some(payload)) => event(serde_json::from_str(payload.get())?),
        (Some("compacted"), _) => Some(vec![SessionEvent::Note {
            text: "The conversation was compacted.".to_owned(),
        }]),
        (Some("turn_context" | "world_state" | "token_usage_record" | "ghost_snapshot"), _)
        | (None, None) => Some(Vec::new()),
        // Before records had a payload, an item was the whole line.
        (Some(_), None) => item(serde_json::from_slice(line)?),
        _ => None,
    };
    Ok(DecodedLine { at_ms, events })
}

fn item(item: Item<'_>) -> Option<Vec<SessionEvent>> {
    let call = item.call_id.unwrap_or_default();
    let name = item.name.unwrap_or_else(|| "shell".to_owned());
    Some(match (item.kind.as_str(), item.role.as_deref()) {
        ("message", Some("assistant")) => texts(item.content)
            .into_iter()
            .map(|markdown| SessionEvent::Text { markdown })
            .collect(),
        ("message", Some("user")) => texts(item.content)
            .into_iter()
            .map(prompt_event)
            .chain(image_events(item.content))
            .collect(),
        ("message", Some("developer" | "system" | "tool")) => Vec::new(),
        ("reasoning", _) => texts(item.summary)
            .into_iter()
            .map(|text| SessionEvent::Thinking { text })
            .collect(),
        ("function_call", _) => {
            let arguments = item.arguments.unwrap_or_default();
            let input = serde_json::from_str(&arguments).unwrap_or(Value::String(arguments));
            vec![started(&call, &name, input)]
        }
        ("custom_tool_call", _) => {
            vec![started(
                &call,
                &name,
                serde_json::json!({ "input": item.input.unwrap_or_default() }),
            )]
        }
        ("local_shell_call", _) => vec![started(&call, &name, item.action)],
        ("function_call_output" | "custom_tool_call_output" | "local_shell_call_output", _) => {
            let images = images_in(match &item.output {
                Value::Object(fields) => fields.get("content").unwrap_or(&Value::Null),
                output => output,
            });
            let (text, ok) = output(item.output);
            vec![ended_with_images(&call, ok, &text, images)]
        }
        _ => return None,
    })
}

/// A message in the person's name: typed by the person, or by the client in a tag.
fn prompt_event(text: String) -> SessionEvent {
    let by_client =
        text.trim_start().starts_with(['<']) || text.starts_with("# AGENTS.md instructions");
    if by_client {
        SessionEvent::Note { text }
    } else {
        SessionEvent::Prompt { text }
    }
}

/// The output of a tool: a text, blocks, or the text of a JSON object with metadata. Shells
/// include their exit code.
fn output(output: Value) -> (String, bool) {
    let text = match output {
        Value::String(text) => text,
        Value::Object(mut fields) if fields.contains_key("content") => {
            let ok = fields
                .get("success")
                .and_then(Value::as_bool)
                .unwrap_or(true);
            let text = fields.remove("content").unwrap_or_default();
            return (
                text.as_str()
                    .map_or_else(|| text.to_string(), str::to_owned),
                ok,
            );
        }
        Value::Array(blocks) => blocks
            .iter()
            .filter_map(|block| block["text"].as_str())
            .collect::<Vec<_>>()
            .join("\n"),
        _ => String::new(),
    };
    if let Ok(Value::Object(fields)) = serde_json::from_str(&text)
        && let Some(text_output) = fields.get("output").and_then(Value::as_str)
    {
        let code = fields
            .get("metadata")
            .and_then(|metadata| metadata.get("exit_code")?.as_i64());
        return (text_output.to_owned(), code.is_none_or(|code| code == 0));
    }
    let code = text
        .lines()
        .take(6)
        .find_map(|line| line.strip_prefix("Process exited with code "));
    let ok = code.is_none_or(|code| code == "0");
    (text, ok)
}

fn event(event: Event) -> Option<Vec<SessionEvent>> {
    let text = event.message;
    Some(match event.kind.as_str() {
        "" => return None,
        "error" => vec![SessionEvent::Error { text }],
        "stream_error" | "warning" => vec![SessionEvent::Note { text }],
        "turn_aborted" => vec![SessionEvent::Note {
            text: "The turn was interrupted.".to_owned(),
        }],
        _ => Vec::new(),
    })
}
