//! A proposed plan as individual changes, which a person can accept separately.

use serde::{Deserialize, Serialize};

use crate::{Edge, NodeId, Plan, PlanDiff};

/// One change in a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "change", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum ProposedChange {
    /// A node is added.
    AddNode { node: NodeId },
    /// A node is removed, with its edges.
    RemoveNode { node: NodeId },
    /// A node's content changes.
    ChangeNode { node: NodeId },
    /// An edge is added.
    AddEdge { edge: Edge },
    /// An edge is removed.
    RemoveEdge { edge: Edge },
    /// The title, goal, settings, order or groups change.
    ChangePlan,
}

/// The changes that lead from `before` to `after`. Edges removed with their node are not listed.
#[must_use]
pub fn list_changes(before: &Plan, after: &Plan) -> Vec<ProposedChange> {
    let diff = PlanDiff::between(before, after);
    let goes_with_node = |edge: &&Edge| {
        !diff.nodes_removed.contains(&edge.parent) && !diff.nodes_removed.contains(&edge.child)
    };
    let removed = diff
        .nodes_removed
        .iter()
        .map(|&node| ProposedChange::RemoveNode { node });
    let added = diff
        .nodes_added
        .iter()
        .map(|&node| ProposedChange::AddNode { node });
    let changed = diff
        .nodes_changed
        .iter()
        .map(|&node| ProposedChange::ChangeNode { node });
    let edges_removed = diff
        .edges_removed
        .iter()
        .filter(goes_with_node)
        .map(|&edge| ProposedChange::RemoveEdge { edge });
    let edges_added = diff
        .edges_added
        .iter()
        .map(|&edge| ProposedChange::AddEdge { edge });
    let mut all: Vec<_> = removed
        .chain(added)
        .chain(changed)
        .chain(edges_removed)
        .chain(edges_added)
        .collect();
    let is_regrouped =
        || diff.groups_changed && ProposedChange::apply(before, after, &all).groups != after.groups;
    if diff.plan_changed || is_regrouped() {
        all.push(ProposedChange::ChangePlan);
    }
    all
}

impl ProposedChange {
    /// `before` with the changes of `after` that are in `taken`. [`Plan::problems`] reports whether
    /// the result is valid.
    #[must_use]
    pub fn apply(before: &Plan, after: &Plan, taken: &[Self]) -> Plan {
        let takes_plan = taken.contains(&Self::ChangePlan);
        let frame = if takes_plan { after } else { before };
        let mut plan = Plan {
            nodes: before.nodes.clone(),
            edges: before.edges.clone(),
            ..frame.clone()
        };
        for change in taken {
            change.apply_to(&mut plan, after);
        }
        plan.prune_groups();
        plan
    }

    fn apply_to(&self, plan: &mut Plan, after: &Plan) {
        match self {
            Self::AddNode { node } => {
                plan.nodes.extend(after.node(*node).cloned());
                join_group(plan, after, *node);
            }
            Self::RemoveNode { node } => {
                plan.nodes.retain(|other| other.id != *node);
                plan.edges
                    .retain(|edge| edge.parent != *node && edge.child != *node);
            }
            Self::ChangeNode { node } => {
                let old = plan.nodes.iter_mut().find(|other| other.id == *node);
                if let (Some(old), Some(new)) = (old, after.node(*node)) {
                    let (position, keeps_place) = (old.position, old.keeps_place);
                    *old = crate::Node {
                        position,
                        keeps_place,
                        ..new.clone()
                    };
                }
            }
            Self::AddEdge { edge } => plan.edges.push(*edge),
            Self::RemoveEdge { edge } => plan.edges.retain(|other| other != edge),
            Self::ChangePlan => {}
        }
    }
}

/// Adds `node` to the group it has in `after`, if that group exists.
fn join_group(plan: &mut Plan, after: &Plan, node: NodeId) {
    let wanted = after
        .groups
        .iter()
        .find(|group| group.nodes.contains(&node))
        .map(|group| group.id);
    let group = plan
        .groups
        .iter_mut()
        .find(|group| Some(group.id) == wanted);
    if let Some(group) = group.filter(|group| !group.nodes.contains(&node)) {
        group.nodes.push(node);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    use crate::plan_fixture::{node_id, plan_of};
    use crate::{Color, Group, GroupId};

    #[test]
    fn applying_all_changes_gives_the_proposal() {
        let before = plan_of(&["A", "B", "C"], &[(0, 1), (1, 2)]);
        let mut after = plan_of(&["A", "B", "C", "D"], &[(0, 3), (3, 2)]);
        after.nodes.remove(1);
        after.nodes[0].max_retries = 1;
        let all = list_changes(&before, &after);
        let applied = ProposedChange::apply(&before, &after, &all);
        assert!(PlanDiff::between(&applied, &after).is_empty(), "{all:?}");
        assert!(applied.problems().is_empty());
    }

    #[test]
    fn group_changes_follow_their_nodes() {
        let group = |nodes: &[usize]| Group {
            id: GroupId(Uuid::from_u128(9)),
            title: "G".to_owned(),
            color: Color::Gray,
            nodes: nodes.iter().map(|&node| node_id(node)).collect(),
        };
        let mut before = plan_of(&["A", "B", "C"], &[]);
        before.groups = vec![group(&[0, 1])];
        let mut after = plan_of(&["A", "B", "C", "D"], &[]);
        after.nodes.remove(1);
        after.groups = vec![group(&[0, 3])];
        let all = list_changes(&before, &after);
        let expected = [
            ProposedChange::RemoveNode { node: node_id(1) },
            ProposedChange::AddNode { node: node_id(3) },
        ];
        assert_eq!(all, expected);
        assert_eq!(
            ProposedChange::apply(&before, &after, &all).groups,
            after.groups
        );
        let all_but_one = ProposedChange::apply(&before, &after, &all[..1]);
        assert_eq!(all_but_one.groups, [group(&[0])]);
        assert!(all_but_one.problems().is_empty());
        after.groups[0].nodes.push(node_id(2));
        let all = list_changes(&before, &after);
        assert_eq!(
            all.last(),
            Some(&ProposedChange::ChangePlan),
            "C joined, and nothing else of it changed"
        );
        assert_eq!(
            ProposedChange::apply(&before, &after, &all).groups,
            after.groups
        );
    }

    #[test]
    fn partial_changes_can_leave_an_invalid_plan() {
        let before = plan_of(&["A"], &[]);
        let after = plan_of(&["A", "B"], &[(0, 1)]);
        let edge = after.edges[0];
        let only_edge = ProposedChange::apply(&before, &after, &[ProposedChange::AddEdge { edge }]);
        assert!(!only_edge.problems().is_empty(), "its node was not taken");
        let only_node = ProposedChange::apply(
            &before,
            &after,
            &[ProposedChange::AddNode { node: node_id(1) }],
        );
        assert!(only_node.problems().is_empty());
    }
}
