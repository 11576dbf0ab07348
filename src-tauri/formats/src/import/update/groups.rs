//! The groups after an update.

use std::collections::HashSet;

use baton_model::{Group, Node, NodeId, Plan};
use serde_json::Value;

use super::source_id;
use crate::import::source_field::remembered;

/// The groups of the source with their earlier identity and color, and a person's own ones. A title
/// that a person changed stays, and a group that a person dissolved is not made again.
pub(super) fn merge(old: &Plan, new: &Plan, nodes: &[Node]) -> Vec<Group> {
    let before = titles_at_last_import(old);
    let mut known: Vec<&Group> = old.groups.iter().collect();
    let mut groups = Vec::new();
    for group in &new.groups {
        let mut group = group.clone();
        let was_there = before.contains(&group.title.as_str());
        let place = position(&known, &group, was_there, &before);
        match place.map(|place| known.remove(place)) {
            Some(known) => {
                group.id = known.id;
                group.color = known.color;
                if was_there {
                    group.title.clone_from(&known.title);
                }
                groups.push(group);
            }
            None if was_there => {}
            None => groups.push(group),
        }
    }
    groups.extend(own_parts(&known, nodes));
    groups
}

/// The group with the same title, or the one that a person gave another title.
fn position(known: &[&Group], group: &Group, was_there: bool, before: &[&str]) -> Option<usize> {
    let has_title = |known: &&Group| known.title == group.title;
    let is_renamed = |known: &&Group| {
        let shares = known.nodes.iter().any(|node| group.nodes.contains(node));
        was_there && shares && !before.contains(&known.title.as_str())
    };
    known
        .iter()
        .position(has_title)
        .or_else(|| known.iter().position(is_renamed))
}

/// The titles of the last import; empty if an older Baton imported it.
fn titles_at_last_import(plan: &Plan) -> Vec<&str> {
    let titles = remembered(&plan.metadata).and_then(|import| import.get("groups")?.as_array());
    let titles = titles.into_iter().flatten();
    titles.filter_map(Value::as_str).collect()
}

/// What is left of groups that the source doesn't have: the nodes that a person added.
fn own_parts(known: &[&Group], nodes: &[Node]) -> Vec<Group> {
    let is_own = |node: &&Node| source_id(node).is_none();
    let own: HashSet<NodeId> = nodes.iter().filter(is_own).map(|node| node.id).collect();
    let parts = known.iter().map(|known| {
        let mut left = (*known).clone();
        left.nodes.retain(|node| own.contains(node));
        left
    });
    parts.filter(|left| !left.nodes.is_empty()).collect()
}
