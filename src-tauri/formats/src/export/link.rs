//! Every line between two nodes, whatever it is made of.

use std::collections::HashMap;

use super::View;
use baton_model::node::OnFailure;
use baton_model::{NodeId, NodeKind, Plan};

/// A line from one node to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) parent: NodeId,
    pub(crate) child: NodeId,
    pub(crate) soft: bool,
    /// The words on a branch or jump.
    pub(crate) way: Option<&'static str>,
}

/// The edges, branches and jumps between the nodes that `view` shows, notes excepted: edges first.
pub(crate) fn links(plan: &Plan, view: &View) -> Vec<Link> {
    let drawn = plan.edges.iter().map(|edge| Link {
        parent: edge.parent,
        child: edge.child,
        soft: edge.soft,
        way: None,
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
        let ways = [
            ("true", true_step),
            ("false", false_step),
            ("on success", node.on_success),
            ("on failure", jump),
        ];
        ways.into_iter().filter_map(move |(way, child)| {
            Some(Link {
                parent: node.id,
                child: child?,
                soft: false,
                way: Some(way),
            })
        })
    });
    let nodes: HashMap<NodeId, bool> = plan
        .nodes
        .iter()
        .map(|node| (node.id, node.is_executable() && view.shows(node)))
        .collect();
    let is_shown = |id| nodes.get(&id).copied().unwrap_or(false);
    drawn
        .chain(named)
        .filter(|link| is_shown(link.parent) && is_shown(link.child))
        .collect()
}
