//! Groups of nodes on the canvas, with a title and a color.
//!
//! A group is only drawn. It affects neither when its members run nor what they receive, so
//! changing groups keeps an approval. Groups can't be nested. Whether a group is collapsed is a
//! setting of the window, not part of the plan.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::ids::GroupId;
use crate::{NodeId, Plan};

/// A frame around some nodes of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct Group {
    /// The same in all versions of the plan.
    pub id: GroupId,
    /// One line for people.
    pub title: String,
    #[serde(default)]
    pub colour: Color,
    /// The member nodes and notes. A node can be in at most one group.
    #[serde(default)]
    pub nodes: Vec<NodeId>,
}

/// A named color of the canvas. The design defines its light and dark values. Colors say nothing
/// about a node's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Color {
    #[default]
    Grey,
    Blue,
    Teal,
    Green,
    Yellow,
    Red,
    Purple,
}

impl Plan {
    /// The index in [`Plan::groups`] of each node's group.
    #[must_use]
    pub fn groups_by_node(&self) -> HashMap<NodeId, usize> {
        let members = |(place, group): (usize, &Group)| {
            group.nodes.iter().map(move |&node| (node, place)).collect()
        };
        self.groups
            .iter()
            .enumerate()
            .flat_map::<Vec<_>, _>(members)
            .collect()
    }

    /// Removes members that are not in the plan from groups, and empty groups from the plan.
    pub fn prune_groups(&mut self) {
        let known: HashSet<NodeId> = self.nodes.iter().map(|node| node.id).collect();
        self.groups.retain_mut(|group| {
            let was_empty = group.nodes.is_empty();
            group.nodes.retain(|node| known.contains(node));
            was_empty || !group.nodes.is_empty()
        });
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::plan_fixture::{node_id, plan_of};

    fn group(number: u128, nodes: &[usize]) -> Group {
        let nodes = nodes.iter().map(|&node| node_id(node)).collect();
        Group {
            id: GroupId(Uuid::from_u128(number)),
            title: "A group".to_owned(),
            colour: Color::Teal,
            nodes,
        }
    }

    #[test]
    fn pruning_removes_missing_members_and_empty_groups() {
        let mut plan = plan_of(&["A", "B", "C"], &[]);
        plan.groups = vec![group(1, &[0, 1]), group(2, &[2]), group(3, &[])];
        plan.nodes.remove(2);
        plan.prune_groups();
        let left: Vec<_> = plan
            .groups
            .iter()
            .map(|group| group.id.0.as_u128())
            .collect();
        assert_eq!(left, [1, 3], "an already empty group is kept");
        assert_eq!(
            plan.groups_by_node(),
            HashMap::from([(node_id(0), 0), (node_id(1), 0)])
        );
    }

    #[test]
    fn group_changes_are_layout_changes() {
        let plan = plan_of(&["A", "B"], &[(0, 1)]);
        let mut grouped = plan.clone();
        grouped.groups = vec![group(1, &[0])];
        assert!(plan.differs_only_in_layout(&grouped));
    }
}
