//! What a parent's state means to each of its children: the column of the child's tally it counts in.

use super::state::NodeState;
use super::tally::Column;
use super::{NodeRun, Run};
use crate::graph::Gate;
use crate::node::OnFailure;

/// Where `parent` counts for a child behind `gate`.
pub(super) fn column(parent: &NodeRun, gate: Gate) -> Column {
    let failed_and_went_on = matches!(parent.state, NodeState::Failed { went_on_at: Some(_), .. });
    let by_the_way = |open: bool| if open { Column::Done } else { Column::Skipped };
    match (&parent.state, gate) {
        // By hand nobody chose a branch: both are open.
        (NodeState::Done { .. }, Gate::True) => by_the_way(parent.taken != Some(false)),
        (NodeState::Done { .. }, Gate::False) => by_the_way(parent.taken != Some(true)),
        (NodeState::Done { .. } | NodeState::Skipped { .. }, Gate::Failure) => Column::Skipped,
        (NodeState::Failed { .. }, Gate::Failure | Gate::DoneOrFailure) if failed_and_went_on => Column::Done,
        (NodeState::Failed { .. }, _) if failed_and_went_on => Column::Skipped,
        (state, _) => Column::of(state),
    }
}

impl Run {
    /// Whether a finished node names `number` as where the run goes on: then nothing else has to be waited for.
    pub(super) fn is_jumped_to(&self, number: usize) -> bool {
        let id = self.graph.id(number);
        self.graph.parents(number).any(|parent| match &self.nodes[parent].state {
            NodeState::Done { .. } => self.definition(parent).on_success == Some(id),
            NodeState::Failed { went_on_at, .. } => *went_on_at == Some(id),
            _ => false,
        })
    }

    /// Where the run goes on after a node's end, if the node names such a place.
    pub(super) fn jump_target(&self, number: usize) -> Option<usize> {
        let target = match &self.nodes[number].state {
            NodeState::Done { .. } => self.definition(number).on_success,
            NodeState::Failed { went_on_at, .. } => *went_on_at,
            _ => None,
        };
        self.graph.number(target?)
    }

    /// Where the run would go on if the node failed for good.
    pub(super) fn failure_target(&self, number: usize) -> Option<crate::NodeId> {
        match self.definition(number).on_failure {
            OnFailure::Node(node) => Some(node).filter(|&node| self.graph.number(node).is_some()),
            OnFailure::Abort | OnFailure::Skip => None,
        }
    }
}
