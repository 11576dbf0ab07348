//! The groups of a plan, by node.

use std::collections::{HashMap, HashSet};

use crate::{Group, NodeId, Plan};

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
    use crate::Color;
    use crate::GroupId;
    use crate::plan_fixture::{node_id, plan_of};

    fn group(number: u128, nodes: &[usize]) -> Group {
        let nodes = nodes.iter().map(|&node| node_id(node)).collect();
        Group {
            id: GroupId(Uuid::from_u128(number)),
            title: "A group".to_owned(),
            color: Color::Teal,
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
