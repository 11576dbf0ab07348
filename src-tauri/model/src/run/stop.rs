//! Stopping the session of one node, and what happens to the node afterwards.

use serde::{Deserialize, Serialize};

use super::event::Event;
use super::{Refusal, Run, is_live, is_reserved};
use crate::{ArtifactId, Attempt, NodeId, Outcome};

/// What happens to a node after its session was stopped by a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum AfterStop {
    /// The node is interrupted, and the person decides later.
    Interrupt,
    /// The node is skipped.
    Skip,
    /// The node counts as done.
    MarkDone {
        /// The handoff that the person wrote.
        artifact: Option<ArtifactId>,
    },
}

impl AfterStop {
    fn event(self, node: NodeId) -> Option<Event> {
        match self {
            Self::Interrupt => None,
            Self::Skip => Some(Event::NodeSkipped { node }),
            Self::MarkDone { artifact } => Some(Event::NodeMarkedDone { node, artifact }),
        }
    }
}

impl Run {
    /// A node that has not started can't be stopped, only skipped.
    pub(super) fn decide_stop(&self, node: NodeId) -> Result<Vec<Event>, Refusal> {
        let number = self.number_of(node)?;
        let run = &self.nodes[number];
        if !is_live(&run.state) {
            return Err(self.refuse_node(number, &run.state, "stopped"));
        }
        Ok(self.request_stop(number, AfterStop::Interrupt))
    }

    /// Whether the node has a live or reserved session.
    pub(super) fn has_session_to_stop(&self, node: NodeId) -> bool {
        self.node(node)
            .is_some_and(|run| is_live(&run.state) || is_reserved(&run.state))
    }

    /// The stop request, unless it was already made.
    pub(super) fn request_stop(&self, number: usize, then: AfterStop) -> Vec<Event> {
        let run = &self.nodes[number];
        if run.stopping == Some(then) {
            return Vec::new();
        }
        vec![Event::NodeStopRequested {
            node: self.graph.id(number),
            attempt: run.attempt,
            then,
        }]
    }

    /// A session that a person stopped counts as canceled, regardless of its exit code, unless it
    /// had already succeeded.
    pub(super) fn apply_stop_to_outcome(&self, number: usize, outcome: &Outcome) -> Outcome {
        match (self.nodes[number].stopping, outcome) {
            (Some(_), Outcome::Failed { .. } | Outcome::Lost { .. }) => Outcome::Cancelled,
            _ => outcome.clone(),
        }
    }

    /// The event for what the person wanted after the stop. `None` if the session had already
    /// succeeded.
    pub(super) fn after_stop(&self, number: usize, outcome: &Outcome) -> Option<Event> {
        let then = self.nodes[number]
            .stopping
            .filter(|_| *outcome != Outcome::Succeeded)?;
        then.event(self.graph.id(number))
    }

    /// Whether a stop of this attempt is valid.
    pub(super) fn accepts_stop(&self, node: NodeId, attempt: Attempt) -> bool {
        self.has_session_to_stop(node) && self.node(node).is_some_and(|run| run.attempt == attempt)
    }
}
