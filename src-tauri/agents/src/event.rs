//! What happens in a session, in words that all agents share.

use baton_model::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::driver::PermissionRequest;
use crate::usage::Usage;

/// Which output of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// Something that an agent's output tells.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum SessionEvent {
    /// A turn of the agent begins; the first one names the session.
    Started {
        /// The agent's own name for the session.
        native_session: String,
        /// The model that answers.
        model: String,
        /// The agent and its version, for people: `Claude Code 2.1.329`.
        version: String,
    },
    /// What the agent was told.
    Prompt {
        /// The whole prompt.
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
    /// A tool begins.
    ToolStarted {
        /// The call.
        id: String,
        /// The tool.
        name: String,
        /// What it works on, on one line.
        summary: String,
        /// Its input.
        input: Value,
    },
    /// A tool ended.
    ToolEnded {
        /// The call.
        id: String,
        /// What came of it.
        result: ToolResult,
    },
    /// A tool call waits for leave.
    PermissionAsked {
        /// The question.
        #[serde(flatten)]
        request: PermissionRequest,
    },
    /// The agent confirms an answer to such a question.
    PermissionAnswered {
        /// The question's name.
        request: String,
        /// What the answer was.
        allowed: bool,
    },
    /// The agent takes a question back.
    PermissionWithdrawn {
        /// The question's name.
        request: String,
    },
    /// The agent's own rules refused a tool.
    PermissionDenied {
        /// The tool.
        tool: String,
        /// The agent's words.
        reason: String,
    },
    /// A call of a tool that the node's list does not name.
    OutsideScope {
        /// The call.
        call: String,
        /// The tool and what it works on, on one line.
        what: String,
        /// What the agent was told, or would have been.
        note: String,
        /// It does not run.
        refused: bool,
    },
    /// A request to the model failed and is sent again.
    Retrying {
        /// The try, from 1.
        attempt: u32,
        /// The most tries there will be; 0 when there is no end of them.
        max: u32,
        /// The wait before it; 0 where it is not told.
        delay_ms: u64,
        /// Why.
        reason: String,
    },
    /// The account's usage limit is near or reached.
    RateLimit {
        /// Whether requests are refused now.
        rejected: bool,
        /// When the limit ends.
        resets_at: Option<Timestamp>,
        /// The part of the limit that is used, 0 to 1.
        utilization: Option<f64>,
    },
    /// The set of jobs that run beside the conversation.
    Background {
        /// What they are called.
        running: Vec<String>,
    },
    /// What was used so far.
    Usage {
        /// The whole session up to here.
        usage: Usage,
    },
    /// The agent's turn is over.
    TurnEnded {
        /// How.
        end: TurnEnd,
        /// Its last words.
        text: String,
        /// The turn was a reaction to background work, not to something Baton said.
        unprompted: bool,
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
    /// Output that belongs to no protocol.
    Output {
        /// Where it came out.
        stream: Stream,
        /// The text, free of terminal codes.
        text: String,
    },
    /// A message that this version of Baton does not know.
    Unknown {
        /// As it came.
        raw: String,
    },
}

/// How a turn ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TurnEnd {
    /// The agent finished.
    Done,
    /// Somebody interrupted it.
    Interrupted,
    /// A usage limit ended it.
    Limit {
        /// When the limit ends.
        reset_at: Option<Timestamp>,
    },
    /// The agent's service could not be reached or was overloaded.
    Unavailable,
    /// Anything else.
    Failed,
}

/// What came of a tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ToolResult {
    /// The tool reported no error.
    pub ok: bool,
    /// The tool did not run because somebody or some rule said no.
    pub denied: bool,
    /// What it returned, free of terminal codes.
    pub text: String,
    /// How much of `text` was left out, in bytes.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub truncated_bytes: u64,
    /// What it changed in a file.
    pub diff: Option<Vec<DiffHunk>>,
    /// The exit code, when the tool ran a command and its agent tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub exit_code: Option<i32>,
    /// The tool ran a command, and its agent does not tell whether it went well.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
    pub end_unknown: bool,
}

/// A piece of a unified diff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DiffHunk {
    /// The first line before, from 1.
    pub old_start: u32,
    /// The first line after, from 1.
    pub new_start: u32,
    /// Lines that begin with ` `, `-` or `+`.
    pub lines: Vec<String>,
}
