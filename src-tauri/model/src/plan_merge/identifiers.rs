//! Gives the nodes and groups of a file, which have new identifiers, those that they had.

use std::collections::{HashMap, HashSet};

use crate::{Group, GroupId, NodeId, Plan, Slug};

/// `file` with the identifiers of `base` for nodes with the same slug, and for groups with the same
/// title. Nodes and groups that `base` doesn't have get those of `ours`, if it has them; others
/// keep their own. A node with another slug than before is another node.
#[must_use]
pub fn adopt_identifiers(file: &Plan, base: &Plan, ours: &Plan) -> Plan {
    let mut plan = file.clone();
    plan.id = base.id;
    let in_base = nodes_by_slug(base);
    let known: HashSet<NodeId> = base.nodes.iter().map(|node| node.id).collect();
    let mut new = nodes_by_slug(ours);
    new.retain(|_, id| !known.contains(id));
    let old = |slug: &Slug| in_base.get(slug).or_else(|| new.get(slug)).copied();
    let names = plan
        .nodes
        .iter()
        .filter_map(|node| Some((node.id, old(&node.slug)?)));
    let names = names.collect();
    plan.rename_nodes(&names);
    adopt_groups(&mut plan, base, ours);
    plan
}

fn nodes_by_slug(plan: &Plan) -> HashMap<&Slug, NodeId> {
    plan.nodes
        .iter()
        .map(|node| (&node.slug, node.id))
        .collect()
}

/// Groups may share a title; each identifier is given once.
fn adopt_groups(plan: &mut Plan, base: &Plan, ours: &Plan) {
    let mut free: Vec<&Group> = base.groups.iter().chain(&ours.groups).collect();
    let mut given: HashSet<GroupId> = HashSet::new();
    for group in &mut plan.groups {
        free.retain(|other| !given.contains(&other.id));
        if let Some(old) = free.iter().find(|other| other.title == group.title) {
            group.id = old.id;
            given.insert(old.id);
        }
    }
}
