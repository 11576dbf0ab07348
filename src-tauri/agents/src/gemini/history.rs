//! Gemini's messages, one per line in their last version; the first line is the header.

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
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    #[serde(rename = "type", default, deserialize_with = "lenient_json::field")]
    kind: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
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
    #[serde(default, deserialize_with = "lenient_json::field")]
    subject: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    description: String,
}

#[derive(Deserialize)]
struct ToolCall {
    #[serde(default, deserialize_with = "lenient_json::field")]
    id: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    name: String,
    #[serde(default, deserialize_with = "lenient_json::any_value")]
    args: Value,
    #[serde(default, deserialize_with = "lenient_json::any_value")]
    result: Value,
    #[serde(default, deserialize_with = "lenient_json::field")]
    status: Option<String>,
}

/// The layout of Gemini CLI's history files: folders, file names and line format.
pub static HISTORY: HistoryLayout = HistoryLayout {
    format: LogFormat::lines("gemini history", read),
    home_variable: Some(HomeVariable::Folder("GEMINI_CLI_HOME")),
    homes: &[HomeFolder::Home("")],
    folders: &[".gemini/tmp"],
    files: &["chats/session-*.jsonl", "chats/session-*.json"],
    ..HistoryLayout::EMPTY
};

fn read(line: &[u8]) -> Record<'_> {
    history_line::read(line, decode)
}

fn decode(line: &[u8]) -> Result<DecodedLine, serde_json::Error> {
    let line: Line<'_> = serde_json::from_slice(line)?;
    let at_ms = at(line.timestamp.as_deref());
    let texts = texts(line.content)
        .into_iter()
        .filter(|text| !text.is_empty());
    let events = match line.kind.as_deref() {
        Some("user") => Some(
            texts
                .map(prompt_event)
                .chain(image_events(line.content))
                .collect(),
        ),
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
    Ok(DecodedLine { at_ms, events })
}

fn list<'a, T: Deserialize<'a>>(raw: Option<&'a RawValue>) -> impl Iterator<Item = T> {
    raw.map(lenient_json::items).unwrap_or_default().into_iter()
}

fn prompt_event(text: String) -> SessionEvent {
    if text.trim_start().starts_with("<session_context>") {
        SessionEvent::Note { text }
    } else {
        SessionEvent::Prompt { text }
    }
}

/// A call is stored with its result. The result is repeated as the person's next message, without
/// a text.
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
        let images = images_in(&call.result);
        events.push(ended_with_images(
            &call.id,
            status == "success",
            &text,
            images,
        ));
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
