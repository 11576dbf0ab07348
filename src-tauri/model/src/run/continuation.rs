//! A person's message that continues the session of a node that has ended.
//!
//! The message stays with the node until an attempt has finished with it. If an attempt is broken
//! off, parked or retried, the next one resumes the same session and receives the message again.

use crate::node::NodeKind;
use crate::{Attempt, NodeId};

use super::event::Event;
use super::state::{NodeRun, NodeState, WaitingFor};
use super::{Refusal, Run};

/// In bytes. The message is stored in the run's history.
pub const MESSAGE_LIMIT: usize = 256 * 1024;

/// A message that continues a node's session.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Continuation {
    pub message: String,
    /// The first attempt that received it; `None` if none has.
    pub first: Option<Attempt>,
}

impl Continuation {
    /// Whether `attempt` receives the message again because an earlier one was broken off.
    #[must_use]
    pub fn is_repeated_to(&self, attempt: Attempt) -> bool {
        self.first.is_some_and(|first| first != attempt)
    }
}

impl NodeRun {
    /// Whether the next attempt resumes the session of the last one.
    pub(super) fn resumes_session(&self) -> bool {
        self.resume_next || self.continuation.is_some()
    }
}

impl Run {
    pub(super) fn decide_continue(
        &self,
        node: NodeId,
        message: &str,
    ) -> Result<Vec<Event>, Refusal> {
        let number = self.number_of(node)?;
        let run = &self.nodes[number];
        let title = || self.title(number).to_owned();
        match &run.state {
            NodeState::Done { .. }
            | NodeState::Failed { .. }
            | NodeState::Interrupted { .. }
            | NodeState::Skipped { .. }
            | NodeState::Waiting {
                what: WaitingFor::RetryAt { .. } | WaitingFor::LimitUntil { .. },
            } => {}
            state => return Err(self.refuse_node(number, state, "continued")),
        }
        if run.session.is_none() || !matches!(self.definition(number).kind, NodeKind::Agent(_)) {
            return Err(Refusal::NoConversation { title: title() });
        }
        if message.trim().is_empty() || message.len() > MESSAGE_LIMIT {
            return Err(Refusal::WrongMessage {
                title: title(),
                bytes: message.len(),
                limit: MESSAGE_LIMIT,
            });
        }
        Ok(self.then_resume(vec![Event::NodeContinued {
            node,
            message: message.to_owned(),
        }]))
    }

    /// A person who sends a message wants the node to start, so no further approval is needed.
    pub(super) fn continue_with(&mut self, number: usize, node: NodeId, message: &str) {
        self.reset(&[node], true);
        let run = &mut self.nodes[number];
        run.approved = true;
        run.continuation = Some(Continuation {
            message: message.to_owned(),
            first: None,
        });
        self.set_state(number, NodeState::Pending);
    }
}
