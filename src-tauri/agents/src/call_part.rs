//! A tool call that is reported in pieces, as in the Agent Client Protocol. Each piece repeats
//! what has changed.
//!
//! No agent reports everything in one place. The name is in its own field, in the first title, or
//! in the call's id. The input is empty first and filled later. File changes come before, with or
//! after the end of the call.

use baton_output::{RenderedText, render_text};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::event::{SessionEvent, ToolResult};
use crate::file_edit::{FileEdit, edits_of_content};
use crate::image::images_in_raw;
use crate::json_text::{parse, summary_field};
use crate::lenient_json;
use crate::permission::PermissionRequest;
use crate::plain_text::one_line;
use crate::text_diff;
use crate::tool_name::shell_command;

/// One piece, not decoded.
#[derive(Debug)]
pub(crate) struct CallPart<'a> {
    /// The id of the call.
    pub(crate) id: String,
    pub(crate) stage: Stage,
    /// The piece is part of a permission request. It describes what a person sees, which is not
    /// always what will run.
    pub(crate) is_question: bool,
    fields: Fields<'a>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stage {
    /// The call begins or continues.
    Announced,
    /// The agent asks for permission, in the request with this id.
    Asked {
        request: String,
    },
    Ended {
        ok: bool,
    },
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Fields<'a> {
    #[serde(default, deserialize_with = "lenient_json::field")]
    session_update: Option<String>,
    tool_call_id: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    title: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    name: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    kind: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    status: Option<String>,
    #[serde(borrow)]
    raw_input: Option<&'a RawValue>,
    #[serde(borrow)]
    raw_output: Option<&'a RawValue>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    locations: Option<&'a RawValue>,
    #[serde(borrow, rename = "_meta")]
    meta: Option<&'a RawValue>,
}

impl<'a> CallPart<'a> {
    /// The piece in an update; `None` for an unknown shape.
    pub(crate) fn from_update(update: &'a RawValue) -> Option<Self> {
        let fields: Fields<'a> = parse(update)?;
        let stage = match fields.status.as_deref() {
            Some("completed") => Stage::Ended { ok: true },
            Some("failed" | "cancelled") => Stage::Ended { ok: false },
            _ => Stage::Announced,
        };
        Some(Self {
            id: fields.tool_call_id.clone(),
            stage,
            is_question: false,
            fields,
        })
    }

    /// The piece in a permission request, as an update of the call or as the question.
    pub(crate) fn from_permission_request(call: &'a RawValue, stage: Stage) -> Option<Self> {
        let fields: Fields<'a> = parse(call)?;
        Some(Self {
            id: fields.tool_call_id.clone(),
            stage,
            is_question: true,
            fields,
        })
    }

    /// Whether it has the input of the call.
    pub(crate) fn has_input(&self) -> bool {
        non_empty(self.fields.raw_input).is_some()
    }

    /// Whether it has output or file changes of the call.
    pub(crate) fn has_content(&self) -> bool {
        non_empty(self.fields.content).is_some() && !self.is_question
    }

    /// Whether it has file changes.
    pub(crate) fn has_patch(&self) -> bool {
        self.fields
            .content
            .is_some_and(|content| content.get().contains("\"diff\""))
    }

    /// The event of this piece alone.
    pub(crate) fn event(&self) -> SessionEvent {
        let mut call = Call::default();
        call.merge(self);
        match &self.stage {
            Stage::Announced => call.started(&self.id),
            Stage::Asked { request } => SessionEvent::PermissionAsked {
                request: call.question(&self.id, request),
            },
            Stage::Ended { ok } => SessionEvent::ToolEnded {
                id: self.id.clone(),
                result: call.result(*ok),
            },
        }
    }

    /// Whether the agent itself says that a rule or a person denied the call.
    pub(crate) fn is_refusal(&self) -> bool {
        self.fields
            .meta
            .is_some_and(|meta| meta.get().contains("\"nonExecutionKind\""))
    }
}

/// `raw`, unless it is missing, null or empty.
fn non_empty(raw: Option<&RawValue>) -> Option<&RawValue> {
    raw.filter(|raw| !matches!(raw.get().trim(), "null" | "{}" | "[]" | "\"\""))
}

