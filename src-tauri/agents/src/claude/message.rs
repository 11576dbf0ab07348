//! The parts of `assistant` and `user` messages: texts, thinking, tool calls and their results.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::claude::head::Head;
use crate::event::{DiffHunk, SessionEvent};
use crate::image::images_in;
use crate::json_text::string;
use crate::lenient_json;
use crate::record_part::RecordPart;
use crate::role::Role;
use crate::text_diff::whole_file;
use crate::tool_result::{Detail, ExitCodeSource, ToolResultPart};

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    content: &'a RawValue,
}

#[derive(Deserialize)]
struct Block<'a> {
    #[serde(rename = "type", default, deserialize_with = "lenient_json::field")]
    kind: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    id: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    name: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    tool_use_id: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    is_error: Option<bool>,
    #[serde(borrow)]
    text: Option<&'a RawValue>,
    #[serde(borrow)]
    thinking: Option<&'a RawValue>,
    #[serde(borrow)]
    input: Option<&'a RawValue>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    source: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct ResultMeta {
    #[serde(default, deserialize_with = "lenient_json::field")]
    id: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    non_execution_kind: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    permission_decision: Option<PermissionDecision>,
}

#[derive(Deserialize)]
struct PermissionDecision {
    #[serde(default, deserialize_with = "lenient_json::field")]
    decision: String,
}

/// The parts of a message; [`RecordPart::Unknown`] for an unknown shape.
pub(super) fn parts<'a>(head: &Head<'a>) -> Vec<RecordPart<'a>> {
    let content = head
        .message
        .and_then(|raw| serde_json::from_str::<Message<'_>>(raw.get()).ok())
        .map(|m| m.content);
    let Some(content) = content else {
        return vec![RecordPart::Unknown];
    };
    if content.get().starts_with('"') {
        return vec![RecordPart::Text {
            role: role(head, content),
            raw: content,
        }];
    }
    let Ok(blocks) = serde_json::from_str::<Vec<Block<'_>>>(content.get()) else {
        return vec![RecordPart::Unknown];
    };
    blocks.into_iter().map(|block| part(head, block)).collect()
}

fn part<'a>(head: &Head<'a>, mut block: Block<'a>) -> RecordPart<'a> {
    let kind = std::mem::take(&mut block.kind);
    match (kind.as_str(), block) {
        (
            "text",
            Block {
                text: Some(raw), ..
            },
        ) => RecordPart::Text {
            role: role(head, raw),
            raw,
        },
        (
            "thinking",
            Block {
                thinking: Some(raw),
                ..
            },
        ) => RecordPart::Text {
            role: Role::Thinking,
            raw,
        },
        (
            "tool_use" | "server_tool_use" | "mcp_tool_use",
            Block {
                id: Some(id),
                name: Some(name),
                input: Some(input),
                ..
            },
        ) => RecordPart::ToolCall { id, name, input },
        (
            "tool_result" | "mcp_tool_result",
            Block {
                tool_use_id: Some(id),
                is_error,
                content,
                ..
            },
        ) => RecordPart::ToolResult(ToolResultPart {
            denied: is_denied(head, &id),
            id,
            content,
            is_error: is_error == Some(true),
            detail: head.tool_use_result.map(|raw| Detail { raw, diff }),
            images: content,
            to_text: content_text,
            exit: ExitCodeSource::InText,
        }),
        (
            "image",
            Block {
                source: Some(source),
                ..
            },
        ) => image_part(source),
        _ => RecordPart::Unknown,
    }
}

/// An image in a message.
fn image_part<'a>(source: &RawValue) -> RecordPart<'a> {
    let block = json!({"type": "image", "source": lenient_json::value(source)});
    let image = images_in(&Value::Array(vec![block])).pop();
    image.map_or(RecordPart::Unknown, |image| {
        RecordPart::Event(Box::new(SessionEvent::Image { image }))
    })
}

fn role(head: &Head<'_>, raw: &RawValue) -> Role {
    match &*head.kind {
        "assistant" if head.error.is_some_and(|error| error.get() != "null") => Role::Error,
        "assistant" => Role::Answer,
        // A message to a subagent is its prompt. Other messages that a person did not type come
        // from the client.
        _ if head.parent_tool_use_id.is_some() => Role::Prompt,
        _ if head.is_replay && !raw.get().starts_with("\"<local-command-") => Role::Prompt,
        _ => Role::Note,
    }
}

fn is_denied(head: &Head<'_>, id: &str) -> bool {
    let metas = head
        .tool_result_meta
        .and_then(|raw| serde_json::from_str::<Vec<ResultMeta>>(raw.get()).ok());
    metas
        .into_iter()
        .flatten()
        .filter(|meta| meta.id == id)
        .any(|meta| {
            meta.non_execution_kind.is_some()
                || meta
                    .permission_decision
                    .is_some_and(|d| d.decision == "reject")
        })
}

/// The content of a result: a string or blocks. Blocks without text are named.
fn content_text(raw: &RawValue) -> String {
    match serde_json::from_str(raw.get()) {
        Ok(Value::Array(blocks)) => {
            let texts = blocks
                .iter()
                .map(|block| match (&block["text"], &block["type"]) {
                    (Value::String(text), _) => text.clone(),
                    (_, Value::String(kind)) => format!("[{kind}]"),
                    _ => block.to_string(),
                });
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => string(raw),
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Edit {
    #[serde(rename = "type", default, deserialize_with = "lenient_json::field")]
    kind: Option<String>,
    structured_patch: Vec<Hunk>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    content: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Hunk {
    old_start: u32,
    new_start: u32,
    lines: Vec<String>,
}

fn diff(detail: &RawValue) -> Option<Vec<DiffHunk>> {
    // Most details have other shapes, and parsing a long one just to find that out is expensive.
    if !detail.get().contains("\"structuredPatch\"") {
        return None;
    }
    let detail: Edit = serde_json::from_str(detail.get()).ok()?;
    if detail.kind.as_deref() == Some("create") {
        let content = detail.content?;
        return Some(whole_file('+', &content));
    }
    let hunks = detail.structured_patch.into_iter();
    Some(
        hunks
            .map(|hunk| DiffHunk {
                old_start: hunk.old_start,
                new_start: hunk.new_start,
                lines: hunk.lines,
            })
            .collect(),
    )
}
