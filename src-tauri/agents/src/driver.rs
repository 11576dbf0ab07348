//! The state machine that reads one running session and decides what to write to it.

use baton_model::outcome::Failure;
use baton_model::time::Timestamp;

use crate::event::{SessionEvent, Stream};
use crate::permission::{Decision, PermissionRequest};
use crate::task::Input;
use crate::usage::Usage;

/// Reads the output of one session and decides what to answer. A driver is deterministic: the
/// same output, fed to a new driver, gives the same state. That is how sessions are restored
/// after a crash.
pub trait Driver: Send {
    /// Handles one line of output without its newline. A line may hold any bytes and have any
    /// length.
    fn handle_line(&mut self, stream: Stream, line: &[u8]) -> Vec<SessionEvent>;

    /// Sets the byte offset in standard output at which the next line begins.
    fn set_line_offset(&mut self, at: u64) {
        let _ = at;
    }

    /// Returns whether the driver needs the lines of this stream. If not, calls of
    /// [`Driver::handle_line`] may be skipped.
    fn reads_stream(&self, stream: Stream) -> bool {
        let _ = stream;
        true
    }

    /// What to write because of the lines read so far. Each input is returned once.
    fn take_inputs(&mut self) -> Vec<Input> {
        Vec::new()
    }

    /// Answers a pending permission request. `None` when there is no such request.
    ///
    /// After a crash of Baton, an answered request can be pending again until the tool's result
    /// is read. The input then has the same key as before, so a second answer does no harm.
    fn answer(&mut self, request: &str, decision: &Decision) -> Option<Input> {
        let _ = (request, decision);
        None
    }

    /// Stops the turn through the agent's protocol. `None` when the protocol cannot do it and
    /// signals must.
    fn interrupt(&mut self) -> Option<Input> {
        None
    }

    /// Whether the conversation is complete, so that only the exit of the process is left to wait
    /// for.
    fn is_finished(&self) -> bool {
        false
    }

    /// The requests that wait for a decision, oldest first.
    fn pending_permissions(&self) -> &[PermissionRequest] {
        &[]
    }

    /// Why the agent is doing nothing but waiting for its model's service. `None` when it works,
    /// waits for something else, or is not known to wait.
    fn service_wait_reason(&self) -> Option<String> {
        None
    }

    /// The outcome of the session. The agent's own final events take precedence, then the exit,
    /// then standard error.
    fn verdict(&self, exit: &ProcessEnd) -> Verdict;

    /// The agent's unparsed answer to the handoff prompt.
    fn handoff(&self) -> Option<&str> {
        None
    }

    /// Usage so far, as far as the agent reports it.
    fn usage(&self) -> Usage {
        Usage::default()
    }

    /// The agent's own id for the session.
    fn native_session(&self) -> Option<&str> {
        None
    }

    /// What happens now, on one line: `Bash: cargo test`.
    fn activity(&self) -> Option<String> {
        None
    }
}

/// How the process of a session ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ProcessEnd {
    Exited(i32),
    Signaled(i32),
    NotStarted {
        /// What was missing and what to do about it.
        detail: String,
    },
}

/// The outcome of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Verdict {
    Succeeded,
    Failed(Failure),
    /// The turn was interrupted on request. The caller knows who asked.
    Cancelled,
    /// A usage limit stopped the work.
    Limit {
        /// When the work can resume; `None` when unknown.
        reset_at: Option<Timestamp>,
        detail: String,
    },
    /// The agent's service was unreachable or overloaded. The node is not to blame.
    Unavailable {
        detail: String,
    },
}

impl Verdict {
    /// The verdict when only the exit of the process is known.
    #[must_use]
    pub fn from_process_end(exit: &ProcessEnd) -> Self {
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