/// A call, merged from its pieces.
#[derive(Debug, Clone, Default)]
pub(crate) struct Call {
    told_name: Option<String>,
    named_by_id: Option<String>,
    first_title: Option<String>,
    title: String,
    kind: Option<String>,
    locations: Value,
    input: Value,
    content: Option<Box<RawValue>>,
    /// What a person sees in the permission request.
    shown: Option<Box<RawValue>>,
    patch: Option<Box<RawValue>>,
    output: Option<Box<RawValue>>,
    is_refused: bool,
    /// The agent reports failed commands as failures, so that a missing exit code means success.
    reports_failures: bool,
}

impl Call {
    /// Adds the next piece.
    pub(crate) fn merge(&mut self, part: &CallPart<'_>) {
        let fields = &part.fields;
        if self.named_by_id.is_none() {
            self.named_by_id = name_in_id(&part.id);
        }
        let in_meta = || {
            fields
                .meta
                .and_then(parse::<Value>)
                .and_then(|meta| name_in_meta(&meta))
        };
        let in_meta = in_meta();
        // The client that reports tool names there also reports failures.
        self.reports_failures |= in_meta.is_some();
        if let Some(name) = fields.name.clone().or(in_meta) {
            self.told_name = Some(name);
        }
        if let Some(title) = &fields.title {
            if fields.session_update.as_deref() == Some("tool_call") && self.first_title.is_none() {
                self.first_title = Some(title.clone());
            }
            self.title.clone_from(title);
        }
        if fields.kind.is_some() {
            self.kind.clone_from(&fields.kind);
        }
        let is_first = self.input.is_null() || !part.is_question;
        if let Some(input) = non_empty(fields.raw_input).filter(|_| is_first) {
            self.input = parse(input).unwrap_or_default();
        }
        if let Some(locations) = non_empty(fields.locations) {
            self.locations = parse(locations).unwrap_or_default();
        }
        if let Some(content) = non_empty(fields.content) {
            let place = if part.is_question {
                &mut self.shown
            } else {
                &mut self.content
            };
            *place = Some(content.to_owned());
            if part.has_patch() {
                self.patch = Some(content.to_owned());
            }
        }
        if let Some(output) = non_empty(fields.raw_output) {
            self.output = Some(output.to_owned());
        }
        self.is_refused |= part.is_refusal();
    }

    /// The most exact name that the agent reports. If it reports none, the call's kind: `edit`,
    /// `execute`.
    pub(crate) fn name(&self) -> String {
        let command = self.input.get("command").and_then(Value::as_str);
        let first_title = self
            .first_title
            .as_ref()
            .filter(|&title| is_name(title) && Some(title.as_str()) != command);
        let named = [
            self.told_name.as_ref(),
            self.named_by_id.as_ref(),
            first_title,
            self.kind.as_ref(),
        ];
        named
            .into_iter()
            .flatten()
            .next()
            .cloned()
            .unwrap_or_else(|| "tool".to_owned())
    }

    /// What the call works on, on one line.
    pub(crate) fn summary(&self) -> String {
        let place = || {
            self.locations
                .get(0)?
                .get("path")?
                .as_str()
                .map(str::to_owned)
        };
        let title =
            || Some(self.title.clone()).filter(|title| !title.is_empty() && *title != self.name());
        summary_field(&self.input)
            .or_else(title)
            .or_else(place)
            .map(|text| one_line(&text, 200))
            .unwrap_or_default()
    }

    /// The input. If the agent does not report it, what it shows to a person.
    pub(crate) fn input(&self) -> Value {
        if !self.input.is_null() {
            return self.input.clone();
        }
        // Gemini reports only the command line.
        if self.named_by_id.is_some() && self.kind.as_deref() == Some("execute") {
            return json!({"command": self.title});
        }
        let mut shown = json!({});
        let content = [&self.patch, &self.shown, &self.content]
            .into_iter()
            .flatten()
            .next();
        let content = content.and_then(|content| parse::<Value>(content));
        let parts = [
            ("title", Value::from(self.title.clone())),
            ("locations", self.locations.clone()),
        ];
        for (key, value) in parts
            .into_iter()
            .chain(content.map(|content| ("content", content)))
        {
            if !value.is_null() && value != json!("") {
                shown[key] = value;
            }
        }
        shown
    }

