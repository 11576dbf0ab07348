//! The edges after an update.

use std::collections::{HashMap, HashSet};

use baton_model::{Edge, Node, NodeId, Plan};

use super::ImportedIds;

/// Edges that a person added stay, and edges that a person removed or confirmed stay so.
pub(super) fn merge(old: &Plan, new: &Plan, before: &ImportedIds<'_>, nodes: &[Node]) -> Vec<Edge> {
    let exists: HashSet<NodeId> = nodes.iter().map(|node| node.id).collect();
    let has_ends = |edge: &&Edge| exists.contains(&edge.parent) && exists.contains(&edge.child);
    let known: HashMap<(NodeId, NodeId), &Edge> = old
        .edges
        .iter()
        .map(|edge| ((edge.parent, edge.child), edge))
        .collect();
    let mut edges = Vec::new();
    for edge in new.edges.iter().filter(has_ends) {
        match known.get(&(edge.parent, edge.child)) {
            // What a person has confirmed stays confirmed.
            Some(known) => edges.push(Edge {
                inferred: edge.inferred && known.inferred,
                ..*edge
            }),
            None if before.had(edge) => {}
            None => edges.push(*edge),
        }
    }
    let listed: HashSet<(NodeId, NodeId)> =
        edges.iter().map(|edge| (edge.parent, edge.child)).collect();
    let in_source: HashSet<NodeId> = new.nodes.iter().map(|node| node.id).collect();
    let stays = |edge: &&Edge| {
        let is_source = in_source.contains(&edge.parent) && in_source.contains(&edge.child);
        let comes_from_source = is_source && before.had(edge);
        !comes_from_source && !listed.contains(&(edge.parent, edge.child))
    };
    edges.extend(old.edges.iter().filter(has_ends).filter(stays));
    edges
}
