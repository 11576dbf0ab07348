//! What must never happen twice in a run.

use std::collections::BTreeSet;

use crate::run::Event;
use crate::{ArtifactId, Attempt, NodeId, Outcome};

/// What must never happen twice.
#[derive(Default)]
pub(super) struct EventLog {
    ended: BTreeSet<(NodeId, Attempt)>,
    asked: BTreeSet<(NodeId, Attempt, String)>,
    artifacts: BTreeSet<ArtifactId>,
    /// Finished nodes that were not requested again.
    done: BTreeSet<NodeId>,
}

impl EventLog {
    pub(super) fn record(&mut self, event: &Event) {
        match event {
            Event::NodeEnded {
                node,
                attempt,
                outcome,
                artifact,
                ..
            } => {
                self.record_end(*node, *attempt, *outcome == Outcome::Succeeded);
                self.record_artifact(*artifact);
            }
            Event::InputGiven {
                node,
                attempt,
                artifact,
                ..
            } => {
                self.record_end(*node, *attempt, true);
                self.record_artifact(*artifact);
            }
            Event::ArtifactEdited { artifact, .. } => self.record_artifact(Some(*artifact)),
            Event::NodeAsked {
                node,
                attempt,
                request,
                ..
            } => {
                assert!(
                    self.asked.insert((*node, *attempt, request.clone())),
                    "a person is asked once"
                );
            }
            Event::PlanRetried { again, .. } => self.done.retain(|node| !again.contains(node)),
            Event::NodesReset { nodes, .. } => self.done.retain(|node| !nodes.contains(node)),
            Event::NodeContinued { node, .. } => drop(self.done.remove(node)),
            Event::RolledBack { .. } => self.done.clear(),
            Event::NodeReserved { node, .. } | Event::InputAsked { node, .. } => {
                assert!(
                    !self.done.contains(node),
                    "finished nodes do not rerun automatically"
                );
            }
            _ => {}
        }
    }

    fn record_end(&mut self, node: NodeId, attempt: Attempt, well: bool) {
        assert!(self.ended.insert((node, attempt)), "an attempt ends once");
        if well {
            self.done.insert(node);
        }
    }

    fn record_artifact(&mut self, artifact: Option<ArtifactId>) {
        if let Some(artifact) = artifact {
            assert!(
                self.artifacts.insert(artifact),
                "a handoff belongs to one attempt"
            );
        }
    }
}
