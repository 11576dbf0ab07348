//! pi's session files.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::event::SessionEvent;
use crate::odd;
use crate::transcript::{Told, at, ended, started, texts};

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(rename = "type", default, deserialize_with = "odd::field")]
    kind: String,
    #[serde(default, deserialize_with = "odd::field")]
    timestamp: Option<String>,
    #[serde(rename = "modelId", default, deserialize_with = "odd::field")]
    model_id: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    summary: Option<String>,
    #[serde(borrow)]
    message: Option<Message<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Message<'a> {
    #[serde(default, deserialize_with = "odd::field")]
    role: String,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(default, deserialize_with = "odd::field")]
    tool_call_id: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    is_error: bool,
    #[serde(default, deserialize_with = "odd::field")]
    error_message: Option<String>,
}

#[derive(Deserialize)]
struct Block {
    #[serde(rename = "type", default, deserialize_with = "odd::field")]
    kind: String,
    #[serde(default, deserialize_with = "odd::field")]
    text: String,
    #[serde(default, deserialize_with = "odd::field")]
    thinking: String,
    #[serde(default, deserialize_with = "odd::field")]
    id: String,
    #[serde(default, deserialize_with = "odd::field")]
    name: String,
    #[serde(default, deserialize_with = "odd::any")]
    arguments: Value,
}

/// What a line tells.
pub(crate) fn tell(line: &[u8]) -> Result<Told, serde_json::Error> {
    let line: Line<'_> = serde_json::from_slice(line)?;
    let note = |text: String| Some(vec![SessionEvent::Note { text }]);
    let events = match (line.kind.as_str(), line.message) {
        ("message", Some(message)) => said(message),
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
    Ok(Told {
        at_ms: at(line.timestamp.as_deref()),
        events,
    })
}

/// Roles of messages that repeat what other records say, or say nothing to a person.
const SILENT: &[&str] = &[
    "bashExecution",
    "branchSummary",
    "compactionSummary",
    "custom",
    "developer",
    "hookMessage",
    "system",
];

fn said(message: Message<'_>) -> Option<Vec<SessionEvent>> {
    let content = message.content;
    let joined = |content| texts(content).join("\n");
    Some(match message.role.as_str() {
        "user" => vec![SessionEvent::Prompt {
            text: joined(content),
        }],
        "toolResult" => {
            vec![ended(
                &message.tool_call_id.unwrap_or_default(),
                !message.is_error,
                &joined(content),
            )]
        }
        "assistant" => {
            let blocks = content.map(odd::items::<Block>).unwrap_or_default();
            let error = message
                .error_message
                .map(|text| SessionEvent::Error { text });
            blocks.into_iter().filter_map(block).chain(error).collect()
        }
        role if SILENT.contains(&role) => Vec::new(),
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
            odd::lost();
            return None;
        }
    })
}
