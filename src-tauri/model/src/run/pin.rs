//! What persons settle about handoffs: what a child receives over an edge, and work that is taken as it is.

use std::collections::BTreeMap;

use crate::evidence::Doubt;
use crate::node::{OnFailedCriterion, OnUnverified};
use crate::outcome::Failure;
use crate::{ArtifactId, Attempt, NodeId, NodeState, Outcome};

use super::event::Event;
use super::{Refusal, Run, is_live, is_reserved};

/// The most that a pinned text may have, in bytes: it stands in the run's history.
pub const PIN_LIMIT: usize = 256 * 1024;

/// What a child receives over one edge, whatever its parent hands on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pin {
    /// The text, Markdown.
    pub text: String,
    /// The handoff from which the person started; the pin is out of date when the parent has another.
    pub artifact: Option<ArtifactId>,
}

impl Run {
    /// What persons settled for edges, by child and parent.
    #[must_use]
    pub fn pins(&self) -> &BTreeMap<(NodeId, NodeId), Pin> {
        &self.pins
    }

    pub(super) fn decide_accept(&self, node: NodeId) -> Result<Vec<Event>, Refusal> {
        let number = self.number_of(node)?;
        Ok(if self.nodes[number].unverified {
            vec![Event::NodeAccepted { node }]
        } else {
            Vec::new()
        })
    }

    pub(super) fn decide_git_restored(
        &self,
        node: NodeId,
        attempt: Attempt,
        changes: &[u32],
    ) -> Result<Vec<Event>, Refusal> {
        self.number_of(node)?;
        let fits = self.may_note_restored(node, attempt, changes);
        Ok(if fits {
            vec![Event::GitRestored {
                node,
                attempt,
                changes: changes.to_vec(),
            }]
        } else {
            Vec::new()
        })
    }

    /// Whether there was such an attempt, and something to put back.
    pub(super) fn may_note_restored(
        &self,
        node: NodeId,
        attempt: Attempt,
        changes: &[u32],
    ) -> bool {
        let was_made = |known: Attempt| Attempt(1) <= attempt && attempt <= known;
        !changes.is_empty() && self.node(node).is_some_and(|run| was_made(run.attempt))
    }

    pub(super) fn decide_pin(
        &self,
        parent: NodeId,
        child: NodeId,
        text: &str,
        artifact: Option<ArtifactId>,
    ) -> Result<Vec<Event>, Refusal> {
        self.check_edge(parent, child)?;
        if text.len() > PIN_LIMIT {
            return Err(Refusal::PinTooLong {
                bytes: text.len(),
                limit: PIN_LIMIT,
            });
        }
        Ok(vec![Event::HandoffPinned {
            parent,
            child,
            text: text.to_owned(),
            artifact,
        }])
    }

    pub(super) fn decide_unpin(
        &self,
        parent: NodeId,
        child: NodeId,
    ) -> Result<Vec<Event>, Refusal> {
        self.check_edge(parent, child)?;
        let pinned = self.pins.contains_key(&(child, parent));
        Ok(if pinned {
            vec![Event::HandoffUnpinned { parent, child }]
        } else {
            Vec::new()
        })
    }

    /// Refuses what is no edge, and a child that is being told already.
    fn check_edge(&self, parent: NodeId, child: NodeId) -> Result<(), Refusal> {
        let (from, to) = (self.number_of(parent)?, self.number_of(child)?);
        if !self.graph.context_parents(to).any(|number| number == from) {
            let (parent, child) = (self.title(from).to_owned(), self.title(to).to_owned());
            return Err(Refusal::NoEdge { parent, child });
        }
        let state = &self.nodes[to].state;
        if is_live(state) || is_reserved(state) {
            return Err(self.refuse_node(to, state.word(), "given another handoff"));
        }
        Ok(())
    }

    pub(super) fn may_pin(&self, parent: NodeId, child: NodeId) -> bool {
        self.check_edge(parent, child).is_ok()
    }

    /// Sets or removes a pin. A child that is done was given something else.
    pub(super) fn pin(&mut self, child: usize, edge: (NodeId, NodeId), pin: Option<Pin>) {
        match pin {
            Some(pin) => self.pins.insert(edge, pin),
            None => self.pins.remove(&edge),
        };
        let node = &mut self.nodes[child];
        node.stale |= matches!(node.state, NodeState::Done { .. });
        self.touched.insert(child);
    }

    pub(super) fn set_unverified(&mut self, number: usize, unverified: bool) {
        self.nodes[number].unverified = unverified;
        self.touched.insert(number);
    }

    /// The outcome, unless the plan does not go on with work against which something speaks.
    pub(super) fn judged_by_evidence(&self, outcome: &Outcome, doubt: Option<&Doubt>) -> Outcome {
        let (Outcome::Succeeded, Some(doubt)) = (outcome, doubt) else {
            return outcome.clone();
        };
        let settings = &self.plan.settings;
        let failed = doubt
            .failed_criteria
            .clone()
            .filter(|_| settings.on_failed_criterion == OnFailedCriterion::Fail);
        match failed {
            Some(detail) => Outcome::Failed {
                failure: Failure::CriteriaFailed { detail },
            },
            None if settings.on_unverified == OnUnverified::Fail => Outcome::Failed {
                failure: Failure::Unverified {
                    detail: doubt.reason.clone(),
                },
            },
            None => Outcome::Succeeded,
        }
    }
}
