//! The events of a session, in terms shared by all agents.

use baton_model::time::Timestamp;
use baton_output::StyledRange;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::image::TimelineImage;
use crate::permission::PermissionRequest;
use crate::todo::TodoItem;
use crate::usage::Usage;

/// An output stream of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Stream {
    Stdout,
    Stderr,
}

/// An event in an agent's output.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum SessionEvent {
    /// A turn begins. The first one names the session.
    Started {
        /// The agent's own id for the session.
        native_session: String,
        model: String,
        /// The agent and its version, for people: `Claude Code 2.1.329`.
        version: String,
    },
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
    ToolStarted {
        id: String,
        name: String,
        /// What the tool works on, on one line.
        summary: String,
        input: Value,
    },
    ToolEnded {
        id: String,
        result: ToolResult,
    },
    /// A tool call waits for permission.
    PermissionAsked {
        #[serde(flatten)]
        request: PermissionRequest,
    },
    /// The agent confirms a decision on a permission request.
    PermissionAnswered {
        request: String,
        allowed: bool,
    },
    /// The agent withdraws a permission request.
    PermissionWithdrawn {
        request: String,
    },
    /// The agent's own rules denied a tool.
    PermissionDenied {
        tool: String,
        reason: String,
    },
    /// A call of a tool that the node's list does not name.
    OutsideScope {
        call: String,
        /// The tool and what it works on, on one line.
        what: String,
        /// The sentence that the agent got or would have got.
        note: String,
        /// The call was blocked.
        refused: bool,
    },
    /// A request to the model failed and is retried.
    Retrying {
        /// The number of the attempt, from 1.
        attempt: u32,
        /// The maximum number of attempts; 0 means no limit.
        max: u32,
        /// The delay before the attempt; 0 when the agent does not report it.
        delay_ms: u64,
        reason: String,
    },
    /// The account's usage limit is close or reached.
    RateLimit {
        /// Whether requests are refused now.
        rejected: bool,
        resets_at: Option<Timestamp>,
        /// The used share of the limit, 0 to 1.
        utilization: Option<f64>,
    },
    /// All jobs that run in the background now.
    Background {
        /// The titles of all running jobs.
        running: Vec<String>,
    },
    Usage {
        /// The whole session so far.
        usage: Usage,
    },
    TurnEnded {
        end: TurnEnd,
        /// The last message of the turn.
        text: String,
        /// The turn reacted to background work and not to a message from Baton.
        unprompted: bool,
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
    /// Output that is not part of a protocol.
    Output {
        stream: Stream,
        /// Without terminal codes, such as colors.
        text: String,
    },
    /// A message that this version of Baton does not know.
    Unknown {
        /// The whole message, unparsed.
        raw: String,
    },
}

/// How a turn ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum TurnEnd {
    Done,
    Interrupted,
    Limit {
        reset_at: Option<Timestamp>,
    },
    /// The agent's service was unreachable or overloaded.
    Unavailable,
    Failed,
}

/// The result of a tool call.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToolResult {
    /// The tool reported no error.
    pub ok: bool,
    /// The tool did not run because a person or a rule denied it.
    pub denied: bool,
    /// The output as a terminal shows it, without codes.
    pub text: String,
    /// The parts of `text` that are not plain, such as colors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<StyledRange>>"))]
    pub styles: Vec<StyledRange>,
    /// The number of bytes cut from `text`.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub truncated_bytes: u64,
    /// The change to a file, if the tool made one.
    pub diff: Option<Vec<DiffHunk>>,
    /// The exit code, if the tool ran a command and the agent reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub exit_code: Option<i32>,
    /// The tool ran a command, and the agent does not report whether it succeeded.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
    pub end_unknown: bool,
    /// The images in the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<TimelineImage>>"))]
    pub images: Vec<TimelineImage>,
}

/// A hunk of a unified diff. Both line numbers are 0 when its place in the file is unknown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DiffHunk {
    /// The first line before the change, counted from 1.
    pub old_start: u32,
    /// The first line after the change, counted from 1.
    pub new_start: u32,
    /// Lines that begin with ` `, `-` or `+`.
    pub lines: Vec<String>,
}
