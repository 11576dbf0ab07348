//! Replaces one node by several.

use baton_model::node::{NodeKind, OnFailure};
use baton_model::{Edge, NodeId, Plan};

/// Replaces `node` in `base` by the nodes of `part`. The first ones get its parents, and its
/// children depend on the last ones. Returns `base` unchanged if it has no such node.
pub(super) fn splice(base: &Plan, node: NodeId, part: Plan) -> Plan {
    let mut plan = base.clone();
    let Some(place) = plan.nodes.iter().position(|other| other.id == node) else {
        return plan;
    };
    let old = plan.nodes.remove(place);
    let is_child = |id: NodeId| part.edges.iter().any(|edge| edge.child == id);
    let is_parent = |id: NodeId| part.edges.iter().any(|edge| edge.parent == id);
    let ids = || {
        part.nodes
            .iter()
            .filter(|node| node.is_executable())
            .map(|node| node.id)
    };
    let heads: Vec<NodeId> = ids().filter(|&id| !is_child(id)).collect();
    let tails: Vec<NodeId> = ids().filter(|&id| !is_parent(id)).collect();
    let (around, kept) = plan
        .edges
        .into_iter()
        .partition(|edge| edge.parent == node || edge.child == node);
    let around: Vec<Edge> = around;
    plan.edges = kept;
    for edge in around {
        let joined = if edge.child == node { &heads } else { &tails };
        plan.edges
            .extend(joined.iter().map(|&id| match edge.child == node {
                true => Edge { child: id, ..edge },
                false => Edge { parent: id, ..edge },
            }));
    }
    plan.edges.extend(part.edges);
    let mut nodes = part.nodes;
    if let Some(group) = plan
        .groups
        .iter_mut()
        .find(|group| group.nodes.contains(&node))
    {
        group.nodes.retain(|&other| other != node);
        group.nodes.extend(nodes.iter().map(|node| node.id));
    }
    for new in &mut nodes {
        if heads.contains(&new.id) {
            new.trigger_rule = new.trigger_rule.or(old.trigger_rule);
        }
        if tails.contains(&new.id) {
            new.on_success = new.on_success.or(old.on_success);
        }
        if new.on_failure == OnFailure::Abort {
            new.on_failure = old.on_failure;
        }
        new.position = None;
    }
    if let Some(first) = nodes.first_mut() {
        first.position = old.position;
    }
    plan.nodes.splice(place..place, nodes);
    if let Some(&head) = heads.first() {
        redirect(&mut plan, node, head);
    }
    plan
}

/// Redirects branches and jumps from `old` to `new`.
fn redirect(plan: &mut Plan, old: NodeId, new: NodeId) {
    let turn = |id: &mut Option<NodeId>| {
        if *id == Some(old) {
            *id = Some(new);
        }
    };
    for node in &mut plan.nodes {
        turn(&mut node.on_success);
        if node.on_failure == OnFailure::Node(old) {
            node.on_failure = OnFailure::Node(new);
        }
        if let NodeKind::Condition(task) = &mut node.kind {
            turn(&mut task.true_step);
            turn(&mut task.false_step);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use uuid::Uuid;

    use super::*;
    use crate::plan_fixture::{node_id, plan_of};
    use baton_model::{Color, Group, GroupId};

    #[test]
    fn parents_and_children_are_kept() {
        let mut base = plan_of(&["A", "B", "C", "D"], &[(0, 1), (1, 2), (1, 3)]);
        let id = GroupId(Uuid::from_u128(77));
        let nodes = vec![node_id(0), node_id(1)];
        base.groups = vec![Group {
            id,
            title: "G".to_owned(),
            color: Color::Gray,
            nodes,
        }];
        let mut part = plan_of(&["X", "Y", "Z"], &[(0, 2), (1, 2)]);
        let new = |number: u128| NodeId(Uuid::from_u128(900 + number));
        let names: HashMap<_, _> = (0..3)
            .map(|number| (node_id(number), new(number as u128)))
            .collect();
        part.rename_nodes(&names);
        for node in &mut part.nodes {
            node.slug = baton_model::Slug::from_title(&node.title);
        }
        let plan = splice(&base, node_id(1), part);
        assert!(plan.problems().is_empty(), "{:?}", plan.problems());
        let edges: Vec<(NodeId, NodeId)> = plan
            .edges
            .iter()
            .map(|edge| (edge.parent, edge.child))
            .collect();
        for edge in [
            (node_id(0), new(0)),
            (node_id(0), new(1)),
            (new(0), new(2)),
            (new(1), new(2)),
            (new(2), node_id(2)),
            (new(2), node_id(3)),
        ] {
            assert!(edges.contains(&edge), "{edge:?}");
        }
        assert_eq!(edges.len(), 6);
        assert_eq!(
            plan.groups[0].nodes,
            [node_id(0), new(0), new(1), new(2)],
            "they take its place"
        );
        assert_eq!(
            plan.nodes[1].id,
            new(0),
            "the new nodes are at the old position"
        );
    }
}
