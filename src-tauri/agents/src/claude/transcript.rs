//! The records that Claude Code keeps below `~/.claude/projects`. Messages look as in its stream; what stands around
//! them does not.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::claude::line::Head;
use crate::claude::message;
use crate::notice::Notice;
use crate::odd;
use crate::part::Part;
use crate::record::{Record, noting_losses};
use crate::role::Role;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(default, deserialize_with = "odd::field")]
    timestamp: Option<String>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    #[serde(borrow)]
    tool_use_result: Option<&'a RawValue>,
    #[serde(default, deserialize_with = "odd::field")]
    is_meta: bool,
    #[serde(default, deserialize_with = "odd::field")]
    is_compact_summary: bool,
    #[serde(default, deserialize_with = "odd::field")]
    is_api_error_message: bool,
    #[serde(borrow)]
    summary: Option<&'a RawValue>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
}

/// Kinds that say nothing a person would read, as the versions up to 2.1.329 write them.
const SILENT: &[&str] = &[
    "agent-color",
    "agent-name",
    "ai-title",
    "api-request",
    "api-request-blob",
    "api-request-shape",
    "atis-latch",
    "attachment",
    "cost-state",
    "custom-title",
    "file-history-snapshot",
    "last-prompt",
    "mode",
    "permission-mode",
    "pr-link",
    "progress",
    "queue-operation",
    "tag",
    "tools-used",
];

/// Reads one line without its newline. What could not be read of it is noted.
pub(crate) fn read(line: &[u8]) -> Record<'_> {
    noting_losses(|| read_line(line))
}

fn read_line(line: &[u8]) -> Record<'_> {
    if line.iter().all(u8::is_ascii_whitespace) {
        return Record::default();
    }
    let Ok(line) = serde_json::from_slice::<Line<'_>>(line) else {
        let is_object =
            line.trim_ascii_start().starts_with(b"{") && line.trim_ascii_end().ends_with(b"}");
        return Record {
            parts: vec![if is_object {
                Part::Unknown
            } else {
                Part::Plain
            }],
            ..Record::default()
        };
    };
    let at_ms = line
        .timestamp
        .as_deref()
        .and_then(|time| time.parse::<jiff::Timestamp>().ok());
    let parts = match &*line.kind {
        "user" | "assistant" => message::parts(&head(&line)),
        "summary" => line
            .summary
            .map(|raw| Part::Text {
                role: Role::Note,
                raw,
            })
            .into_iter()
            .collect(),
        "system" => match line.content.filter(|raw| raw.get().starts_with('"')) {
            Some(raw) => vec![Part::Text {
                role: Role::Note,
                raw,
            }],
            None => vec![Part::Notice(Notice::Nothing)],
        },
        kind if SILENT.contains(&kind) => Vec::new(),
        _ => vec![Part::Unknown],
    };
    Record {
        at_ms: at_ms.map(jiff::Timestamp::as_millisecond),
        parts,
        ..Record::default()
    }
}

/// The line as the stream would have it. What is neither a note of the client nor its summary is a prompt.
fn head<'a>(line: &Line<'a>) -> Head<'a> {
    Head {
        kind: line.kind.clone(),
        subtype: None,
        parent_tool_use_id: None,
        timestamp: None,
        message: line.message,
        tool_use_result: line.tool_use_result,
        tool_result_meta: None,
        error: line.message.filter(|_| line.is_api_error_message),
        is_replay: !line.is_meta && !line.is_compact_summary,
    }
}
