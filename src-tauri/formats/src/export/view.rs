//! Selects the parts of a plan that an export includes, and the titles it shows.

use std::collections::{HashMap, HashSet};

use baton_model::{Direction, Node, NodeId, Plan};

use super::node_summary::one_line;
use super::theme::StateStyle;

/// Options of an export. Plan files ignore them and always contain the whole plan.
#[derive(Debug, Clone, Default)]
pub struct View {
    /// The state names of nodes in a run; empty without a run.
    pub states: HashMap<NodeId, &'static str>,
    /// If set, only these nodes and the edges between them.
    pub only: Option<HashSet<NodeId>>,
    /// The direction of the flow.
    pub direction: Direction,
    /// Whether images use the dark theme.
    pub dark: bool,
}

impl View {
    pub(super) fn includes(&self, node: &Node) -> bool {
        self.only
            .as_ref()
            .is_none_or(|only| only.contains(&node.id))
    }

    /// The appearance of the state of `node`, if it has one.
    pub(super) fn state_style(&self, node: NodeId) -> Option<&'static StateStyle> {
        StateStyle::for_state(self.states.get(&node)?)
    }
}

/// The nodes that `view` includes.
pub(crate) fn visible_nodes<'a>(plan: &'a Plan, view: &'a View) -> impl Iterator<Item = &'a Node> {
    plan.nodes.iter().filter(|node| view.includes(node))
}

/// The title of a node on one line without control characters, or its slug if it has no title.
pub(crate) fn node_title(node: &Node) -> String {
    let title = one_line(&node.title);
    if title.is_empty() {
        node.slug.to_string()
    } else {
        title
    }
}
