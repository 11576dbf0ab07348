//! Changes one node, or the settings, of a stored plan, described by the keys of a plan file.
//!
//! The change is made in the plan's file, which is then read again: it may use every key and every
//! spelling of a plan file, and has the same faults. Of the file that was read, only what was to
//! change is taken over, so that everything else stays as it is stored.

mod step_order;

use std::collections::HashMap;

use serde_json::{Map, Value};
use uuid::Uuid;

use super::fault::{Fault, FaultKind};
use super::keys::{COMMON_NODE_KEYS, NODE_ALIASES, PLAN_ALIASES};
use super::own_pilot_order::unique_slug;
use super::tree::SourceLocation;
use super::{Format, PlanFileError, read_draft, write};
pub use step_order::place_step;

use baton_model::{Edge, Node, NodeId, Plan, Slug};

/// Keys and their values, as in a plan file. `null` stands for the default.
pub type Keys = Map<String, Value>;

/// The name of the file in errors. There is none, so callers show the faults without it.
const FILE: &str = "plan.json";
/// What the operations of nodes change, or what only a file has.
const NOT_SETTINGS: [&str; 4] = ["baton", "nodes", "groups", "plans"];
/// Not the plan's retries here, unlike in a file of OwnPilot.
const RETRIES: &str = "maxRetries";

/// A plan with one more node.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct AddedNode {
    pub plan: Plan,
    pub node: NodeId,
}

/// Adds a node at `place` in the order of the list, or at its end. Without `id`, it gets one that
/// is derived from its title.
///
/// # Errors
///
/// The faults of the node, and those that it causes elsewhere, such as a cycle.
pub fn add_node(
    plan: &Plan,
    keys: &Keys,
    place: Option<usize>,
    ids: &mut dyn FnMut() -> Uuid,
) -> Result<AddedNode, PlanFileError> {
    let mut entry = Map::new();
    merge(&mut entry, keys, NODE_ALIASES);
    read_id(&mut entry)?;
    if !entry.contains_key("id") {
        let title = entry.get("title").and_then(Value::as_str);
        let taken = plan.nodes.iter().map(|node| node.slug.to_string());
        let slug = unique_slug(title.unwrap_or_default(), &taken.collect());
        entry.insert("id".to_owned(), slug.as_str().into());
    }
    let slug = entry["id"].clone();
    refuse_taken(plan, None, &slug)?;
    let (file, mut nodes) = document(plan);
    let place = place.unwrap_or(nodes.len()).min(nodes.len());
    nodes.insert(place, entry.into());
    let fresh = read_again(plan, file, nodes, ids)?;
    let added = fresh
        .nodes
        .iter()
        .find(|node| slug == *node.slug.as_str())
        .cloned();
    // A node that became the body of a loop is not a node of its own.
    let added = added.ok_or_else(|| refusal(FaultKind::NotSeparate))?;
    let mut changed = plan.clone();
    let node = added.id;
    changed.nodes.insert(place, added);
    changed.edges.extend(edges_into(&fresh, node));
    Ok(AddedNode {
        plan: changed,
        node,
    })
}

/// Changes the given keys of a node. With another kind, keys that only the former kind has are
/// dropped. `None` if the plan has no such node.
///
/// # Errors
///
/// The faults of the changed node, and those that the change causes elsewhere, such as a reference
/// to its former ID.
pub fn change_node(
    plan: &Plan,
    node: NodeId,
    keys: &Keys,
    ids: &mut dyn FnMut() -> Uuid,
) -> Result<Option<Plan>, PlanFileError> {
    let Some(place) = plan.nodes.iter().position(|other| other.id == node) else {
        return Ok(None);
    };
    let mut changes = Map::new();
    merge_all(&mut changes, keys, NODE_ALIASES);
    read_id(&mut changes)?;
    let mut renamed = plan.clone();
    // Edges and jumps follow the node, whatever it is called.
    if let Some(Value::String(slug)) = changes.get("id") {
        let slug = Slug::new(slug).map_err(|invalid| refusal(invalid.into()))?;
        refuse_taken(plan, Some(node), &slug.as_str().into())?;
        renamed.nodes[place].slug = slug;
    }
    let (file, mut nodes) = document(&renamed);
    if let Some(Value::Object(entry)) = nodes.get_mut(place) {
        if changes.contains_key("kind") && kind_of(&changes) != kind_of(entry) {
            entry.retain(|key, _| COMMON_NODE_KEYS.contains(&key.as_str()));
        }
        merge(entry, &changes, NODE_ALIASES);
    }
    let fresh = read_again(&renamed, file, nodes, ids)?;
    let changed = fresh.node(node).cloned();
    let changed = changed.ok_or_else(|| refusal(FaultKind::NotSeparate))?;
    if changes.contains_key("dependsOn") {
        renamed.edges.retain(|edge| edge.child != node);
        renamed.edges.extend(edges_into(&fresh, node));
    }
    renamed.nodes[place] = changed;
    Ok(Some(renamed))
}

