//! Which nodes differ between two plans, by their IDs in plan files.

use baton_api::wire::ProposalView;
use baton_model::{NodeId, Plan, PlanDiff};
use serde::Serialize;

/// The most nodes of one list.
const MAX_NODES: usize = 8;

/// A short form of [`PlanDiff`].
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Difference {
    added: Vec<String>,
    removed: Vec<String>,
    changed: Vec<String>,
    /// Number of edges that differ.
    edges: usize,
    /// Whether settings of the plan differ.
    plan: bool,
}

impl Difference {
    /// From `earlier` to `later`.
    pub(crate) fn between(earlier: &Plan, later: &Plan) -> Self {
        Self::of(&PlanDiff::between(earlier, later), earlier, later)
    }

    fn of(diff: &PlanDiff, earlier: &Plan, later: &Plan) -> Self {
        Self {
            added: names(later, &diff.nodes_added),
            removed: names(earlier, &diff.nodes_removed),
            changed: names(later, &diff.nodes_changed),
            edges: diff.edges_added.len() + diff.edges_removed.len(),
            plan: diff.plan_changed,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        let lists = [&self.added, &self.removed, &self.changed];
        lists.into_iter().all(Vec::is_empty) && self.edges == 0 && !self.plan
    }

    /// On one line.
    pub(super) fn line(&self) -> String {
        let list = |sign: &str, names: &[String]| match names {
            [] => String::new(),
            names => format!("{sign}{} ", names.join(&format!(" {sign}"))),
        };
        let lists = [
            ("+", &self.added),
            ("-", &self.removed),
            ("~", &self.changed),
        ];
        let nodes: String = lists.map(|(sign, names)| list(sign, names)).concat();
        let settings = if self.plan { ", settings" } else { "" };
        format!("{nodes}({} edges{settings})", self.edges)
    }
}

/// What a proposal changes in its plan; `None` for a new plan.
pub(super) fn of_view(view: &ProposalView) -> Option<Difference> {
    let (diff, base) = (view.diff.as_ref()?, view.base.as_ref()?);
    Some(Difference::of(diff, base, view.draft.as_ref()?))
}

/// The first nodes by their IDs, and how many more there are.
fn names(plan: &Plan, nodes: &[NodeId]) -> Vec<String> {
    let shown = nodes.iter().take(MAX_NODES);
    let mut names: Vec<_> = shown.map(|node| name(plan, *node)).collect();
    if let more @ 1.. = nodes.len().saturating_sub(MAX_NODES) {
        names.push(format!("and {more} more"));
    }
    names
}

/// A node by its ID in the plan file.
pub(super) fn name(plan: &Plan, node: NodeId) -> String {
    let found = plan.node(node);
    found.map_or_else(|| node.to_string(), |node| node.slug.to_string())
}

#[cfg(test)]
mod tests {
    use baton_model::node::{NodeKind, Note};
    use baton_model::{Node, Slug};
    use uuid::Uuid;

    use super::*;

    fn plan(nodes: usize) -> Plan {
        let mut plan = Plan::new(baton_model::PlanId(Uuid::nil()), "A plan");
        for number in 0..nodes {
            let title = format!("node {number}");
            let node = Node::new(
                NodeId(Uuid::from_u128(number as u128)),
                Slug::from_title(&title),
                title,
                NodeKind::Note(Note::default()),
            );
            plan.nodes.push(node);
        }
        plan
    }

    #[test]
    fn long_lists_are_short() {
        let difference = Difference::between(&plan(1), &plan(20));
        assert_eq!(difference.added.len(), MAX_NODES + 1);
        assert_eq!(
            difference.added.last().map(String::as_str),
            Some("and 11 more")
        );
        assert!(!difference.is_empty());
        assert!(Difference::between(&plan(2), &plan(2)).is_empty());
    }
}