    /// Whether the call runs a command that the agent has reported.
    pub(crate) fn is_command(&self) -> bool {
        shell_command(&self.name(), &self.input()).is_some()
    }

    /// The event for the beginning of the call.
    pub(crate) fn started(&self, id: &str) -> SessionEvent {
        let (name, summary, input) = (self.name(), self.summary(), self.input());
        SessionEvent::ToolStarted {
            id: id.to_owned(),
            name,
            summary,
            input,
        }
    }

    /// The permission request for the call.
    pub(crate) fn question(&self, id: &str, request: &str) -> PermissionRequest {
        PermissionRequest {
            request: request.to_owned(),
            tool: self.name(),
            summary: self.summary(),
            input: self.input(),
            tool_use: Some(id.to_owned()),
        }
    }

    pub(crate) fn result(&self, ok: bool) -> ToolResult {
        let in_content = || {
            self.content
                .as_deref()
                .map(content_text)
                .filter(|text| !text.is_empty())
        };
        let exit_code = self.output.as_deref().and_then(exit_code);
        let text = self
            .output
            .as_deref()
            .and_then(output_text)
            .or_else(in_content)
            .unwrap_or_default();
        let RenderedText { text, styles } = render_text(&text);
        ToolResult {
            ok,
            denied: self.is_refused,
            text,
            styles,
            truncated_bytes: 0,
            diff: self.patch.as_deref().and_then(text_diff::diff_from_content),
            exit_code,
            end_unknown: ok
                && self.kind.as_deref() == Some("execute")
                && exit_code.is_none()
                && !self.reports_failures,
            images: self
                .content
                .as_deref()
                .map(images_in_raw)
                .unwrap_or_default(),
        }
    }

    /// The files that the call changes, as far as its content says it. The input may say more.
    pub(crate) fn edits(&self) -> Vec<FileEdit> {
        let shown = [&self.patch, &self.shown].into_iter().flatten().next();
        shown
            .map(|content| edits_of_content(content))
            .unwrap_or_default()
    }
}

/// The exit code in a tool's output; opencode reports it for its shell.
fn exit_code(output: &RawValue) -> Option<i32> {
    let output = parse::<Value>(output)?;
    let code = ["/metadata/exit", "/exit_code"]
        .into_iter()
        .find_map(|place| output.pointer(place)?.as_i64())?;
    i32::try_from(code).ok()
}

/// `write_file__write_file_1795231485128_0` → `write_file`: gemini puts the tool's name into the
/// call's id.
fn name_in_id(id: &str) -> Option<String> {
    let (name, rest) = id.split_once("__")?;
    (rest.starts_with(name) && is_name(name)).then(|| name.to_owned())
}

