//! Small plans for the tests of this crate.

use uuid::Uuid;

use crate::node::{CommandLine, CommandTask, NodeKind};
use crate::{Edge, Node, NodeId, Plan, PlanId, Slug};

/// A plan of command nodes with these titles and `(parent, child)` edges, by position. IDs are
/// numbered from 1.
pub(crate) fn plan_of(titles: &[&str], edges: &[(usize, usize)]) -> Plan {
    let mut plan = Plan::new(PlanId(Uuid::from_u128(1 << 64)), "A plan");
    for (position, title) in titles.iter().enumerate() {
        let command = CommandTask {
            command: CommandLine::Argv(vec!["true".to_owned()]),
            env: Default::default(),
            cwd: None,
        };
        let slug = Slug::new(&format!("n{position}")).expect("a letter and digits");
        plan.nodes.push(Node::new(
            node_id(position),
            slug,
            *title,
            NodeKind::Command(command),
        ));
    }
    plan.edges = edges
        .iter()
        .map(|&(parent, child)| edge(&plan, parent, child))
        .collect();
    plan
}

/// The ID of the node at `position`.
pub(crate) fn node_id(position: usize) -> NodeId {
    NodeId(Uuid::from_u128(position as u128 + 1))
}

/// The edge between the nodes at two positions.
pub(crate) fn edge(plan: &Plan, parent: usize, child: usize) -> Edge {
    Edge {
        parent: plan.nodes[parent].id,
        child: plan.nodes[child].id,
        soft: false,
        inferred: false,
    }
}
