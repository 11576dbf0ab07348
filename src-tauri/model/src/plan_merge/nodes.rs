//! Merges the nodes of two plans, each as one unit.

use std::collections::HashSet;

use super::{MergeClash, Merged, Sides, merge_values};
use crate::node::{NodeKind, OnFailure};
use crate::{Edge, Node, NodeId, Plan, Slug};

/// The merged nodes, in no order that means anything.
pub(super) fn merge(sides: &Sides<'_>, clashes: &mut Vec<MergeClash>) -> Vec<Node> {
    let mut seen = HashSet::new();
    let all = [sides.base, sides.ours, sides.theirs].map(|plan| &plan.nodes);
    let ids: Vec<NodeId> = all
        .into_iter()
        .flatten()
        .map(|node| node.id)
        .filter(|id| seen.insert(*id))
        .collect();
    let merged = ids
        .into_iter()
        .filter_map(|id| merge_one(sides, id, clashes));
    with_unique_slugs(sides, merged.collect(), clashes)
}

fn merge_one(sides: &Sides<'_>, id: NodeId, clashes: &mut Vec<MergeClash>) -> Option<Node> {
    let find = |plan: &Plan| plan.node(id).cloned();
    match (find(sides.base), find(sides.ours), find(sides.theirs)) {
        (_, None, None) => None,
        (None, Some(node), None) | (None, None, Some(node)) => Some(node),
        (base, Some(ours), Some(theirs)) => Some(merge_both(base, ours, theirs, clashes)),
        (Some(base), Some(ours), None) => {
            let stays = is_other_work(&base, &ours) || uses(sides.base, sides.ours, id);
            stays.then(|| {
                clashes.push(MergeClash::RemovedByThem {
                    ours: Box::new(ours.clone()),
                });
                ours
            })
        }
        (Some(base), None, Some(theirs)) => {
            let stays = is_other_work(&base, &theirs) || uses(sides.base, sides.theirs, id);
            stays.then(|| {
                clashes.push(MergeClash::RemovedByUs {
                    theirs: Box::new(theirs.clone()),
                });
                theirs
            })
        }
    }
}

fn merge_both(base: Option<Node>, ours: Node, theirs: Node, clashes: &mut Vec<MergeClash>) -> Node {
    // Where a node is drawn is no part of its work; ours is where a person sees it.
    let place = |node: &Node| (node.position, node.keeps_place);
    let base_place = base.as_ref().map(place);
    let moved = match merge_values(&base_place, Some(place(&ours)), Some(place(&theirs))) {
        Merged::Value(Some(place)) => place,
        _ => place(&ours),
    };
    let at = |node: &Node| Node {
        position: moved.0,
        keeps_place: moved.1,
        ..node.clone()
    };
    let (base, here, there) = (base.as_ref().map(at), at(&ours), at(&theirs));
    match merge_values(&base.as_ref(), Some(&here), Some(&there)) {
        Merged::Value(Some(node)) => node.clone(),
        _ => {
            clashes.push(MergeClash::Node {
                ours: Box::new(here.clone()),
                theirs: Box::new(there),
            });
            here
        }
    }
}

fn is_other_work(one: &Node, other: &Node) -> bool {
    let bare = |node: &Node| Node {
        position: None,
        keeps_place: false,
        ..node.clone()
    };
    bare(one) != bare(other)
}

/// Whether `after` refers to the node where `base` doesn't: by a new edge, a jump or a branch.
fn uses(base: &Plan, after: &Plan, id: NodeId) -> bool {
    let touches = |edge: &&Edge| edge.parent == id || edge.child == id;
    let has_new_edge = after
        .edges
        .iter()
        .filter(touches)
        .any(|edge| !base.edges.contains(edge));
    let is_new = |node: &&Node| {
        base.node(node.id)
            .is_none_or(|old| is_other_work(old, node))
    };
    let mut changed = after.nodes.iter().filter(is_new);
    has_new_edge || changed.any(|node| refers_to(node, id))
}

fn refers_to(node: &Node, id: NodeId) -> bool {
    let branches = match &node.kind {
        NodeKind::Condition(task) => [task.true_step, task.false_step],
        _ => [None, None],
    };
    branches.contains(&Some(id))
        || node.on_success == Some(id)
        || node.on_failure == OnFailure::Node(id)
}

/// Gives a node of theirs another slug, if we have given its slug to another node.
fn with_unique_slugs(
    sides: &Sides<'_>,
    mut nodes: Vec<Node>,
    clashes: &mut Vec<MergeClash>,
) -> Vec<Node> {
    let mut taken: HashSet<Slug> = HashSet::new();
    let is_ours = |node: &Node| sides.ours.node(node.id).is_some();
    let (ours, theirs): (Vec<usize>, Vec<usize>) =
        (0..nodes.len()).partition(|&at| is_ours(&nodes[at]));
    for at in ours.into_iter().chain(theirs) {
        if taken.contains(&nodes[at].slug) {
            clashes.push(MergeClash::Slug {
                theirs: Box::new(nodes[at].clone()),
            });
            nodes[at].slug = free_slug(&nodes[at].slug, &taken);
        }
        taken.insert(nodes[at].slug.clone());
    }
    nodes
}

fn free_slug(wanted: &Slug, taken: &HashSet<Slug>) -> Slug {
    (2_u32..)
        .map(|number| Slug::from_title(&format!("{wanted} {number}")))
        .chain((2_u32..).map(|number| Slug::from_title(&format!("node {number}"))))
        .take(taken.len() * 2 + 2)
        .find(|slug| !taken.contains(slug))
        .unwrap_or_else(|| wanted.clone())
}
