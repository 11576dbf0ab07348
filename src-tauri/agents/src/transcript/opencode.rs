//! opencode's parts, one a line with the message it belongs to; the first line is the session.

use serde::Deserialize;
use serde_json::Value;

use crate::event::SessionEvent;
use crate::transcript::{Told, ended, started};

#[derive(Deserialize)]
struct Line {
    session: Option<serde::de::IgnoredAny>,
    message: Option<Message>,
    part: Option<Part>,
}

#[derive(Deserialize)]
struct Message {
    role: Option<String>,
    time: Option<Time>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Time {
    created: Option<i64>,
    start: Option<i64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Part {
    #[serde(rename = "type")]
    kind: String,
    text: Option<String>,
    #[serde(default)]
    synthetic: bool,
    tool: Option<String>,
    #[serde(rename = "callID")]
    call: Option<String>,
    state: Option<State>,
    time: Option<Time>,
}

#[derive(Deserialize)]
struct State {
    status: Option<String>,
    #[serde(default)]
    input: Value,
    output: Option<String>,
    error: Option<String>,
    time: Option<Time>,
}

/// What a line tells.
pub(crate) fn tell(line: &[u8]) -> Result<Told, serde_json::Error> {
    let line: Line = serde_json::from_slice(line)?;
    let Some(message) = line.message else {
        return Ok(Told { at_ms: None, events: line.session.map(|_| Vec::new()) });
    };
    let part_time =
        line.part.as_ref().and_then(|part| part.time.as_ref().or(part.state.as_ref()?.time.as_ref())?.start);
    let at_ms = part_time.or(message.time.as_ref().and_then(|time| time.created));
    let events = match line.part {
        Some(part) => said(part, message.role.as_deref() == Some("user")),
        None => Some(message.error.iter().map(failure).collect()),
    };
    Ok(Told { at_ms, events })
}

fn failure(error: &Value) -> SessionEvent {
    let text = error["data"]["message"].as_str().or(error["name"].as_str());
    SessionEvent::Error { text: text.map_or_else(|| error.to_string(), str::to_owned) }
}

fn said(part: Part, by_person: bool) -> Option<Vec<SessionEvent>> {
    let text = part.text.unwrap_or_default();
    Some(match part.kind.as_str() {
        "text" if part.synthetic => vec![SessionEvent::Note { text }],
        "text" if by_person => vec![SessionEvent::Prompt { text }],
        "text" => vec![SessionEvent::Text { markdown: text }],
        "reasoning" => vec![SessionEvent::Thinking { text }],
        "tool" => {
            let state = part.state?;
            let call = part.call.unwrap_or_default();
            let mut events = vec![started(&call, &part.tool.unwrap_or_default(), state.input)];
            match state.status.as_deref() {
                Some("completed") => events.push(ended(&call, true, &state.output.unwrap_or_default())),
                Some("error") => events.push(ended(&call, false, &state.error.unwrap_or_default())),
                _ => {}
            }
            events
        }
        "step-start" | "step-finish" | "patch" | "snapshot" | "file" | "agent" | "compaction" | "retry" | "subtask" => {
            Vec::new()
        }
        _ => return None,
    })
}
