//! What has to be done in the world because of an event. Performed only after the event is stored.

use super::answer::Answer;
use super::inherited_check::InheritedNode;
use crate::{Attempt, Epoch, NodeId, SessionId, Timestamp};

/// An order to the executor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Start this session as soon as a place is free. Starting it a second time must do nothing.
    StartSession {
        /// The node.
        node: NodeId,
        /// The attempt.
        attempt: Attempt,
        /// The session.
        session: SessionId,
        /// The session that it goes on with, if it does not start from the beginning.
        resumes: Option<SessionId>,
    },
    /// End this session and everything it started; if it has not started, report it as withdrawn.
    StopSession {
        /// The node.
        node: NodeId,
        /// The attempt.
        attempt: Attempt,
    },
    /// Forget this session if it has not started, and report [`Command::SessionWithdrawn`](super::Command::SessionWithdrawn).
    /// Let it live if it has.
    WithdrawSession {
        /// The node.
        node: NodeId,
        /// The attempt.
        attempt: Attempt,
    },
    /// Pass a person's answer to the session.
    Answer {
        /// The node.
        node: NodeId,
        /// The attempt.
        attempt: Attempt,
        /// The question.
        request: String,
        /// What was said.
        answer: Answer,
    },
    /// Look again at the criteria of nodes that were inherited, and report each with
    /// [`Command::InheritedChecked`](super::Command::InheritedChecked). Asking twice does nothing.
    VerifyInherited {
        /// The takeover that asks for it.
        epoch: Epoch,
        /// The nodes, in the order of the plan.
        nodes: Vec<InheritedNode>,
        /// How long all of it may take, in milliseconds.
        budget_ms: u64,
    },
    /// End the checks of inherited nodes with all their processes; what has no result is reported as not run.
    StopVerifying,
    /// Report back with [`Command::TimeUp`](super::Command::TimeUp) at this time.
    AlarmAt {
        /// When.
        at: Timestamp,
    },
    /// Report back with [`Command::Due`](super::Command::Due) at this time.
    WakeAt {
        /// The node.
        node: NodeId,
        /// When.
        at: Timestamp,
    },
}
