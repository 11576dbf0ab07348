//! The order of merged nodes: that of the side that changed it, with added nodes where they were
//! added.

use std::collections::{HashMap, HashSet};

use super::{MergeClash, Merged, Sides, merge_values};
use crate::{Node, NodeId, Plan};

pub(super) fn merge(
    sides: &Sides<'_>,
    nodes: Vec<Node>,
    clashes: &mut Vec<MergeClash>,
) -> Vec<Node> {
    let all: HashSet<NodeId> = nodes.iter().map(|node| node.id).collect();
    let common: HashSet<NodeId> = [sides.base, sides.ours, sides.theirs]
        .into_iter()
        .map(|plan| plan.nodes.iter().map(|node| node.id).collect())
        .fold(all.clone(), |left, ids: HashSet<NodeId>| &left & &ids);
    let order = |plan: &Plan| -> Vec<NodeId> {
        let ids = plan.nodes.iter().map(|node| node.id);
        ids.filter(|id| common.contains(id)).collect()
    };
    let [base, ours, theirs] = [sides.base, sides.ours, sides.theirs].map(order);
    let kept = match merge_values(&base, ours.clone(), theirs) {
        Merged::Value(order) => order,
        Merged::Clash => {
            clashes.push(MergeClash::Order);
            ours
        }
    };
    let mut by_id: HashMap<NodeId, Node> = nodes.into_iter().map(|node| (node.id, node)).collect();
    let mut runs = Runs::new(sides, &all, &common);
    let mut sorted = runs.take(None, &by_id);
    for id in kept {
        sorted.push(id);
        sorted.extend(runs.take(Some(id), &by_id));
    }
    sorted
        .into_iter()
        .filter_map(|id| by_id.remove(&id))
        .collect()
}

/// The nodes that are not in all three plans, by the common node before them.
struct Runs {
    after: HashMap<Option<NodeId>, Vec<Vec<NodeId>>>,
}

impl Runs {
    fn new(sides: &Sides<'_>, all: &HashSet<NodeId>, common: &HashSet<NodeId>) -> Self {
        let mut after: HashMap<Option<NodeId>, Vec<Vec<NodeId>>> = HashMap::new();
        let mut seen = HashSet::new();
        for plan in [sides.base, sides.ours, sides.theirs] {
            let mut anchor = None;
            let mut run = Vec::new();
            for id in plan.nodes.iter().map(|node| node.id) {
                if common.contains(&id) {
                    after
                        .entry(anchor)
                        .or_default()
                        .push(std::mem::take(&mut run));
                    anchor = Some(id);
                } else if all.contains(&id) && seen.insert(id) {
                    run.push(id);
                }
            }
            after.entry(anchor).or_default().push(run);
        }
        Self { after }
    }

    /// The runs after `anchor`. Which side is whose doesn't matter: they are ordered by the slugs
    /// of their first nodes.
    fn take(&mut self, anchor: Option<NodeId>, nodes: &HashMap<NodeId, Node>) -> Vec<NodeId> {
        let mut runs = self.after.remove(&anchor).unwrap_or_default();
        runs.retain(|run| !run.is_empty());
        let key = |run: &Vec<NodeId>| {
            let first = run.first().and_then(|id| nodes.get(id));
            first.map(|node| (node.slug.clone(), node.id))
        };
        runs.sort_by_key(key);
        runs.concat()
    }
}