/// Changes the given keys of the plan itself, but not its nodes and groups.
///
/// # Errors
///
/// The faults of the changed settings.
pub fn change_settings(
    plan: &Plan,
    keys: &Keys,
    ids: &mut dyn FnMut() -> Uuid,
) -> Result<Plan, PlanFileError> {
    let mut changes = Map::new();
    let (own, retries): (Keys, Keys) = keys
        .clone()
        .into_iter()
        .partition(|(key, _)| key != RETRIES);
    merge_all(&mut changes, &own, PLAN_ALIASES);
    changes.extend(retries);
    // A file may have both, which are then joined.
    if let Some(goal) = changes.remove("goal") {
        changes.insert("description".to_owned(), goal);
    }
    if changes.get("title").is_some_and(Value::is_null) {
        return Err(refusal(FaultKind::NoTitle));
    }
    if let Some(key) = NOT_SETTINGS.iter().find(|key| changes.contains_key(**key)) {
        return Err(refusal(FaultKind::NotSetting { key }));
    }
    let (mut file, nodes) = document(plan);
    merge(&mut file, &changes, &[]);
    let fresh = read_again(plan, file, nodes, ids)?;
    Ok(Plan {
        id: plan.id,
        nodes: plan.nodes.clone(),
        edges: plan.edges.clone(),
        groups: plan.groups.clone(),
        ..fresh
    })
}

/// The file of `plan`: its settings, and its nodes in their order.
fn document(plan: &Plan) -> (Keys, Vec<Value>) {
    let mut file: Keys = serde_json::from_str(&write(plan, Format::Json)).unwrap_or_default();
    let nodes = match file.remove("nodes") {
        Some(Value::Array(nodes)) => nodes,
        _ => Vec::new(),
    };
    (file, nodes)
}

/// Reads the changed file of `plan`. Nodes that it had keep their identifiers.
fn read_again(
    plan: &Plan,
    mut file: Keys,
    nodes: Vec<Value>,
    ids: &mut dyn FnMut() -> Uuid,
) -> Result<Plan, PlanFileError> {
    let count = nodes.len();
    file.insert("nodes".to_owned(), nodes.into());
    let text = Value::Object(file).to_string();
    let mut fresh = read_draft(&text, Format::Json, FILE, ids)?.plan;
    refuse_inlined(count, &fresh)?;
    let known: HashMap<&str, NodeId> = plan
        .nodes
        .iter()
        .map(|node| (node.slug.as_str(), node.id))
        .collect();
    let old = |node: &Node| Some((node.id, *known.get(node.slug.as_str())?));
    let names = fresh.nodes.iter().filter_map(old).collect();
    fresh.rename_nodes(&names);
    Ok(fresh)
}

/// The kind that the keys mean. A node without one is an agent's.
fn kind_of(keys: &Keys) -> &str {
    match keys.get("kind") {
        None | Some(Value::Null) => "agent",
        Some(Value::String(kind)) => kind,
        // A fault that reading the node reports.
        Some(_) => "",
    }
}

/// Makes an ID text, as a file may write a number.
fn read_id(keys: &mut Keys) -> Result<(), PlanFileError> {
    match keys.get_mut("id") {
        Some(Value::Null) => Err(refusal(FaultKind::NoId)),
        Some(id @ Value::Number(_)) => {
            *id = id.to_string().into();
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Refuses a loop that takes another node as its body, which would stay a node of its own.
fn refuse_inlined(file: usize, fresh: &Plan) -> Result<(), PlanFileError> {
    match fresh.nodes.len() < file {
        true => Err(refusal(FaultKind::NotSeparate)),
        false => Ok(()),
    }
}

/// Refuses an ID that another node than `own` has.
fn refuse_taken(plan: &Plan, own: Option<NodeId>, slug: &Value) -> Result<(), PlanFileError> {
    let mut others = plan.nodes.iter().filter(|node| Some(node.id) != own);
    match others.find(|node| *slug == *node.slug.as_str()) {
        None => Ok(()),
        Some(other) => Err(refusal(FaultKind::TakenId {
            id: other.slug.to_string(),
            title: other.title.clone(),
        })),
    }
}

fn edges_into(plan: &Plan, node: NodeId) -> impl Iterator<Item = Edge> {
    plan.edges
        .iter()
        .copied()
        .filter(move |edge| edge.child == node)
}

/// The keys of a node under their canonical names.
fn canonical_keys(keys: &Keys) -> Keys {
    let mut own = Map::new();
    merge_all(&mut own, keys, NODE_ALIASES);
    own
}

/// Puts `changes` into `entry`, under canonical keys. `null` removes a key.
fn merge(entry: &mut Keys, changes: &Keys, aliases: &[(&str, &'static str)]) {
    merge_all(entry, changes, aliases);
    entry.retain(|_, value| !value.is_null());
}

fn merge_all(entry: &mut Keys, changes: &Keys, aliases: &[(&str, &'static str)]) {
    for (key, value) in changes {
        match value {
            // OwnPilot puts the keys of the kind into a mapping.
            Value::Object(config) if key == "config" => merge_all(entry, config, aliases),
            _ => {
                let own = aliases.iter().find(|(other, _)| other == key);
                let key = own.map_or(key.as_str(), |(_, own)| own);
                entry.insert(key.to_owned(), value.clone());
            }
        }
    }
}

fn refusal(kind: FaultKind) -> PlanFileError {
    let at = SourceLocation::START;
    PlanFileError {
        file: FILE.to_owned(),
        faults: vec![Fault { at, kind }],
    }
}

#[cfg(test)]
mod tests;
