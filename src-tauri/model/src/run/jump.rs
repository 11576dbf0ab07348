//! Where the run goes on after a node's end, when the node names such a place (product E7).

use std::collections::BTreeSet;

use super::effort;
use super::state::{NodeState, SkipReason};
use super::tally::Column;
use super::{Graph, Plan, Run};
use crate::node::OnFailure;
use crate::{Node, NodeId};

/// How many nodes name one node as where the run goes on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Jumps {
    /// Those that have not ended, so that they still may.
    pub(super) open: u32,
    /// Those whose end made the run go on here.
    pub(super) made: u32,
}

impl Jumps {
    /// What the nodes of `plan` could do, when none has ended.
    pub(super) fn open_all(plan: &Plan, graph: &Graph) -> Vec<Self> {
        let mut jumps = vec![Self::default(); graph.len()];
        for target in plan.nodes.iter().flat_map(named_by).filter_map(|target| graph.number(target)) {
            jumps[target].open += 1;
        }
        jumps
    }
}

/// Where the run may go on after `node`, without repetition.
fn named_by(node: &Node) -> impl Iterator<Item = NodeId> {
    let after_failure = match node.on_failure {
        OnFailure::Node(target) => Some(target).filter(|_| node.on_success != Some(target)),
        OnFailure::Abort | OnFailure::Skip => None,
    };
    after_failure.into_iter().chain(node.on_success)
}

impl Run {
    /// Where the run goes on because of how the node ended.
    pub(super) fn jump_target(&self, number: usize) -> Option<usize> {
        let target = match &self.nodes[number].state {
            NodeState::Done { .. } => self.definition(number).on_success,
            NodeState::Failed { went_on_at, .. } => *went_on_at,
            _ => None,
        };
        self.graph.number(target?)
    }

    /// Where the run would go on if the node failed for good. A place that nobody wants is none: the failure
    /// would be dealt with by nobody.
    pub(super) fn failure_target(&self, number: usize) -> Option<NodeId> {
        match self.definition(number).on_failure {
            OnFailure::Node(node) => {
                Some(node).filter(|&node| self.graph.number(node).is_some_and(|target| self.is_wanted(target)))
            }
            OnFailure::Abort | OnFailure::Skip => None,
        }
    }

    /// What the node's present state counts for at the places that it names.
    pub(super) fn jumps_of(&self, number: usize) -> Vec<(usize, Jumps)> {
        let open = Column::of(&self.nodes[number].state) == Column::Open;
        let made = self.jump_target(number);
        let targets = named_by(self.definition(number)).filter_map(|target| self.graph.number(target));
        targets.map(|target| (target, Jumps { open: open.into(), made: (made == Some(target)).into() })).collect()
    }

    /// What is pending between a node and the place where the run goes on, in the order of the plan, is skipped.
    ///
    /// Not what another node made the run go on at: that node's end counts on it.
    pub(super) fn jump_from(&mut self, number: usize) {
        let Some(target) = self.jump_target(number).filter(|&target| target > number + 1) else { return };
        let by = self.graph.id(number);
        let between = self.unbegun.range(number + 1..target).copied().inspect(|_| effort::look());
        let between: Vec<usize> = between.filter(|&between| self.jumps[between].made == 0).collect();
        for between in between {
            self.set_state(between, NodeState::Skipped { reason: SkipReason::JumpedOver { by } });
        }
    }

    /// The node's end is taken back or replaced, and with it what it had skipped.
    pub(super) fn take_back_jump(&mut self, number: usize) {
        let by = self.graph.id(number);
        let Some(target) = self.jump_target(number) else { return };
        for between in number + 1..target {
            effort::look();
            if self.nodes[between].state == (NodeState::Skipped { reason: SkipReason::JumpedOver { by } }) {
                self.set_state(between, NodeState::Pending);
            }
        }
    }
}

/// The nodes of which nothing has begun and nothing was decided.
pub(super) fn unbegun(nodes: &[super::NodeRun]) -> BTreeSet<usize> {
    (0..nodes.len()).filter(|&number| is_unbegun(&nodes[number].state)).collect()
}

pub(super) fn is_unbegun(state: &NodeState) -> bool {
    matches!(state, NodeState::Pending | NodeState::Blocked { .. })
}
