//! The differences between two versions of a plan.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::direction::Direction;
use crate::{Edge, Node, NodeId, Plan};

/// The differences between two versions of a plan.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PlanDiff {
    /// Nodes that exist only in the later version.
    pub nodes_added: Vec<NodeId>,
    /// Nodes that exist only in the earlier version.
    pub nodes_removed: Vec<NodeId>,
    /// Nodes in both versions with different content. Moves on the canvas don't count.
    pub nodes_changed: Vec<NodeId>,
    /// Edges that exist only in the later version.
    pub edges_added: Vec<Edge>,
    /// Edges that exist only in the earlier version.
    pub edges_removed: Vec<Edge>,
    /// Whether titles, colors or members of groups differ.
    #[serde(default)]
    pub groups_changed: bool,
    /// Whether title, goal, directory, settings or order differ.
    pub plan_changed: bool,
}

impl PlanDiff {
    /// The changes that lead from `earlier` to `later`.
    #[must_use]
    pub fn between(earlier: &Plan, later: &Plan) -> Self {
        let (before, after) = (earlier.nodes_by_id(), later.nodes_by_id());
        let changed = |node: &&Node| {
            before
                .get(&node.id)
                .is_some_and(|old| !same_work(old, node))
        };
        Self {
            nodes_added: missing_in(&before, later),
            nodes_removed: missing_in(&after, earlier),
            nodes_changed: later
                .nodes
                .iter()
                .filter(changed)
                .map(|node| node.id)
                .collect(),
            edges_added: edges_missing_in(earlier, later),
            edges_removed: edges_missing_in(later, earlier),
            groups_changed: earlier.groups != later.groups,
            plan_changed: frame(earlier) != frame(later),
        }
    }

    /// Whether the versions are equal.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

fn missing_in(known: &HashMap<NodeId, &Node>, plan: &Plan) -> Vec<NodeId> {
    plan.nodes
        .iter()
        .map(|node| node.id)
        .filter(|id| !known.contains_key(id))
        .collect()
}

fn edges_missing_in(known: &Plan, plan: &Plan) -> Vec<Edge> {
    let known: HashSet<&Edge> = known.edges.iter().collect();
    plan.edges
        .iter()
        .filter(|edge| !known.contains(edge))
        .copied()
        .collect()
}

fn same_work(old: &Node, new: &Node) -> bool {
    let (position, keeps_place) = (old.position, old.keeps_place);
    *old == Node {
        position,
        keeps_place,
        ..new.clone()
    }
}

/// The plan without nodes, edges, groups and direction, but with the order of the nodes that both
/// versions have.
fn frame(plan: &Plan) -> Plan {
    let direction = Direction::default();
    Plan {
        nodes: Vec::new(),
        edges: Vec::new(),
        groups: Vec::new(),
        direction,
        ..plan.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::Position;
    use crate::plan_fixture::{edge, node_id, plan_of};
    use crate::{Color, Group, GroupId};

    #[test]
    fn additions_removals_and_changes_are_distinguished() {
        let earlier = plan_of(&["A", "B"], &[(0, 1)]);
        let mut later = plan_of(&["A", "B", "C"], &[(0, 2)]);
        later.nodes.remove(1);
        later.nodes[0].max_retries = 2;
        let diff = PlanDiff::between(&earlier, &later);
        assert_eq!(diff.nodes_added, [node_id(2)]);
        assert_eq!(diff.nodes_removed, [node_id(1)]);
        assert_eq!(diff.nodes_changed, [node_id(0)]);
        assert_eq!(diff.edges_removed, [edge(&earlier, 0, 1)]);
        assert_eq!(diff.edges_added.len(), 1);
        assert!(!diff.plan_changed);
    }

    #[test]
    fn moved_nodes_are_unchanged() {
        let earlier = plan_of(&["A"], &[]);
        let mut later = earlier.clone();
        later.nodes[0].position = Some(Position { x: 4.0, y: 8.0 });
        later.nodes[0].keeps_place = true;
        later.direction = Direction::TopDown;
        assert!(PlanDiff::between(&earlier, &later).is_empty());
        assert!(
            earlier.differs_only_in_layout(&later),
            "which costs no approval"
        );
    }

    #[test]
    fn group_changes_do_not_change_the_plan() {
        let earlier = plan_of(&["A"], &[]);
        let mut later = earlier.clone();
        let id = GroupId(uuid::Uuid::from_u128(9));
        later.groups.push(Group {
            id,
            title: "G".to_owned(),
            color: Color::Blue,
            nodes: vec![node_id(0)],
        });
        let diff = PlanDiff::between(&earlier, &later);
        assert!(
            diff.groups_changed && !diff.plan_changed && diff.nodes_changed.is_empty(),
            "{diff:?}"
        );
    }
}
