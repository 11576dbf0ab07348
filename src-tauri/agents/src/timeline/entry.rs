//! The entries of a timeline, as sent to a window.

use baton_model::time::Timestamp;
use baton_output::{StyledRange, clip_styles};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::event::{SessionEvent, Stream, ToolResult, TurnEnd};
use crate::file_edit::{FileEdit, cut_edits, edits_of_call};
use crate::image::TimelineImage;
use crate::json_text::cut_strings;
use crate::plain_text::truncate;
use crate::todo::{TodoItem, todos_of_call};
use crate::usage::Usage;

/// An entry, complete or with its longest texts truncated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct TimelineEntry {
    /// The entry's index, from 0. It never changes.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub seq: u64,
    /// The position in the log.
    pub at: Position,
    /// The tool call whose subagent wrote the entry; `None` for the agent itself.
    pub parent: Option<String>,
    /// The number of bytes cut from its texts.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub left_out_bytes: u64,
    pub kind: TimelineKind,
}

/// A position in a session's log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[cfg_attr(feature = "bindings", ts(rename = "LogPosition"))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct Position {
    pub stream: Stream,
    /// The byte after the entry: the entry was complete when the log had this length.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub offset: u64,
    /// Milliseconds since 1970, by the agent's clock. `None` when the agent does not report it;
    /// the caller may know when the log reached `offset`.
    #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
    pub at_ms: Option<i64>,
}

/// The content of an entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
#[expect(missing_docs, reason = "the names say it")]
pub enum TimelineKind {
    /// A message to the agent.
    Prompt {
        text: String,
    },
    Text {
        markdown: String,
    },
    Thinking {
        text: String,
    },
    /// A tool call with its result.
    ToolCall {
        /// The id of the call in the agent's protocol.
        id: String,
        /// Empty when the log holds a result without its call.
        name: String,
        /// What the call works on, on one line.
        summary: String,
        input: Value,
        /// `None` while the call runs, or when the session ended before it.
        result: Option<ToolResult>,
        /// The position of the result.
        ended: Option<Position>,
        /// The files that the call changes, or would have changed if it failed.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<FileEdit>>"))]
        edits: Vec<FileEdit>,
        /// The list that the call sets.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<TodoItem>>"))]
        todos: Vec<TodoItem>,
    },
    /// Plain output: consecutive lines, up to 200 or 64 KiB.
    Output {
        stream: Stream,
        /// As a terminal shows it, without codes.
        text: String,
        /// The parts of `text` that are not plain, such as colors.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<StyledRange>>"))]
        styles: Vec<StyledRange>,
    },
    /// A tool call that needed permission, or that the agent's own rules denied.
    Permission {
        /// The request's id; `None` when nobody was asked.
        request: Option<String>,
        tool: String,
        /// What the call would do, on one line.
        summary: String,
        /// Null when nobody was asked.
        input: Value,
        state: PermissionState,
        /// The files that the call would change.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<FileEdit>>"))]
        edits: Vec<FileEdit>,
    },
    /// A request to the model that is retried.
    Retry {
        /// The number of the attempt, from 1.
        attempt: u32,
        /// The maximum number of attempts; 0 means no limit.
        max: u32,
        /// The delay before the attempt; 0 when the agent does not report it.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        delay_ms: u64,
        reason: String,
    },
    /// The usage of the session so far.
    Usage {
        usage: Usage,
    },
    Error {
        text: String,
    },
    Note {
        text: String,
    },
    /// The agent's list of what it will do, complete.
    TodoList {
        items: Vec<TodoItem>,
    },
    /// An image in a message.
    Image {
        image: TimelineImage,
    },
    /// A message that this version of Baton does not know.
    Unknown {
        /// The whole message, unparsed.
        raw: String,
    },
}

/// The decision on a permission request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum PermissionState {
    /// Pending, or the session ended without a decision.
    Asked,
    Allowed,
    Denied,
    /// The agent withdrew the request.
    Withdrawn,
}

impl TimelineKind {
    /// The entry for an event; `None` for events that change another entry or are not shown.
    pub(super) fn from_event(event: SessionEvent) -> Option<Self> {
        Some(match event {
            SessionEvent::Started { model, version, .. } => Self::Note {
                text: started(&model, &version),
            },
            SessionEvent::Prompt { text } => Self::Prompt { text },
            SessionEvent::Text { markdown } => Self::Text { markdown },
            SessionEvent::Thinking { text } => Self::Thinking { text },
            SessionEvent::ToolStarted {
                id,
                name,
                summary,
                input,
            } => Self::ToolCall {
                id,
                name,
                summary,
                input,
                result: None,
                ended: None,
                edits: Vec::new(),
                todos: Vec::new(),
            },
            SessionEvent::ToolEnded { id, result } => Self::ToolCall {
                id,
                name: String::new(),
                summary: String::new(),
                input: Value::Null,
                result: Some(result),
                ended: None,
                edits: Vec::new(),
                todos: Vec::new(),
            },
            SessionEvent::PermissionAsked { request } => Self::Permission {
                request: Some(request.request),
                tool: request.tool,
                summary: request.summary,
                input: request.input,
                state: PermissionState::Asked,
                edits: Vec::new(),
            },
            SessionEvent::PermissionDenied { tool, reason } => Self::Permission {
                request: None,
                tool,
                summary: reason,
                input: Value::Null,
                state: PermissionState::Denied,
                edits: Vec::new(),
            },
            SessionEvent::Retrying {
                attempt,
                max,
                delay_ms,
                reason,
            } => Self::Retry {
                attempt,
                max,
                delay_ms,
                reason,
            },
            SessionEvent::RateLimit {
                rejected,
                resets_at,
                utilization,
            } => Self::Note {
                text: rate_limit_text(rejected, resets_at, utilization),
            },
            // The log does not contain it. The record of the run does, and the caller merges
            // both.
            SessionEvent::OutsideScope { .. } => return None,
            SessionEvent::Usage { usage } if usage == Usage::default() => return None,
            SessionEvent::Usage { usage } => Self::Usage { usage },
            SessionEvent::TurnEnded {
                end: TurnEnd::Interrupted,
                ..
            } => Self::Note {
                text: "The turn was interrupted.".to_owned(),
            },
            SessionEvent::TurnEnded { text, .. } => Self::Error { text },
            SessionEvent::Error { text } => Self::Error { text },
            SessionEvent::Note { text } => Self::Note { text },
            SessionEvent::TodoList { items } => Self::TodoList { items },
            SessionEvent::Image { image } => Self::Image { image },
            SessionEvent::Output { stream, text } => Self::Output {
                stream,
                text,
                styles: Vec::new(),
            },
            SessionEvent::Unknown { raw } => Self::Unknown { raw },
            SessionEvent::PermissionAnswered { .. }
            | SessionEvent::PermissionWithdrawn { .. }
            | SessionEvent::Background { .. } => return None,
        })
    }

