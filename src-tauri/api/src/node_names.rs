//! Titles of a plan's nodes, by id.

use std::collections::HashMap;

use baton_model::{Node, NodeId, Plan};

/// The nodes of a plan by id. A history refers to each of them many times.
pub(crate) struct Nodes<'plan>(HashMap<NodeId, &'plan Node>);

impl<'plan> Nodes<'plan> {
    /// Indexes the nodes of `plan`.
    pub(crate) fn new(plan: &'plan Plan) -> Self {
        Self(plan.nodes.iter().map(|node| (node.id, node)).collect())
    }

    /// Returns whether a node is disabled; false for a node that is no longer in the plan.
    pub(crate) fn is_disabled(&self, node: NodeId) -> bool {
        self.0.get(&node).is_some_and(|node| node.disabled)
    }

    /// The title of a node, or a placeholder if the plan has no such node.
    pub(crate) fn title(&self, node: NodeId) -> &str {
        self.0
            .get(&node)
            .map_or("a deleted node", |node| node.title.as_str())
    }

    /// The quoted titles of several nodes, separated by commas.
    pub(crate) fn list(&self, nodes: &[NodeId]) -> String {
        let titles: Vec<_> = nodes
            .iter()
            .map(|node| format!("'{}'", self.title(*node)))
            .collect();
        titles.join(", ")
    }
}
