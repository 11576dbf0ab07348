//! One line of `baton-tool`'s output, taken apart without decoding what it carries.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::json_text::string;
use crate::notice::Notice;
use crate::part::Part;
use crate::record::Record;
use crate::role::Role;
use crate::tool_result::{Exit, ToolResultPart};

/// A line, whatever its type.
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

/// Reads one line without its newline.
pub(crate) fn read(line: &[u8]) -> Record<'_> {
    if line.iter().all(u8::is_ascii_whitespace) {
        return Record::default();
    }
    let part = match serde_json::from_slice::<Line<'_>>(line) {
        Ok(line) => part(line),
        Err(_) if line.trim_ascii_start().starts_with(b"{") => Part::Unknown,
        Err(_) => Part::Plain,
    };
    Record {
        parts: vec![part],
        ..Record::default()
    }
}

fn part(line: Line<'_>) -> Part<'_> {
    let result = |id, content, is_error| {
        Part::ToolResult(ToolResultPart {
            id,
            content,
            is_error,
            denied: false,
            detail: None,
            words,
            exit: Exit::InWords,
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
        ) => Part::ToolCall { id, name, input },
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
            let verb = if holds { "holds" } else { "does not hold" };
            Part::Notice(Notice::Words(format!("`{condition}` {verb}.")))
        }
        ("end", Line { ok: Some(true), .. }) => Part::Notice(Notice::Nothing),
        (
            "end",
            Line {
                message: Some(raw), ..
            },
        ) => Part::Text {
            role: Role::Error,
            raw,
        },
        _ => Part::Unknown,
    }
}

/// A result as a person reads it: what a program printed, what a server answered, the items of a list; else JSON.
fn words(raw: &RawValue) -> String {
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
                [Some(_), _] => both(text("stdout"), text("stderr")),
                [_, Some(status)] if fields.contains_key("body") => {
                    both(&status.to_string(), text("body"))
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

fn both(above: &str, below: &str) -> String {
    [above, below]
        .into_iter()
        .filter(|text| !text.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}
