//! pi's session files.

use serde::Deserialize;
use serde_json::Value;

use crate::event::SessionEvent;
use crate::transcript::{Texts, Told, at, ended, started};

#[derive(Deserialize)]
struct Line {
    #[serde(rename = "type")]
    kind: String,
    timestamp: Option<String>,
    #[serde(rename = "modelId")]
    model_id: Option<String>,
    summary: Option<String>,
    message: Option<Message>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Message {
    role: String,
    content: Option<Value>,
    tool_call_id: Option<String>,
    #[serde(default)]
    is_error: bool,
    error_message: Option<String>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
enum Block {
    Text {
        text: String,
    },
    Thinking {
        thinking: String,
    },
    ToolCall {
        id: String,
        name: String,
        arguments: Value,
    },
    #[serde(other)]
    Other,
}

/// What a line tells.
pub(crate) fn tell(line: &[u8]) -> Result<Told, serde_json::Error> {
    let line: Line = serde_json::from_slice(line)?;
    let note = |text: String| Some(vec![SessionEvent::Note { text }]);
    let events = match (line.kind.as_str(), line.message) {
        ("message", Some(message)) => Some(said(message)),
        ("model_change", _) => note(format!("The model is now {}", line.model_id.unwrap_or_default())),
        ("compaction" | "branch_summary", _) => note(line.summary.unwrap_or_default()),
        ("session" | "session_info" | "thinking_level_change" | "custom" | "label", _) => Some(Vec::new()),
        _ => None,
    };
    Ok(Told { at_ms: at(line.timestamp.as_deref()), events })
}

fn said(message: Message) -> Vec<SessionEvent> {
    let content = message.content.unwrap_or_default();
    let texts = |content: Value| serde_json::from_value::<Texts>(content).map(Texts::joined).unwrap_or_default();
    match message.role.as_str() {
        "user" => vec![SessionEvent::Prompt { text: texts(content) }],
        "toolResult" => {
            vec![ended(&message.tool_call_id.unwrap_or_default(), !message.is_error, &texts(content))]
        }
        "assistant" => {
            let blocks: Vec<Block> = serde_json::from_value(content).unwrap_or_default();
            let error = message.error_message.map(|text| SessionEvent::Error { text });
            blocks.into_iter().filter_map(block).chain(error).collect()
        }
        _ => Vec::new(),
    }
}

fn block(block: Block) -> Option<SessionEvent> {
    Some(match block {
        Block::Text { text } => SessionEvent::Text { markdown: text },
        Block::Thinking { thinking } => SessionEvent::Thinking { text: thinking },
        Block::ToolCall { id, name, arguments } => started(&id, &name, arguments),
        Block::Other => return None,
    })
}
