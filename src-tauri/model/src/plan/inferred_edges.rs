//! Edges that an import derived from the order of tasks, until a person confirms or removes them.

use std::collections::HashSet;

use super::Plan;
use crate::{Edge, NodeId};

impl Plan {
    /// The edges that nobody has confirmed.
    pub fn inferred_edges(&self) -> impl Iterator<Item = &Edge> {
        self.edges.iter().filter(|edge| edge.inferred)
    }

    /// Confirms the inferred edges between these parents and children, or all of them. Returns how
    /// many it confirmed.
    pub fn confirm_edges(&mut self, only: Option<&HashSet<(NodeId, NodeId)>>) -> usize {
        let mut confirmed = 0;
        for edge in &mut self.edges {
            let is_meant = only.is_none_or(|ends| ends.contains(&(edge.parent, edge.child)));
            if edge.inferred && is_meant {
                edge.inferred = false;
                confirmed += 1;
            }
        }
        confirmed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Problem;
    use crate::plan_fixture::{node_id, plan_of};

    fn inferred_chain() -> Plan {
        let mut plan = plan_of(&["A", "B", "C"], &[(0, 1), (1, 2)]);
        for edge in &mut plan.edges {
            edge.inferred = true;
        }
        plan
    }

    #[test]
    fn unconfirmed_edges_are_a_problem_that_can_be_saved() {
        let mut plan = inferred_chain();
        let problems = plan.problems();
        assert_eq!(problems, [Problem::UnconfirmedEdges { count: 2 }]);
        assert!(!problems[0].prevents_saving());
        let one = HashSet::from([(node_id(0), node_id(1))]);
        assert_eq!(plan.confirm_edges(Some(&one)), 1);
        assert_eq!(
            plan.problems()[0].to_string(),
            "1 inferred edge waits for confirmation; confirm or remove what only follows from the order of tasks"
        );
        assert_eq!(plan.confirm_edges(None), 1);
        assert_eq!(plan.problems(), []);
        assert_eq!(plan.confirm_edges(None), 0, "nothing is left");
    }

    #[test]
    fn confirmed_edges_are_stored_as_before() {
        let mut plan = inferred_chain();
        let inferred = serde_json::to_value(plan.edges[0]).expect("JSON");
        assert_eq!(inferred["inferred"], true);
        plan.confirm_edges(None);
        let text = serde_json::to_string(&plan).expect("JSON");
        assert!(!text.contains("inferred"), "{text}");
    }

    #[test]
    fn reconnecting_keeps_what_is_inferred() {
        let mut plan = inferred_chain();
        plan.remove_and_reconnect(&HashSet::from([node_id(1)]));
        assert_eq!(plan.inferred_edges().count(), 1, "{:?}", plan.edges);
        let mut plan = inferred_chain();
        plan.edges[0].inferred = false;
        plan.remove_and_reconnect(&HashSet::from([node_id(1)]));
        assert_eq!(plan.inferred_edges().count(), 1, "one part is unconfirmed");
        let mut plan = inferred_chain();
        plan.confirm_edges(None);
        plan.remove_and_reconnect(&HashSet::from([node_id(1)]));
        assert_eq!(plan.inferred_edges().count(), 0);
    }
}
