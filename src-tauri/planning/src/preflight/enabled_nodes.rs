//! The nodes that checks are about.

use baton_model::{Node, Plan};

/// The nodes that a run executes. Disabled nodes need nothing from the machine.
pub(super) fn enabled_nodes(plan: &Plan) -> impl Iterator<Item = &Node> {
    plan.nodes
        .iter()
        .filter(|node| node.is_executable() && !node.disabled)
}
