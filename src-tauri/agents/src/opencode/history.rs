//! opencode's parts, one per line together with their message; the first line is the session.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::event::SessionEvent;
use crate::history::{HistoryLayout, HomeFolder};
use crate::history_line::{self, DecodedLine, ended, ended_with_images, started};
use crate::image::{TimelineImage, images_in};
use crate::lenient_json;
use crate::log_format::LogFormat;
use crate::record::Record;

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    session: Option<&'a RawValue>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    message: Option<Message>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    part: Option<Part>,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default, deserialize_with = "lenient_json::field")]
    role: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    time: Option<Time>,
    #[serde(default, deserialize_with = "lenient_json::any_value")]
    error: Value,
}

#[derive(Deserialize)]
struct Time {
    #[serde(default, deserialize_with = "lenient_json::field")]
    created: Option<i64>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    start: Option<i64>,
}

#[derive(Deserialize)]
struct Part {
    #[serde(rename = "type", default, deserialize_with = "lenient_json::field")]
    kind: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    text: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    mime: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    url: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    synthetic: bool,
    #[serde(default, deserialize_with = "lenient_json::field")]
    tool: Option<String>,
    #[serde(rename = "callID", default, deserialize_with = "lenient_json::field")]
    call: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    state: Option<State>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    time: Option<Time>,
}

#[derive(Deserialize)]
struct State {
    #[serde(default, deserialize_with = "lenient_json::field")]
    status: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::any_value")]
    input: Value,
    #[serde(default, deserialize_with = "lenient_json::field")]
    output: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    error: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::any_value")]
    attachments: Value,
    #[serde(default, deserialize_with = "lenient_json::field")]
    time: Option<Time>,
}

/// The layout of opencode's history files: folders, file names and line format.
pub static HISTORY: HistoryLayout = HistoryLayout {
    format: LogFormat::lines("opencode history", read),
    homes: &[HomeFolder::XdgData("opencode")],
    folders: &[""],
    files: &["storage/session/*/ses_*.json"],
    databases: &["opencode.db", "opencode*.db"],
    ..HistoryLayout::EMPTY
};

fn read(line: &[u8]) -> Record<'_> {
    history_line::read(line, decode)
}

fn decode(line: &[u8]) -> Result<DecodedLine, serde_json::Error> {
    let line: Line<'_> = serde_json::from_slice(line)?;
    let Some(message) = line.message else {
        return Ok(DecodedLine {
            at_ms: None,
            events: line.session.map(|_| Vec::new()),
        });
    };
    let part_time = line.part.as_ref().and_then(|part| {
        part.time
            .as_ref()
            .or(part.state.as_ref()?.time.as_ref())?
            .start
    });
    let at_ms = part_time.or(message.time.as_ref().and_then(|time| time.created));
    let events = match line.part {
        Some(part) => message_events(part, message.role.as_deref() == Some("user")),
        None => Some(
            Some(&message.error)
                .filter(|error| !error.is_null())
                .into_iter()
                .map(failure)
                .collect(),
        ),
    };
    Ok(DecodedLine { at_ms, events })
}

fn failure(error: &Value) -> SessionEvent {
    let text = error["data"]["message"].as_str().or(error["name"].as_str());
    SessionEvent::Error {
        text: text.map_or_else(|| error.to_string(), str::to_owned),
    }
}

/// An attached image; other files are part of the prompt's text.
fn image_event(part: &Part) -> Option<SessionEvent> {
    let media_type = part
        .mime
        .as_deref()
        .filter(|kind| kind.starts_with("image/"))?;
    let image = TimelineImage::from_address(media_type, part.url.as_deref()?);
    Some(SessionEvent::Image { image })
}

fn message_events(part: Part, by_person: bool) -> Option<Vec<SessionEvent>> {
    let text = part.text.clone().unwrap_or_default();
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
                Some("completed") => {
                    let images = images_in(&state.attachments);
                    let text = state.output.unwrap_or_default();
                    events.push(ended_with_images(&call, true, &text, images));
                }
                Some("error") => events.push(ended(&call, false, &state.error.unwrap_or_default())),
                _ => {}
            }
            events
        }
        "file" => image_event(&part).into_iter().collect(),
        "step-start" | "step-finish" | "patch" | "snapshot" | "agent" | "compaction" | "retry"
        | "subtask" => Vec::new(),
        _ => return None,
    })
}
