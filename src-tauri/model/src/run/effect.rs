//! The effects of events on the outside world. Performed only after the event is stored.

use super::answer::Answer;
use super::inherited_check::InheritedNode;
use crate::{Attempt, Epoch, NodeId, SessionId, Timestamp};

/// An order to the executor.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Effect {
    /// Start this session as soon as a slot is free. Must have no effect if repeated.
    StartSession {
        node: NodeId,
        attempt: Attempt,
        session: SessionId,
        /// The session to resume, if it does not start from the beginning.
        resumes: Option<SessionId>,
    },
    /// Stop this session and everything it started. If it has not started, report it as withdrawn.
    StopSession { node: NodeId, attempt: Attempt },
    /// Discard this session if it has not started, and report
    /// [`Command::SessionWithdrawn`](super::Command::SessionWithdrawn). If it has started, let it
    /// run.
    WithdrawSession { node: NodeId, attempt: Attempt },
    /// Pass a person's answer to the session.
    Answer {
        node: NodeId,
        attempt: Attempt,
        /// The ID of the question.
        request: String,
        answer: Answer,
    },
    /// Check the criteria of inherited nodes again, and report each node with
    /// [`Command::InheritedChecked`](super::Command::InheritedChecked). Must have no effect if
    /// repeated.
    VerifyInherited {
        /// The epoch of the takeover that requested the check.
        epoch: Epoch,
        /// In the plan's order.
        nodes: Vec<InheritedNode>,
        /// The time limit for all checks, in milliseconds.
        budget_ms: u64,
    },
    /// Stop the checks of inherited nodes with all their processes. Unfinished ones are reported as
    /// not run.
    StopVerifying,
    /// Report [`Command::TimeUp`](super::Command::TimeUp) at this time.
    AlarmAt { at: Timestamp },
    /// Report [`Command::Due`](super::Command::Due) at this time.
    WakeAt { node: NodeId, at: Timestamp },
}
