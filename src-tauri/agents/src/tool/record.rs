//! One line of `baton-tool`'s output, split into parts without decoding them.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::json_text::string;
use crate::log_format::LogFormat;
use crate::notice::Notice;
use crate::record::Record;
use crate::record_part::RecordPart;
use crate::role::Role;
use crate::tool_result::{ExitCodeSource, ToolResultPart};

#[derive(Deserialize)]
pub(super) struct Line<'a> {
    #[serde(rename = "type", borrow)]
    pub(super) kind: Cow<'a, str>,
    id: Option<String>,
    tool: Option<String>,
    #[serde(borrow)]
    args: Option<&'a RawValue>,
    #[serde(borrow)]
    value: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) message: Option<&'a RawValue>,
    pub(super) ok: Option<bool>,
    condition: Option<String>,
    holds: Option<bool>,
}

/// One event of `baton-tool` per line.
pub const LOG_FORMAT: LogFormat = LogFormat::lines("baton-tool", read);

pub(crate) fn read(line: &[u8]) -> Record<'_> {
    if line.iter().all(u8::is_ascii_whitespace) {
        return Record::default();
    }
    let part = match serde_json::from_slice::<Line<'_>>(line) {
        Ok(line) => part(line),
        Err(_) if line.trim_ascii_start().starts_with(b"{") => RecordPart::Unknown,
        Err(_) => RecordPart::Plain,
    };
    Record {
        parts: vec![part],
        ..Record::default()
    }
}

fn part(line: Line<'_>) -> RecordPart<'_> {
    let result = |id, content, is_error| {
        RecordPart::ToolResult(ToolResultPart {
            id,
            content,
            is_error,
            denied: false,
            detail: None,
            images: None,
            to_text: value_text,
            exit: ExitCodeSource::InText,
        })
    };
    let kind = line.kind.clone();
    match (&*kind, line) {
        (
            "call",
            Line {
                id: Some(id),
                tool: Some(name),
                args: Some(input),
                ..
            },
        ) => RecordPart::ToolCall { id, name, input },
        (
            "result",
            Line {
                id: Some(id),
                value,
                ..
            },
        ) => result(id, value, false),
        (
            "error",
            Line {
                id: Some(id),
                message,
                ..
            },
        ) => result(id, message, true),
        (
            "condition",
            Line {
                condition: Some(condition),
                holds: Some(holds),
                ..
            },
        ) => {
            let verb = if holds { "is true" } else { "is false" };
            RecordPart::Notice(Notice::Note(format!("`{condition}` {verb}.")))
        }
        ("end", Line { ok: Some(true), .. }) => RecordPart::Notice(Notice::Ignored),
        (
            "end",
            Line {
                message: Some(raw), ..
            },
        ) => RecordPart::Text {
            role: Role::Error,
            raw,
        },
        _ => RecordPart::Unknown,
    }
}

/// A result as text: a program's output, a server's answer, the items of a list. Anything else as
/// JSON.
fn value_text(raw: &RawValue) -> String {
    match serde_json::from_str(raw.get()) {
        Ok(Value::Object(fields)) => {
            let text = |name: &str| {
                fields
                    .get(name)
                    .and_then(Value::as_str)
                    .map(str::trim_end)
                    .unwrap_or_default()
            };
            match ["exitCode", "status"].map(|name| fields.get(name)) {
                [Some(_), _] => join_lines(text("stdout"), text("stderr")),
                [_, Some(status)] if fields.contains_key("body") => {
                    join_lines(&status.to_string(), text("body"))
                }
                _ => serde_json::to_string_pretty(&fields).unwrap_or_default(),
            }
        }
        Ok(Value::Array(items)) if items.iter().all(Value::is_string) => items
            .iter()
            .filter_map(Value::as_str)
            .collect::<Vec<_>>()
            .join("\n"),
        Ok(value @ Value::Array(_)) => serde_json::to_string_pretty(&value).unwrap_or_default(),
        _ => string(raw),
    }
}

fn join_lines(above: &str, below: &str) -> String {
    [above, below]
        .into_iter()
        .filter(|text| !text.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}
