//! Gemini's messages, one a line, each as it was last written; the first line is the header.

use serde::Deserialize;
use serde_json::Value;

use crate::event::SessionEvent;
use crate::transcript::{Texts, Told, at, ended, started};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    #[serde(rename = "type")]
    kind: Option<String>,
    timestamp: Option<String>,
    content: Option<Texts>,
    #[serde(default)]
    thoughts: Vec<Thought>,
    #[serde(default)]
    tool_calls: Vec<ToolCall>,
}

#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct Thought {
    subject: String,
    description: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ToolCall {
    id: String,
    name: String,
    #[serde(default)]
    args: Value,
    #[serde(default)]
    result: Value,
    status: Option<String>,
}

/// What a line tells.
pub(crate) fn tell(line: &[u8]) -> Result<Told, serde_json::Error> {
    let line: Line = serde_json::from_slice(line)?;
    let at_ms = at(line.timestamp.as_deref());
    let texts = line.content.map(Texts::all).unwrap_or_default();
    let texts = texts.into_iter().filter(|text| !text.is_empty());
    let events = match line.kind.as_deref() {
        Some("user") => Some(texts.map(said).collect()),
        Some("gemini") => {
            let thoughts = line.thoughts.into_iter().map(|thought| SessionEvent::Thinking {
                text: format!("{}\n{}", thought.subject, thought.description).trim().to_owned(),
            });
            let calls = line.tool_calls.into_iter().flat_map(call);
            Some(thoughts.chain(texts.map(|markdown| SessionEvent::Text { markdown })).chain(calls).collect())
        }
        Some("info" | "warning") => Some(texts.map(|text| SessionEvent::Note { text }).collect()),
        Some("error") => Some(texts.map(|text| SessionEvent::Error { text }).collect()),
        None => Some(Vec::new()),
        Some(_) => None,
    };
    Ok(Told { at_ms, events })
}

fn said(text: String) -> SessionEvent {
    if text.trim_start().starts_with("<session_context>") {
        SessionEvent::Note { text }
    } else {
        SessionEvent::Prompt { text }
    }
}

/// A call stands with its result. The result is repeated as the next message of the person, without a text.
fn call(call: ToolCall) -> Vec<SessionEvent> {
    let text = call.result.as_array().into_iter().flatten().map(answer).collect::<Vec<_>>().join("\n");
    let mut events = vec![started(&call.id, &call.name, call.args)];
    if let Some(status) = call.status {
        events.push(ended(&call.id, status == "success", &text));
    }
    events
}

fn answer(part: &Value) -> String {
    let response = &part["functionResponse"]["response"];
    let text = response["output"].as_str().or(response["error"].as_str()).or(part["text"].as_str());
    text.map_or_else(|| response.to_string(), str::to_owned)
}
