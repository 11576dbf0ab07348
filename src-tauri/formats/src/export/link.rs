//! All lines between two nodes: edges, branches and jumps.

use std::collections::HashMap;

use super::view::View;
use baton_model::node::OnFailure;
use baton_model::{NodeId, NodeKind, Plan};

/// A line from one node to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) parent: NodeId,
    pub(crate) child: NodeId,
    pub(crate) soft: bool,
    /// Nobody has confirmed it.
    pub(crate) inferred: bool,
    /// The label of a branch or jump.
    pub(crate) branch_label: Option<&'static str>,
}

/// The edges, branches and jumps between nodes that `view` includes, without notes. Edges come
/// first.
pub(crate) fn links(plan: &Plan, view: &View) -> Vec<Link> {
    let drawn = plan.edges.iter().map(|edge| Link {
        parent: edge.parent,
        child: edge.child,
        soft: edge.soft,
        inferred: edge.inferred,
        branch_label: None,
    });
    let named = plan.nodes.iter().flat_map(|node| {
        let (true_step, false_step) = match &node.kind {
            NodeKind::Condition(task) => (task.true_step, task.false_step),
            _ => (None, None),
        };
        let jump = match node.on_failure {
            OnFailure::Node(jump) => Some(jump),
            OnFailure::Abort | OnFailure::Skip => None,
        };
        let branches = [
            ("true", true_step),
            ("false", false_step),
            ("on success", node.on_success),
            ("on failure", jump),
        ];
        branches
            .into_iter()
            .filter_map(move |(branch_label, child)| {
                Some(Link {
                    parent: node.id,
                    child: child?,
                    soft: false,
                    inferred: false,
                    branch_label: Some(branch_label),
                })
            })
    });
    let nodes: HashMap<NodeId, bool> = plan
        .nodes
        .iter()
        .map(|node| (node.id, node.is_executable() && view.includes(node)))
        .collect();
    let is_shown = |id| nodes.get(&id).copied().unwrap_or(false);
    drawn
        .chain(named)
        .filter(|link| is_shown(link.parent) && is_shown(link.child))
        .collect()
}
