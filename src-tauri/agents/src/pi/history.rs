//! pi's session files.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::event::SessionEvent;
use crate::history::{HistoryLayout, HomeFolder, HomeVariable};
use crate::history_line::{self, DecodedLine, at, ended_with_images, image_events, started, texts};
use crate::image::images_in_raw;
use crate::lenient_json;
use crate::log_format::LogFormat;
use crate::record::Record;

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(rename = "type", default, deserialize_with = "lenient_json::field")]
    kind: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    timestamp: Option<String>,
    #[serde(rename = "modelId", default, deserialize_with = "lenient_json::field")]
    model_id: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    summary: Option<String>,
    #[serde(borrow)]
    message: Option<Message<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Message<'a> {
    #[serde(default, deserialize_with = "lenient_json::field")]
    role: String,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    tool_call_id: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    is_error: bool,
    #[serde(default, deserialize_with = "lenient_json::field")]
    error_message: Option<String>,
}

#[derive(Deserialize)]
struct Block {
    #[serde(rename = "type", default, deserialize_with = "lenient_json::field")]
    kind: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    text: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    thinking: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    id: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    name: String,
    #[serde(default, deserialize_with = "lenient_json::any_value")]
    arguments: Value,
}

/// The layout of pi's history files: folders, file names and line format.
pub static HISTORY: HistoryLayout = HistoryLayout {
    format: LogFormat::lines("pi history", read),
    home_variable: Some(HomeVariable::Folder("PI_CODING_AGENT_DIR")),
    homes: &[HomeFolder::Home(".pi/agent")],
    folders: &["sessions"],
    files: &["*.jsonl"],
    session_file: Some("_{id}.jsonl"),
    ..HistoryLayout::EMPTY
};

fn read(line: &[u8]) -> Record<'_> {
    history_line::read(line, decode)
}

fn decode(line: &[u8]) -> Result<DecodedLine, serde_json::Error> {
    let line: Line<'_> = serde_json::from_slice(line)?;
    let note = |text: String| Some(vec![SessionEvent::Note { text }]);
    let events = match (line.kind.as_str(), line.message) {
        ("message", Some(message)) => message_events(message),
        ("model_change", _) => note(format!(
            "The model is now {}",
            line.model_id.unwrap_or_default()
        )),
        ("compaction" | "branch_summary", _) => note(line.summary.unwrap_or_default()),
        ("session" | "session_info" | "thinking_level_change" | "custom" | "label", _) => {
            Some(Vec::new())
        }
        _ => None,
    };
    Ok(DecodedLine {
        at_ms: at(line.timestamp.as_deref()),
        events,
    })
}

/// Message roles that repeat other records or are irrelevant to people.
const IGNORED_KINDS: &[&str] = &[
    "bashExecution",
    "branchSummary",
    "compactionSummary",
    "custom",
    "developer",
    "hookMessage",
    "system",
];

fn message_events(message: Message<'_>) -> Option<Vec<SessionEvent>> {
    let content = message.content;
    let joined = |content| texts(content).join("\n");
    Some(match message.role.as_str() {
        "user" => [SessionEvent::Prompt {
            text: joined(content),
        }]
        .into_iter()
        .chain(image_events(content))
        .collect(),
        "toolResult" => {
            vec![ended_with_images(
                &message.tool_call_id.unwrap_or_default(),
                !message.is_error,
                &joined(content),
                content.map(images_in_raw).unwrap_or_default(),
            )]
        }
        "assistant" => {
            let blocks = content
                .map(lenient_json::items::<Block>)
                .unwrap_or_default();
            let error = message
                .error_message
                .map(|text| SessionEvent::Error { text });
            blocks.into_iter().filter_map(block).chain(error).collect()
        }
        role if IGNORED_KINDS.contains(&role) => Vec::new(),
        _ => return None,
    })
}

fn block(block: Block) -> Option<SessionEvent> {
    Some(match block.kind.as_str() {
        "text" => SessionEvent::Text {
            markdown: block.text,
        },
        "thinking" => SessionEvent::Thinking {
            text: block.thinking,
        },
        "toolCall" => started(&block.id, &block.name, block.arguments),
        "image" => return None,
        _ => {
            lenient_json::record_loss();
            return None;
        }
    })
}
