//! Which nodes a rerun resets. The commands and the preview of a rerun use the same functions.

use crate::NodeId;

use super::event::Event;
use super::state::{NodeState, WaitingFor};
use super::{Refusal, Run, is_live, is_reserved};

/// Which nodes a rerun resets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RerunScope {
    /// The given nodes and everything that depends on them.
    FromHere,
    /// Only the given nodes, in any state but running.
    OnlyThis,
    /// Only the given nodes, which failed, were interrupted or were skipped.
    Retry,
    /// All nodes that failed or were interrupted.
    Failed,
    /// All nodes whose input changed after they were done.
    Stale,
}

impl Run {
    /// The nodes that a rerun would reset, in plan order. `nodes` is ignored for scopes that cover
    /// the whole run.
    pub fn nodes_to_rerun(
        &self,
        scope: RerunScope,
        nodes: &[NodeId],
    ) -> Result<Vec<NodeId>, Refusal> {
        let mut reset = Vec::new();
        match scope {
            RerunScope::Failed => return Ok(self.failed().collect()),
            RerunScope::Stale => return Ok(self.stale().collect()),
            RerunScope::FromHere => {
                for &node in nodes {
                    reset.extend(self.with_dependents(node)?);
                }
            }
            RerunScope::OnlyThis => {
                for &node in nodes {
                    reset.push(self.rerunnable(node)?);
                }
            }
            RerunScope::Retry => {
                for &node in nodes {
                    reset.push(self.retryable(node)?);
                }
            }
        }
        reset.sort_by_key(|&node| self.position(node));
        reset.dedup();
        Ok(reset)
    }

    /// The nodes that failed or were interrupted. A failure that the run handled by continuing at
    /// another node does not count.
    pub fn failed(&self) -> impl Iterator<Item = NodeId> {
        self.nodes
            .iter()
            .enumerate()
            .filter(|(_, node)| {
                matches!(
                    node.state,
                    NodeState::Interrupted { .. }
                        | NodeState::Failed {
                            went_on_at: None,
                            ..
                        }
                )
            })
            .map(|(number, _)| self.graph.id(number))
    }

    /// Reruns `nodes` and resumes the run; nothing happens if there are none.
    pub(super) fn rerun_events(&self, nodes: Vec<NodeId>) -> Vec<Event> {
        if nodes.is_empty() {
            return Vec::new();
        }
        self.then_resume(vec![Event::NodesReset {
            nodes,
            resume: false,
        }])
    }

    /// The node, if it can be retried.
    pub(super) fn retryable(&self, node: NodeId) -> Result<NodeId, Refusal> {
        let number = self.number_of(node)?;
        match &self.nodes[number].state {
            NodeState::Failed { .. }
            | NodeState::Interrupted { .. }
            | NodeState::Skipped { .. }
            | NodeState::Waiting {
                what: WaitingFor::RetryAt { .. } | WaitingFor::LimitUntil { .. },
            } => Ok(node),
            state => Err(self.refuse_node(number, state, "retried")),
        }
    }

    /// The node, if it can be rerun alone.
    pub(super) fn rerunnable(&self, node: NodeId) -> Result<NodeId, Refusal> {
        let number = self.number_of(node)?;
        self.require_unpinned(number)?;
        let state = &self.nodes[number].state;
        if is_live(state) || is_reserved(state) {
            return Err(self.refuse_node(number, state, "rerun yet"));
        }
        Ok(node)
    }

    /// The node and everything that depends on it and has already started. What depends on it only
    /// through pinned nodes receives the same as before.
    pub(super) fn with_dependents(&self, node: NodeId) -> Result<Vec<NodeId>, Refusal> {
        let number = self.number_of(node)?;
        let mut numbers = vec![number];
        self.require_unpinned(number)?;
        numbers.extend(self.affected_by(number));
        if let Some(&busy) = numbers
            .iter()
            .find(|&&n| is_live(&self.nodes[n].state) || is_reserved(&self.nodes[n].state))
        {
            return Err(self.refuse_node(busy, &self.nodes[busy].state, "rerun yet"));
        }
        let nodes = numbers
            .into_iter()
            .filter(|&n| n == number || !self.is_untouched(n))
            .map(|n| self.graph.id(n))
            .collect();
        Ok(nodes)
    }

    /// The node has not started, and nothing is left from an earlier attempt.
    fn is_untouched(&self, number: usize) -> bool {
        let node = &self.nodes[number];
        node.state == NodeState::Pending
            && (node.own_failures, node.losses) == (0, 0)
            && !node.approved
            && !node.resume_next
    }
}
