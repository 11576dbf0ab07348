//! A running session as a conversation: output goes in, meanings, answers and in the end a verdict come out.

use baton_model::outcome::Failure;
use baton_model::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::event::{SessionEvent, Stream};
use crate::task::Input;
use crate::usage::Usage;

/// Reads one session and says what to answer. Feeding the same output to a new driver gives the same state.
pub trait Driver: Send {
    /// Takes one line of output without its newline; any bytes, of any length.
    fn line(&mut self, stream: Stream, line: &[u8]) -> Vec<SessionEvent>;

    /// Says where in the standard output the next line of it begins, in bytes.
    fn next_line_begins(&mut self, at: u64) {
        let _ = at;
    }

    /// Whether lines of this stream matter to the driver. Where they do not, [`Driver::line`] need not be called.
    fn reads(&self, stream: Stream) -> bool {
        let _ = stream;
        true
    }

    /// What has to be written because of what was read so far. Each input comes out once.
    fn take_inputs(&mut self) -> Vec<Input> {
        Vec::new()
    }

    /// Answers a pending permission request. `None` when no such request waits.
    ///
    /// After a crash of the app an answered request may be pending again until the tool's result is read; the
    /// input then carries the same key as before, so answering once more is harmless.
    fn answer(&mut self, request: &str, decision: &Decision) -> Option<Input> {
        let _ = (request, decision);
        None
    }

    /// A polite stop by the agent's protocol. `None` when it has none; then signals must do.
    fn interrupt(&mut self) -> Option<Input> {
        None
    }

    /// Whether everything was said and heard, so that nothing of the process is waited for but its end.
    fn is_finished(&self) -> bool {
        false
    }

    /// The requests that wait for a person, oldest first.
    fn pending_permissions(&self) -> &[PermissionRequest] {
        &[]
    }

    /// Why the agent does nothing but wait for its model's service; `None` when it works, waits for somebody else, or
    /// is not known to wait.
    fn waits_for_service(&self) -> Option<String> {
        None
    }

    /// How the session ended, given how its process did. Terminal events count first, then the exit, then stderr.
    fn verdict(&self, exit: &ProcessEnd) -> Verdict;

    /// The agent's raw answer to the handoff prompt.
    fn handoff(&self) -> Option<&str> {
        None
    }

    /// What the session used so far, as far as the agent tells.
    fn usage(&self) -> Usage {
        Usage::default()
    }

    /// The agent's own name for the session.
    fn native_session(&self) -> Option<&str> {
        None
    }

    /// One line of what happens now: `Bash: cargo test`.
    fn activity(&self) -> Option<String> {
        None
    }
}

/// A tool call that waits for leave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PermissionRequest {
    /// The name of the request in the agent's protocol.
    pub request: String,
    /// The tool.
    pub tool: String,
    /// What it would do, on one line.
    pub summary: String,
    /// Its whole input.
    pub input: Value,
    /// The tool call it belongs to, where the agent says so.
    pub tool_use: Option<String>,
}

/// What a person or a policy says to a tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Decision {
    /// Run it.
    Allow,
    /// Do not run it.
    Deny {
        /// What the agent is told.
        reason: String,
    },
}

/// How the process of a session ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProcessEnd {
    /// With this exit code.
    Exited(i32),
    /// By this signal.
    Signaled(i32),
    /// It never ran.
    NotStarted {
        /// What was missing, with what to do about it.
        detail: String,
    },
}

/// How a session ended, as its events tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The work was done.
    Succeeded,
    /// The work was not done.
    Failed(Failure),
    /// The turn was interrupted by request. Whoever asked knows.
    Cancelled,
    /// A usage limit stopped the work. It goes on after `reset_at`, when that is known.
    Limit {
        /// When the limit ends.
        reset_at: Option<Timestamp>,
        /// The agent's words.
        detail: String,
    },
    /// The agent's service could not be reached or was overloaded. Not the node's fault.
    Unavailable {
        /// The agent's words.
        detail: String,
    },
}

impl Verdict {
    /// The verdict where nothing but the process is known.
    #[must_use]
    pub fn of_process(exit: &ProcessEnd) -> Self {
        match exit {
            ProcessEnd::Exited(0) => Self::Succeeded,
            ProcessEnd::Exited(code) => Self::Failed(Failure::ExitCode { code: *code }),
            ProcessEnd::Signaled(signal) => Self::Failed(Failure::Signal { signal: *signal }),
            ProcessEnd::NotStarted { detail } => Self::Failed(Failure::NotStarted {
                detail: detail.clone(),
            }),
        }
    }
}