    /// Adds what follows from the call itself: the edits of files, unless they are known, and the
    /// list of what to do.
    pub(super) fn derive_details(&mut self) {
        match self {
            Self::ToolCall {
                name,
                input,
                result,
                edits,
                todos,
                ..
            } => {
                if edits.is_empty() {
                    *edits = edits_of_call(name, input, result.as_ref());
                }
                *todos = todos_of_call(name, input);
            }
            Self::Permission {
                tool, input, edits, ..
            } if edits.is_empty() => *edits = edits_of_call(tool, input, None),
            _ => {}
        }
    }

    /// Removes the data of images, which only an entry that is read alone has.
    pub(super) fn remove_image_data(&mut self) {
        let images = match self {
            Self::Image { image } => std::slice::from_mut(image),
            Self::ToolCall {
                result: Some(result),
                ..
            } => &mut result.images,
            _ => return,
        };
        for image in images {
            image.data = None;
        }
    }

    /// Truncates each long text to `limit` bytes. Returns the number of bytes removed.
    pub(super) fn cut(&mut self, limit: usize) -> u64 {
        match self {
            Self::Prompt { text }
            | Self::Text { markdown: text }
            | Self::Thinking { text }
            | Self::Error { text }
            | Self::Note { text }
            | Self::Unknown { raw: text } => truncate(text, limit),
            Self::Output { text, styles, .. } => cut_styled(text, styles, limit),
            Self::Permission { input, edits, .. } => {
                cut_edits(edits, limit);
                cut_strings(input, limit)
            }
            Self::ToolCall {
                input,
                result,
                edits,
                ..
            } => {
                cut_edits(edits, limit);
                let gone = cut_strings(input, limit);
                gone + result
                    .as_mut()
                    .map_or(0, |result| cut_result(result, limit))
            }
            Self::Retry { .. }
            | Self::Usage { .. }
            | Self::TodoList { .. }
            | Self::Image { .. } => 0,
        }
    }
}

/// "Session started with opus, Claude Code 2.1", without the parts that the agent did not report.
fn started(model: &str, version: &str) -> String {
    let known: Vec<&str> = [model, version]
        .into_iter()
        .map(str::trim)
        .filter(|word| !word.is_empty())
        .collect();
    if known.is_empty() {
        "Session started".to_owned()
    } else {
        format!("Session started with {}", known.join(", "))
    }
}

fn cut_styled(text: &mut String, styles: &mut Vec<StyledRange>, limit: usize) -> u64 {
    let gone = truncate(text, limit);
    if gone > 0 {
        clip_styles(styles, text);
    }
    gone
}

fn cut_result(result: &mut ToolResult, limit: usize) -> u64 {
    result.truncated_bytes = cut_styled(&mut result.text, &mut result.styles, limit);
    let mut left = limit;
    let mut gone = result.truncated_bytes;
    for line in result
        .diff
        .iter_mut()
        .flatten()
        .flat_map(|hunk| &mut hunk.lines)
    {
        gone += truncate(line, left);
        left -= line.len();
    }
    gone
}

fn rate_limit_text(
    rejected: bool,
    resets_at: Option<Timestamp>,
    utilization: Option<f64>,
) -> String {
    let reset = resets_at
        .and_then(|at| jiff::Timestamp::from_millisecond(at.0).ok())
        .map(|at| format!("; it resets at {}", at.strftime("%Y-%m-%d %H:%M UTC")))
        .unwrap_or_default();
    match (rejected, utilization) {
        (true, _) => format!("The usage limit was reached{reset}."),
        (false, Some(part)) => {
            format!(
                "Approaching the usage limit: {:.0}% used{reset}.",
                part * 100.0
            )
        }
        (false, None) => format!("Approaching the usage limit{reset}."),
    }
}

#[cfg(test)]
mod tests {
    use super::started;

    #[test]
    fn start_entry_shows_model_and_version() {
        for (model, version, words) in [
            (
                "opus",
                "Claude Code 2.1",
                "Session started with opus, Claude Code 2.1",
            ),
            ("", "Claude Code ", "Session started with Claude Code"),
            ("gemini-pro", "", "Session started with gemini-pro"),
            ("", " ", "Session started"),
        ] {
            assert_eq!(started(model, version), words, "{model:?} {version:?}");
        }
    }
}
