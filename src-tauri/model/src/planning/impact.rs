//! The effect that accepting a change has on finished work.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::{NodeId, Plan, PlanDiff};

/// The effect of a change on the finished nodes of the latest run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Impact {
    /// Finished nodes that stay done, with their handoffs.
    pub kept: Vec<NodeId>,
    /// Finished nodes that would have to run again, because they or their dependencies changed.
    pub stale: Vec<NodeId>,
    /// Finished nodes that are no longer in the plan.
    pub dropped: Vec<NodeId>,
}

impl Impact {
    /// The effect of the change from `before` to `after` on the nodes in `done`.
    #[must_use]
    pub fn between(before: &Plan, after: &Plan, done: &HashSet<NodeId>) -> Self {
        let diff = PlanDiff::between(before, after);
        let mut touched: HashSet<NodeId> = diff
            .nodes_changed
            .iter()
            .chain(&diff.nodes_added)
            .copied()
            .collect();
        touched.extend(
            diff.edges_added
                .iter()
                .chain(&diff.edges_removed)
                .map(|edge| edge.child),
        );
        add_dependents(after, &mut touched);
        let mut impact = Self::default();
        for node in before
            .nodes
            .iter()
            .map(|node| node.id)
            .filter(|id| done.contains(id))
        {
            let place = if after.node(node).is_none() {
                &mut impact.dropped
            } else if touched.contains(&node) {
                &mut impact.stale
            } else {
                &mut impact.kept
            };
            place.push(node);
        }
        impact
    }

    /// One line per effect, for people; empty if no finished node is affected.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let count = |number: usize| {
            format!(
                "{number} finished node{}",
                if number == 1 { "" } else { "s" }
            )
        };
        let lines = [
            (
                self.stale.len(),
                if self.stale.len() == 1 {
                    "becomes stale"
                } else {
                    "become stale"
                },
            ),
            (
                self.dropped.len(),
                if self.dropped.len() == 1 {
                    "is no longer in the plan"
                } else {
                    "are no longer in the plan"
                },
            ),
            (
                self.kept.len(),
                if self.kept.len() == 1 {
                    "stays done"
                } else {
                    "stay done"
                },
            ),
        ];
        lines
            .into_iter()
            .filter(|(number, _)| *number > 0)
            .map(|(number, what)| format!("{} {what}", count(number)))
            .collect()
    }
}

/// Adds everything that depends on a touched node.
fn add_dependents(plan: &Plan, touched: &mut HashSet<NodeId>) {
    let mut open: Vec<NodeId> = touched.iter().copied().collect();
    while let Some(parent) = open.pop() {
        let named = plan
            .node(parent)
            .into_iter()
            .flat_map(crate::Node::successors_by_name);
        let below = plan
            .edges
            .iter()
            .filter(|edge| edge.parent == parent)
            .map(|edge| edge.child)
            .chain(named);
        open.extend(
            below
                .collect::<Vec<_>>()
                .into_iter()
                .filter(|child| touched.insert(*child)),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan_fixture::{node_id, plan_of};

    #[test]
    fn dependents_of_changed_nodes_are_stale() {
        let before = plan_of(&["A", "B", "C", "D"], &[(0, 1), (1, 2)]);
        let mut after = before.clone();
        after.nodes[1].instructions = "Otherwise.".to_owned();
        let done = (0..4).map(node_id).collect();
        let impact = Impact::between(&before, &after, &done);
        assert_eq!(impact.stale, [node_id(1), node_id(2)]);
        assert_eq!(impact.kept, [node_id(0), node_id(3)]);
        assert_eq!(
            impact.sentences(),
            [
                "2 finished nodes become stale",
                "2 finished nodes stay done"
            ]
        );
    }

    #[test]
    fn moved_nodes_stay_done() {
        let before = plan_of(&["A"], &[]);
        let mut after = before.clone();
        after.nodes[0].position = Some(crate::node::Position { x: 1.0, y: 2.0 });
        assert_eq!(
            Impact::between(&before, &after, &[node_id(0)].into()).kept,
            [node_id(0)]
        );
    }
}
