//! Replaces node identifiers in a plan.

use std::collections::HashMap;

use crate::node::{NodeKind, OnFailure};
use crate::{Node, NodeId, Plan};

impl Plan {
    /// Replaces the identifier of each node in `names` everywhere in the plan: in edges, branches,
    /// jumps and groups. Other nodes keep theirs.
    pub fn rename_nodes(&mut self, names: &HashMap<NodeId, NodeId>) {
        let rename = |id: &mut NodeId| *id = names.get(id).copied().unwrap_or(*id);
        for edge in &mut self.edges {
            rename(&mut edge.parent);
            rename(&mut edge.child);
        }
        self.groups
            .iter_mut()
            .flat_map(|group| &mut group.nodes)
            .for_each(rename);
        for node in &mut self.nodes {
            rename(&mut node.id);
            referenced_ids(node).into_iter().flatten().for_each(rename);
        }
    }
}

/// The identifiers of other nodes in `node`.
fn referenced_ids(node: &mut Node) -> [Option<&mut NodeId>; 4] {
    let (when_true, when_false) = match &mut node.kind {
        NodeKind::Condition(task) => (task.true_step.as_mut(), task.false_step.as_mut()),
        _ => (None, None),
    };
    let failure = match &mut node.on_failure {
        OnFailure::Node(target) => Some(target),
        OnFailure::Abort | OnFailure::Skip => None,
    };
    [when_true, when_false, node.on_success.as_mut(), failure]
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::node::ConditionTask;
    use crate::plan_fixture::{node_id, plan_of};
    use crate::{Color, Group, GroupId};

    #[test]
    fn no_reference_keeps_an_old_id() {
        let mut plan = plan_of(&["A", "B", "C", "D"], &[(0, 1)]);
        let condition = "true".to_owned();
        let (true_step, false_step) = (Some(node_id(1)), Some(node_id(2)));
        plan.nodes[0].kind = NodeKind::Condition(ConditionTask {
            condition,
            true_step,
            false_step,
        });
        plan.nodes[1].on_success = Some(node_id(2));
        plan.nodes[1].on_failure = OnFailure::Node(node_id(3));
        let id = GroupId(Uuid::from_u128(77));
        let nodes = vec![node_id(0), node_id(3)];
        plan.groups = vec![Group {
            id,
            title: "Both".to_owned(),
            color: Color::Gray,
            nodes,
        }];
        let before = serde_json::to_string(&plan).expect("a plan is JSON");
        let new = |number: usize| NodeId(Uuid::from_u128(number as u128 + 900));
        let names: HashMap<_, _> = (0..4)
            .map(|number| (node_id(number), new(number)))
            .collect();
        plan.rename_nodes(&names);
        let after = serde_json::to_string(&plan).expect("a plan is JSON");
        for number in 0..4 {
            let expected = before.matches(&node_id(number).to_string()).count();
            assert_eq!(
                after.matches(&new(number).to_string()).count(),
                expected,
                "node {number}"
            );
            assert!(
                !after.contains(&node_id(number).to_string()),
                "node {number}"
            );
        }
    }
}
