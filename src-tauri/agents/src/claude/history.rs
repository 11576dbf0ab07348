//! The records that Claude Code keeps below `~/.claude/projects`. Messages are as in its stream;
//! the fields around them differ.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::claude::head::Head;
use crate::claude::message;
use crate::history::{HistoryLayout, HomeFolder, HomeVariable};
use crate::lenient_json;
use crate::log_format::LogFormat;
use crate::notice::Notice;
use crate::record::{Record, with_loss_marker};
use crate::record_part::RecordPart;
use crate::role::Role;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    timestamp: Option<String>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    #[serde(borrow)]
    tool_use_result: Option<&'a RawValue>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    is_meta: bool,
    #[serde(default, deserialize_with = "lenient_json::field")]
    is_compact_summary: bool,
    #[serde(default, deserialize_with = "lenient_json::field")]
    is_api_error_message: bool,
    #[serde(borrow)]
    summary: Option<&'a RawValue>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
}

/// Record kinds without content for people, as of version 2.1.329.
const IGNORED_KINDS: &[&str] = &[
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

/// The layout of Claude Code's history files: folders, file names and line format.
pub static HISTORY: HistoryLayout = HistoryLayout {
    format: LogFormat::lines("claude history", read),
    home_variable: Some(HomeVariable::Folders("CLAUDE_CONFIG_DIR")),
    homes: &[HomeFolder::Home(".claude"), HomeFolder::XdgConfig("claude")],
    folders: &["projects"],
    files: &["*.jsonl"],
    session_file: Some("{id}.jsonl"),
    helper_files: Some("agent-*"),
    is_file_named_by_session: true,
    ..HistoryLayout::EMPTY
};

fn read(line: &[u8]) -> Record<'_> {
    with_loss_marker(|| read_line(line))
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
                RecordPart::Unknown
            } else {
                RecordPart::Plain
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
            .map(|raw| RecordPart::Text {
                role: Role::Note,
                raw,
            })
            .into_iter()
            .collect(),
        "system" => match line.content.filter(|raw| raw.get().starts_with('"')) {
            Some(raw) => vec![RecordPart::Text {
                role: Role::Note,
                raw,
            }],
            None => vec![RecordPart::Notice(Notice::Ignored)],
        },
        kind if IGNORED_KINDS.contains(&kind) => Vec::new(),
        _ => vec![RecordPart::Unknown],
    };
    Record {
        at_ms: at_ms.map(jiff::Timestamp::as_millisecond),
        parts,
        ..Record::default()
    }
}

/// The fields of the line as the stream would have them. Everything except client notes and
/// summaries is a prompt.
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
