//! What a person says to the agent of a node that has ended, so that its session goes on.
//!
//! The message stays with the node until an attempt has done what it asks: an attempt that is broken off, parked or
//! tried again goes on with the same session and is told the message once more.

use crate::node::NodeKind;
use crate::{Attempt, NodeId};

use super::event::Event;
use super::state::{NodeRun, NodeState, WaitingFor};
use super::{Refusal, Run};

/// The most that a message may have, in bytes: it stands in the run's history.
pub const MESSAGE_LIMIT: usize = 256 * 1024;

/// A message with which the session of a node goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Continuation {
    /// What the person says.
    pub message: String,
    /// The attempt that was told first; `None` as long as none was.
    pub first: Option<Attempt>,
}

impl Continuation {
    /// Whether `attempt` is told for the second time, after an earlier one was broken off.
    #[must_use]
    pub fn is_repeated_to(&self, attempt: Attempt) -> bool {
        self.first.is_some_and(|first| first != attempt)
    }
}

impl NodeRun {
    /// Whether the next attempt goes on with the session of the last one.
    pub(super) fn goes_on(&self) -> bool {
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
            state => return Err(self.refuse_node(number, state.word(), "continued")),
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
        Ok(self.and_go_on(vec![Event::NodeContinued {
            node,
            message: message.to_owned(),
        }]))
    }

    /// Whoever says something to a node wants it to start: it is not asked about again.
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
