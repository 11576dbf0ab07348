//! A person's decisions about handoffs: pins on edges, and acceptance of unverified work.

use std::collections::BTreeMap;

use crate::evidence::UnverifiedReason;
use crate::node::{OnFailedCriterion, OnUnverified};
use crate::outcome::Failure;
use crate::{ArtifactId, Attempt, NodeId, NodeState, Outcome};

use super::event::Event;
use super::{Refusal, Run, is_live, is_reserved};

/// The maximum size of a pinned text in bytes. It is stored in the run's history.
pub const PIN_LIMIT: usize = 256 * 1024;

/// What a child receives over one edge in place of its parent's handoff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pin {
    /// The pinned text in Markdown.
    pub text: String,
    /// The handoff that the text was based on. The pin is outdated if the parent has another one.
    pub artifact: Option<ArtifactId>,
}

impl Run {
    /// The pinned handoffs, by child and parent.
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

    /// Whether the attempt exists and has changes to restore.
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

    /// Refuses if there is no such edge, or if the child is already receiving its input.
    fn check_edge(&self, parent: NodeId, child: NodeId) -> Result<(), Refusal> {
        let (from, to) = (self.number_of(parent)?, self.number_of(child)?);
        if !self.graph.context_parents(to).any(|number| number == from) {
            let (parent, child) = (self.title(from).to_owned(), self.title(to).to_owned());
            return Err(Refusal::NoEdge { parent, child });
        }
        let state = &self.nodes[to].state;
        if is_live(state) || is_reserved(state) {
            return Err(self.refuse_node(to, state, "given a new handoff"));
        }
        Ok(())
    }

    pub(super) fn may_pin(&self, parent: NodeId, child: NodeId) -> bool {
        self.check_edge(parent, child).is_ok()
    }

    /// Sets or removes a pin. A finished child becomes stale, because it received something else.
    pub(super) fn pin(&mut self, child: usize, edge: (NodeId, NodeId), pin: Option<Pin>) {
        match pin {
            Some(pin) => self.pins.insert(edge, pin),
            None => self.pins.remove(&edge),
        };
        let node = &mut self.nodes[child];
        node.stale |= matches!(node.state, NodeState::Done { .. }) && node.pinned.is_none();
        self.touched.insert(child);
    }

    pub(super) fn set_unverified(&mut self, number: usize, unverified: bool) {
        self.nodes[number].unverified = unverified;
        self.touched.insert(number);
    }

    /// Turns the outcome into a failure if the work is unverified and the plan requires that.
    pub(super) fn apply_evidence_to_outcome(
        &self,
        outcome: &Outcome,
        doubt: Option<&UnverifiedReason>,
    ) -> Outcome {
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
