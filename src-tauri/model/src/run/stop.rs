//! Stopping the session of one node, and what a person wants done with the node afterwards.

use serde::{Deserialize, Serialize};

use super::event::Event;
use super::{Refusal, Run, is_live, is_reserved};
use crate::{ArtifactId, Attempt, NodeId, Outcome};

/// What happens to a node once the session that a person stopped has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum AfterStop {
    /// It is interrupted, and the person decides later.
    Interrupt,
    /// It is skipped.
    Skip,
    /// It counts as done.
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
    /// A node that has not started has nothing to stop: whoever wants it out of the way skips it.
    pub(super) fn decide_stop(&self, node: NodeId) -> Result<Vec<Event>, Refusal> {
        let number = self.number_of(node)?;
        let run = &self.nodes[number];
        if !is_live(&run.state) {
            return Err(self.refuse_node(number, run.state.word(), "stopped"));
        }
        Ok(self.request_stop(number, AfterStop::Interrupt))
    }

    /// Whether a session works on the node, or is about to.
    pub(super) fn has_session_to_stop(&self, node: NodeId) -> bool {
        self.node(node)
            .is_some_and(|run| is_live(&run.state) || is_reserved(&run.state))
    }

    /// The request, unless the same one was made already.
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

    /// A session that a person stopped was cancelled, whatever its last exit code says; one that had succeeded by
    /// then has done its work.
    pub(super) fn judged_by_stop(&self, number: usize, outcome: &Outcome) -> Outcome {
        match (self.nodes[number].stopping, outcome) {
            (Some(_), Outcome::Failed { .. } | Outcome::Lost { .. }) => Outcome::Cancelled,
            _ => outcome.clone(),
        }
    }

    /// What the person wanted done once the session is gone. Nothing when it had succeeded by then.
    pub(super) fn after_stop(&self, number: usize, outcome: &Outcome) -> Option<Event> {
        let then = self.nodes[number]
            .stopping
            .filter(|_| *outcome != Outcome::Succeeded)?;
        then.event(self.graph.id(number))
    }

    /// Whether the stop of this attempt may be noted.
    pub(super) fn stop_fits(&self, node: NodeId, attempt: Attempt) -> bool {
        self.has_session_to_stop(node) && self.node(node).is_some_and(|run| run.attempt == attempt)
    }
}
