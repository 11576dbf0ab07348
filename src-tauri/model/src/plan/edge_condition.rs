//! The edges that are stored as fields of a node: the branches of a condition, and the jumps taken on
//! success or on failure.

use crate::node::{NodeKind, OnFailure};
use crate::{Node, NodeId};

/// The field of a node that leads to another node, and when it is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum EdgeCondition {
    True,
    False,
    Success,
    Failure,
}

impl EdgeCondition {
    /// Makes the field lead to `target`, or nowhere. Without a target, a failure ends the run.
    pub(super) fn set(self, node: &mut Node, target: Option<NodeId>) {
        match (self, &mut node.kind) {
            (Self::True, NodeKind::Condition(task)) => task.true_step = target,
            (Self::False, NodeKind::Condition(task)) => task.false_step = target,
            (Self::True | Self::False, _) => {}
            (Self::Success, _) => node.on_success = target,
            (Self::Failure, _) => {
                node.on_failure = target.map_or(OnFailure::Abort, OnFailure::Node);
            }
        }
    }
}

/// Where the fields of `node` lead.
pub(super) fn targets(node: &Node) -> Vec<(EdgeCondition, NodeId)> {
    let branches = node.kind.branches().map(|(taken, head)| {
        let condition = if taken {
            EdgeCondition::True
        } else {
            EdgeCondition::False
        };
        (condition, head)
    });
    let success = node.on_success.map(|to| (EdgeCondition::Success, to));
    let failure = match node.on_failure {
        OnFailure::Node(to) => Some((EdgeCondition::Failure, to)),
        OnFailure::Abort | OnFailure::Skip => None,
    };
    branches.chain(success).chain(failure).collect()
}
