//! One entry of a timeline, as it goes to a window.

use baton_model::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::event::{SessionEvent, Stream, ToolResult, TurnEnd};
use crate::json_text::cut_strings;
use crate::plain_text::cut;
use crate::usage::Usage;

/// An entry, whole or with its longest texts cut.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TimelineEntry {
    /// The entry's place, from 0. It never changes.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub seq: u64,
    /// Where it stands in the log, and when it was written.
    pub at: Position,
    /// The tool call whose helper agent speaks here; `None` for the agent itself.
    pub parent: Option<String>,
    /// How much text was left out, in bytes.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub left_out_bytes: u64,
    /// What it is.
    pub kind: TimelineKind,
}

/// A place in a session's log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[cfg_attr(feature = "bindings", ts(rename = "LogPosition"))]
#[serde(rename_all = "camelCase")]
pub struct Position {
    /// Which output.
    pub stream: Stream,
    /// The first byte after the entry: it was complete when the log was this long.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub offset: u64,
    /// When, in milliseconds since 1970, by the agent's clock. `None` where it does not say; the caller may
    /// know when the log reached `offset`.
    #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
    pub at_ms: Option<i64>,
}

/// What an entry is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum TimelineKind {
    /// What the agent was told.
    Prompt {
        /// The prompt.
        text: String,
    },
    /// What the agent says.
    Text {
        /// Markdown.
        markdown: String,
    },
    /// What the agent thinks aloud.
    Thinking {
        /// The thoughts.
        text: String,
    },
    /// A tool call with what came of it.
    ToolCall {
        /// The call's name in the agent's protocol.
        id: String,
        /// The tool; empty when the log holds a result without its call.
        name: String,
        /// What it works on, on one line.
        summary: String,
        /// Its input.
        input: Value,
        /// What came of it; `None` while it runs, or when the session ended before.
        result: Option<ToolResult>,
        /// Where the result stands in the log.
        ended: Option<Position>,
    },
    /// Plain output: up to 200 lines or 64 KiB that came one after the other.
    Output {
        /// Which output.
        stream: Stream,
        /// The lines, free of terminal codes.
        text: String,
    },
    /// A tool call that needed leave, or was refused by the agent's own rules.
    Permission {
        /// The request's name; `None` when nobody was asked.
        request: Option<String>,
        /// The tool.
        tool: String,
        /// What it would do, on one line.
        summary: String,
        /// Its input; null when nobody was asked.
        input: Value,
        /// What became of it.
        state: PermissionState,
    },
    /// A request to the model that is sent again.
    Retry {
        /// The try, from 1.
        attempt: u32,
        /// The most tries there will be; 0 when there is no end of them.
        max: u32,
        /// The wait before it; 0 where it is not told.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        delay_ms: u64,
        /// Why.
        reason: String,
    },
    /// What the session used so far.
    Usage {
        /// The bill.
        usage: Usage,
    },
    /// Something went wrong.
    Error {
        /// The agent's words.
        text: String,
    },
    /// Something worth a line.
    Note {
        /// The line.
        text: String,
    },
    /// A message that this version of Baton does not know.
    Unknown {
        /// As it came.
        raw: String,
    },
}

/// What became of a request for leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum PermissionState {
    /// It waits, or the session ended before it was answered.
    Asked,
    /// Yes.
    Allowed,
    /// No.
    Denied,
    /// The agent took it back.
    Withdrawn,
}

impl TimelineKind {
    /// The entry that an event makes; `None` for events that change another entry or are not shown.
    pub(super) fn of(event: SessionEvent) -> Option<Self> {
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
            },
            SessionEvent::ToolEnded { id, result } => Self::ToolCall {
                id,
                name: String::new(),
                summary: String::new(),
                input: Value::Null,
                result: Some(result),
                ended: None,
            },
            SessionEvent::PermissionAsked { request } => Self::Permission {
                request: Some(request.request),
                tool: request.tool,
                summary: request.summary,
                input: request.input,
                state: PermissionState::Asked,
            },
            SessionEvent::PermissionDenied { tool, reason } => Self::Permission {
                request: None,
                tool,
                summary: reason,
                input: Value::Null,
                state: PermissionState::Denied,
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
                text: limit_words(rejected, resets_at, utilization),
            },
            // The log does not tell; the record of the run does, and whoever shows both puts them together.
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
            SessionEvent::Output { stream, text } => Self::Output { stream, text },
            SessionEvent::Unknown { raw } => Self::Unknown { raw },
            SessionEvent::PermissionAnswered { .. }
            | SessionEvent::PermissionWithdrawn { .. }
            | SessionEvent::Background { .. } => return None,
        })
    }

    /// Cuts each long text to `limit` bytes; returns how many bytes went.
    pub(super) fn cut(&mut self, limit: usize) -> u64 {
        match self {
            Self::Prompt { text }
            | Self::Text { markdown: text }
            | Self::Thinking { text }
            | Self::Output { text, .. }
            | Self::Error { text }
            | Self::Note { text }
            | Self::Unknown { raw: text } => cut(text, limit),
            Self::Permission { input, .. } => cut_strings(input, limit),
            Self::ToolCall { input, result, .. } => {
                let gone = cut_strings(input, limit);
                gone + result
                    .as_mut()
                    .map_or(0, |result| cut_result(result, limit))
            }
            Self::Retry { .. } | Self::Usage { .. } => 0,
        }
    }
}

/// "Session started with opus, Claude Code 2.1"; what the agent did not tell is left out.
fn started(model: &str, version: &str) -> String {
    let told: Vec<&str> = [model, version]
        .into_iter()
        .map(str::trim)
        .filter(|word| !word.is_empty())
        .collect();
    if told.is_empty() {
        "Session started".to_owned()
    } else {
        format!("Session started with {}", told.join(", "))
    }
}

fn cut_result(result: &mut ToolResult, limit: usize) -> u64 {
    result.truncated_bytes = cut(&mut result.text, limit);
    let mut left = limit;
    let mut gone = result.truncated_bytes;
    for line in result
        .diff
        .iter_mut()
        .flatten()
        .flat_map(|hunk| &mut hunk.lines)
    {
        gone += cut(line, left);
        left -= line.len();
    }
    gone
}

fn limit_words(rejected: bool, resets_at: Option<Timestamp>, utilization: Option<f64>) -> String {
    let until = resets_at
        .and_then(|at| jiff::Timestamp::from_millisecond(at.0).ok())
        .map(|at| format!(" until {}", at.strftime("%Y-%m-%d %H:%M UTC")))
        .unwrap_or_default();
    match (rejected, utilization) {
        (true, _) => format!("The usage limit is reached{until}."),
        (false, Some(part)) => {
            format!("The usage limit is near: {:.0}% used{until}.", part * 100.0)
        }
        (false, None) => format!("The usage limit is near{until}."),
    }
}

#[cfg(test)]
mod tests {
    use super::started;

    #[test]
    fn a_session_begins_with_what_is_told_of_it() {
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
