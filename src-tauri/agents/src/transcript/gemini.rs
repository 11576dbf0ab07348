//! Gemini's messages, one a line, each as it was last written; the first line is the header.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::event::SessionEvent;
use crate::odd;
use crate::transcript::{Told, at, ended, started, texts};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    #[serde(rename = "type", default, deserialize_with = "odd::field")]
    kind: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    timestamp: Option<String>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    thoughts: Option<&'a RawValue>,
    #[serde(borrow)]
    tool_calls: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Thought {
    #[serde(default, deserialize_with = "odd::field")]
    subject: String,
    #[serde(default, deserialize_with = "odd::field")]
    description: String,
}

#[derive(Deserialize)]
struct ToolCall {
    #[serde(default, deserialize_with = "odd::field")]
    id: String,
    #[serde(default, deserialize_with = "odd::field")]
    name: String,
    #[serde(default, deserialize_with = "odd::any")]
    args: Value,
    #[serde(default, deserialize_with = "odd::any")]
    result: Value,
    #[serde(default, deserialize_with = "odd::field")]
    status: Option<String>,
}

/// What a line tells.
pub(crate) fn tell(line: &[u8]) -> Result<Told, serde_json::Error> {
    let line: Line<'_> = serde_json::from_slice(line)?;
    let at_ms = at(line.timestamp.as_deref());
    let texts = texts(line.content)
        .into_iter()
        .filter(|text| !text.is_empty());
    let events = match line.kind.as_deref() {
        Some("user") => Some(texts.map(said).collect()),
        Some("gemini") => {
            let thoughts = list::<Thought>(line.thoughts).map(|thought| SessionEvent::Thinking {
                text: format!("{}\n{}", thought.subject, thought.description)
                    .trim()
                    .to_owned(),
            });
            let calls = list::<ToolCall>(line.tool_calls).flat_map(call);
            Some(
                thoughts
                    .chain(texts.map(|markdown| SessionEvent::Text { markdown }))
                    .chain(calls)
                    .collect(),
            )
        }
        Some("info" | "warning") => Some(texts.map(|text| SessionEvent::Note { text }).collect()),
        Some("error") => Some(texts.map(|text| SessionEvent::Error { text }).collect()),
        None => Some(Vec::new()),
        Some(_) => None,
    };
    Ok(Told { at_ms, events })
}

fn list<'a, T: Deserialize<'a>>(raw: Option<&'a RawValue>) -> impl Iterator<Item = T> {
    raw.map(odd::items).unwrap_or_default().into_iter()
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
    let text = call
        .result
        .as_array()
        .into_iter()
        .flatten()
        .map(answer)
        .collect::<Vec<_>>()
        .join("\n");
    let mut events = vec![started(&call.id, &call.name, call.args)];
    if let Some(status) = call.status {
        events.push(ended(&call.id, status == "success", &text));
    }
    events
}

fn answer(part: &Value) -> String {
    let response = &part["functionResponse"]["response"];
    let text = response["output"]
        .as_str()
        .or(response["error"].as_str())
        .or(part["text"].as_str());
    text.map_or_else(|| response.to_string(), str::to_owned)
}