/// `{"claudeCode":{"toolName":"Write"}}` → `Write`: extensions are nested under the name of their
/// vendor.
fn name_in_meta(meta: &Value) -> Option<String> {
    let name = meta
        .as_object()?
        .values()
        .find_map(|made| made.get("toolName")?.as_str())?;
    Some(name.to_owned())
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

/// A tool's output as a terminal would show it; `None` when it has no text.
fn output_text(raw: &RawValue) -> Option<String> {
    match parse::<Value>(raw)? {
        Value::String(text) => Some(text),
        Value::Object(fields) => {
            let keys = [
                "output",
                "error",
                "stdout",
                "formatted_output",
                "aggregated_output",
            ];
            keys.iter()
                .find_map(|key| fields.get(*key)?.as_str().map(str::to_owned))
        }
        _ => None,
    }
}

/// The texts in a call's content. Other content is named.
fn content_text(raw: &RawValue) -> String {
    let Some(Value::Array(blocks)) = parse::<Value>(raw) else {
        return String::new();
    };
    let texts = blocks
        .iter()
        .filter_map(|block| match block["type"].as_str()? {
            "content" => Some(match &block["content"]["text"] {
                Value::String(text) => text.clone(),
                _ => format!(
                    "[{}]",
                    block["content"]["type"].as_str().unwrap_or("content")
                ),
            }),
            _ => None,
        });
    texts.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(pieces: &[Value]) -> Call {
        let mut call = Call::default();
        for piece in pieces {
            let raw = RawValue::from_string(piece.to_string()).expect("JSON");
            call.merge(&CallPart::from_update(&raw).expect("valid piece"));
        }
        call
    }

    fn tool_call(mut fields: Value) -> Value {
        fields["sessionUpdate"] = json!("tool_call");
        fields["toolCallId"] = fields.get("toolCallId").cloned().unwrap_or(json!("t"));
        fields
    }

    #[test]
    fn finds_tool_name_in_any_field() {
        for (fields, name) in [
            (
                json!({"name": "exec_command", "title": "ls", "kind": "execute"}),
                "exec_command",
            ),
            (
                json!({"_meta": {"claudeCode": {"toolName": "Write"}}, "title": "Write a"}),
                "Write",
            ),
            (
                json!({"toolCallId": "write_file__write_file_17_0", "title": "Writing to a"}),
                "write_file",
            ),
            (
                json!({"toolCallId": "a__b", "title": "Terminal", "kind": "execute"}),
                "execute",
            ),
            (
                json!({"title": "bash", "kind": "execute", "rawInput": {}}),
                "bash",
            ),
            (
                json!({"title": "ls", "kind": "execute", "rawInput": {"command": "ls"}}),
                "execute",
            ),
            (json!({"title": "Editing files"}), "tool"),
        ] {
            assert_eq!(call(&[tool_call(fields.clone())]).name(), name, "{fields}");
        }
    }

    #[test]
    fn later_title_does_not_change_name() {
        let call = call(&[
            tool_call(json!({"title": "bash", "rawInput": {}})),
            json!({"sessionUpdate": "tool_call_update", "toolCallId": "t", "title": "make", "rawInput": {"command": "make"}}),
        ]);
        assert_eq!(
            (call.name(), call.summary()),
            ("bash".to_owned(), "make".to_owned())
        );
    }

    #[test]
    fn call_without_input_uses_title_as_summary() {
        let call = call(&[tool_call(
            json!({"title": "Writing to a", "locations": [{"path": "/a"}],
            "content": [{"type": "diff", "path": "/a", "newText": "x"}]}),
        )]);
        assert_eq!(call.summary(), "Writing to a");
        assert_eq!(call.input()["content"][0]["newText"], "x");
        assert_eq!(
            call.result(true).diff.map(|hunks| hunks[0].lines.clone()),
            Some(vec!["+x".to_owned()])
        );
    }

    #[test]
    fn last_update_becomes_the_result() {
        let update = |fields: Value| {
            let mut fields = tool_call(fields);
            fields["sessionUpdate"] = json!("tool_call_update");
            fields
        };
        let text =
            |text: &str| json!([{"type": "content", "content": {"type": "text", "text": text}}]);
        for (pieces, expected) in [
            (
                vec![
                    json!({"content": text("a")}),
                    json!({"content": text("a\nb")}),
                ],
                "a\nb",
            ),
            (
                vec![json!({"content": text("```\nx\n```"), "rawOutput": "x"})],
                "x",
            ),
            (
                vec![json!({"rawOutput": {"error": "no", "metadata": {}}})],
                "no",
            ),
            (
                vec![
                    json!({"content": text("kept"), "rawOutput": {"code": 1}}),
                    json!({"content": []}),
                ],
                "kept",
            ),
            (
                vec![json!({"content": [{"type": "content", "content": {"type": "image"}}]})],
                "[image]",
            ),
            (vec![json!({})], ""),
        ] {
            let pieces: Vec<Value> = pieces.into_iter().map(update).collect();
            assert_eq!(call(&pieces).result(true).text, expected, "{pieces:?}");
        }
    }
}
