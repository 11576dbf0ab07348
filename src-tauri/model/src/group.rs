//! Nodes that a person put together on the canvas, under a title and a color.
//!
//! A group is drawn and nothing else: it decides neither when its members run nor what they receive, so that a change of
//! groups keeps an approval. Groups do not contain one another. Whether one is collapsed is how a window looks at
//! it, and not part of the plan.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::ids::GroupId;
use crate::{NodeId, Plan};

/// Some nodes of a plan in a frame.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Group {
    /// Stays the same over all versions of the plan.
    pub id: GroupId,
    /// One line for people.
    pub title: String,
    /// The color of the frame.
    #[serde(default)]
    pub colour: Color,
    /// The nodes in it, notes among them, each once and in no other group.
    #[serde(default)]
    pub nodes: Vec<NodeId>,
}

/// A color of the canvas, by name: what it looks like is for the design to say, in light and in dark. None of them
/// says anything about a node's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Color {
    /// Without a hue.
    #[default]
    Grey,
    /// Blue.
    Blue,
    /// Teal.
    Teal,
    /// Green.
    Green,
    /// Yellow.
    Yellow,
    /// Red.
    Red,
    /// Purple.
    Purple,
}

impl Plan {
    /// The group that each node is in, by the group's place in [`Plan::groups`].
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

    /// Takes members that are not in the plan out of the groups, and groups that nobody is left in out of the plan.
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
    fn members_that_are_gone_leave_and_empty_frames_with_them() {
        let mut plan = plan_of(&["A", "B", "C"], &[]);
        plan.groups = vec![group(1, &[0, 1]), group(2, &[2]), group(3, &[])];
        plan.nodes.remove(2);
        plan.prune_groups();
        let left: Vec<_> = plan
            .groups
            .iter()
            .map(|group| group.id.0.as_u128())
            .collect();
        assert_eq!(left, [1, 3], "one that was empty before is somebody's");
        assert_eq!(
            plan.groups_by_node(),
            HashMap::from([(node_id(0), 0), (node_id(1), 0)])
        );
    }

    #[test]
    fn a_change_of_groups_is_a_change_of_layout() {
        let plan = plan_of(&["A", "B"], &[(0, 1)]);
        let mut grouped = plan.clone();
        grouped.groups = vec![group(1, &[0])];
        assert!(plan.differs_only_in_layout(&grouped));
    }
}
