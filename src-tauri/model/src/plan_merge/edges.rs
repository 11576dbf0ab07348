//! Merges the edges of two plans. An edge of theirs that would close a cycle clashes.

use std::collections::{HashMap, HashSet};

use super::{MergeClash, Merged, Sides, merge_values};
use crate::{Edge, NodeId, Plan};

/// Parent and child.
type Ends = (NodeId, NodeId);

/// Puts the merged edges into `plan`, which has its nodes already.
pub(super) fn merge(sides: &Sides<'_>, plan: &mut Plan, clashes: &mut Vec<MergeClash>) {
    let [base, ours, theirs] = [sides.base, sides.ours, sides.theirs].map(by_ends);
    let nodes = node_ids(plan);
    let [in_ours, in_theirs] = [sides.ours, sides.theirs].map(node_ids);
    // A node that stays although one side removed it keeps the edges of the other.
    let removed = |there: &HashSet<NodeId>, (parent, child): Ends| {
        !there.contains(&parent) || !there.contains(&child)
    };
    let mut taken = Vec::new();
    for ends in all_ends(sides) {
        if !nodes.contains(&ends.0) || !nodes.contains(&ends.1) {
            continue;
        }
        let [base, ours, theirs] = [&base, &ours, &theirs].map(|edges| edges.get(&ends).copied());
        match merge_values(&base, ours, theirs) {
            _ if removed(&in_theirs, ends) => taken.extend(ours),
            _ if removed(&in_ours, ends) => taken.extend(theirs),
            Merged::Value(edge) => taken.extend(edge),
            Merged::Clash => {
                clashes.push(MergeClash::Edge { ours, theirs });
                taken.extend(ours);
            }
        }
    }
    plan.edges = taken;
    sort_added(sides, plan);
    if plan.graph().is_err() {
        leave_out_theirs(&ours, plan, clashes);
    }
}

fn node_ids(plan: &Plan) -> HashSet<NodeId> {
    plan.nodes.iter().map(|node| node.id).collect()
}

fn by_ends(plan: &Plan) -> HashMap<Ends, Edge> {
    let edges = plan.edges.iter();
    edges
        .map(|edge| ((edge.parent, edge.child), *edge))
        .collect()
}

/// The ends of all edges, those of the base first and in its order.
fn all_ends(sides: &Sides<'_>) -> Vec<Ends> {
    let mut seen = HashSet::new();
    [sides.base, sides.ours, sides.theirs]
        .into_iter()
        .flat_map(|plan| &plan.edges)
        .map(|edge| (edge.parent, edge.child))
        .filter(|ends| seen.insert(*ends))
        .collect()
}

/// Sorts edges that the base doesn't have by their nodes, so that it doesn't matter whose they are.
fn sort_added(sides: &Sides<'_>, plan: &mut Plan) {
    let old: HashMap<Ends, usize> = sides
        .base
        .edges
        .iter()
        .zip(0..)
        .map(|(edge, at)| ((edge.parent, edge.child), at))
        .collect();
    let position: HashMap<NodeId, usize> = plan
        .nodes
        .iter()
        .zip(0..)
        .map(|(node, at)| (node.id, at))
        .collect();
    plan.edges.sort_by_key(|edge| {
        let ends = (edge.parent, edge.child);
        let known = old.get(&ends).copied().unwrap_or(usize::MAX);
        (known, position.get(&edge.child), position.get(&edge.parent))
    });
}

/// Leaves out what they did to edges. Those that are left are ours, which have no cycle.
fn leave_out_theirs(ours: &HashMap<Ends, Edge>, plan: &mut Plan, clashes: &mut Vec<MergeClash>) {
    plan.edges.retain_mut(|edge| {
        let own = ours.get(&(edge.parent, edge.child)).copied();
        if own != Some(*edge) {
            clashes.push(MergeClash::Edge {
                ours: own,
                theirs: Some(*edge),
            });
        }
        *edge = own.unwrap_or(*edge);
        own.is_some()
    });
}
