//! A second import of a source: what has changed there is applied to the plan, and what a person
//! has changed in Baton stays.
//!
//! It is a merge with the last import as base, of which only fingerprints are kept. Where both
//! sides changed the same field, the person's value stays, and the source's is remembered beside
//! it.

mod edges;
mod field_merge;
mod groups;

use std::collections::{HashMap, HashSet};

use baton_model::{Edge, Node, NodeId, Plan, Slug};
use serde_json::{Value, json};

use super::source_field::{self, IMPORT, SourceField, digest_of_plan, remembered};
use super::warning::{ImportWarning, ImportWarningKind};
use field_merge::{Side, bases, is_edited, merge_node};

/// The result of a second import.
#[derive(Debug, Clone, PartialEq)]
pub struct Updated {
    /// The plan with the identity of the earlier one.
    pub plan: Plan,
    /// What could not be taken from both sides.
    pub warnings: Vec<ImportWarning>,
}

/// Applies a later import `new` of the same source to `old`.
///
/// Nodes are recognized by their ids in the source. A field that the source has not changed keeps a
/// person's edit. Nodes and edges that a person added stay, and nodes and edges that a person
/// removed stay away. A node that is no longer in the source is removed unless a person changed it.
#[must_use]
pub fn update(old: &Plan, new: Plan) -> Updated {
    let mut warnings = Vec::new();
    let before = ImportedIds::of(old);
    let names: HashMap<NodeId, NodeId> = new
        .nodes
        .iter()
        .filter_map(|node| Some((node.id, *before.by_id.get(source_id(node)?)?)))
        .collect();
    let mut new = new;
    new.rename_nodes(&names);
    new.nodes.iter_mut().for_each(source_field::refresh_node);
    let nodes = merge_nodes(old, &new, &before, &mut warnings);
    let edges = edges::merge(old, &new, &before, &nodes);
    let groups = groups::merge(old, &new, &nodes);
    let mut plan = Plan {
        nodes,
        edges,
        groups,
        ..old.clone()
    };
    merge_texts(old, &new, &mut plan, &mut warnings);
    if let Some(import) = new.metadata.get(IMPORT) {
        plan.metadata.insert(IMPORT.to_owned(), import.clone());
    }
    remove_missing_members(&mut plan);
    clear_dangling_references(&mut plan);
    plan.prune_groups();
    Updated { plan, warnings }
}

fn merge_nodes(
    old: &Plan,
    new: &Plan,
    before: &ImportedIds<'_>,
    warnings: &mut Vec<ImportWarning>,
) -> Vec<Node> {
    let (mut nodes, mut removed) = (Vec::with_capacity(new.nodes.len()), 0);
    for node in &new.nodes {
        match old.node(node.id) {
            Some(known) => nodes.push(merge_node(known, node, warnings)),
            None if source_id(node).is_some_and(|id| before.listed.contains(id)) => removed += 1,
            None => nodes.push(node.clone()),
        }
    }
    if removed > 0 {
        let kind = ImportWarningKind::StaysRemoved { count: removed };
        warnings.push(ImportWarning::of_plan(kind));
    }
    nodes.extend(own_nodes(old, new, warnings));
    with_unique_slugs(nodes)
}

/// The nodes that only the plan has and that stay: those of a person.
fn own_nodes(old: &Plan, new: &Plan, warnings: &mut Vec<ImportWarning>) -> Vec<Node> {
    let in_source: HashSet<NodeId> = new.nodes.iter().map(|node| node.id).collect();
    let (mut own, mut gone) = (Vec::new(), 0);
    for node in old
        .nodes
        .iter()
        .filter(|node| !in_source.contains(&node.id))
    {
        let was_imported = source_id(node).is_some();
        if was_imported && !is_edited(node) {
            gone += 1;
            continue;
        }
        let mut node = node.clone();
        if was_imported {
            // From now on it is the person's own.
            node.metadata.remove(IMPORT);
            let title = node.title.clone();
            let kind = ImportWarningKind::GoneButEdited { title };
            warnings.push(ImportWarning::of_plan(kind));
        }
        own.push(node);
    }
    if gone > 0 {
        let kind = ImportWarningKind::Gone { count: gone };
        warnings.push(ImportWarning::of_plan(kind));
    }
    own
}

/// The first node with a slug keeps it.
fn with_unique_slugs(mut nodes: Vec<Node>) -> Vec<Node> {
    let mut taken: HashSet<Slug> = HashSet::new();
    for node in &mut nodes {
        if !taken.insert(node.slug.clone()) {
            let numbered =
                (2..).map(|number| Slug::from_title(&format!("{} {number}", node.slug.as_str())));
            let free = numbered.take(1000).find(|slug| taken.insert(slug.clone()));
            node.slug = free.unwrap_or_else(|| node.slug.clone());
        }
    }
    nodes
}

fn source_id(node: &Node) -> Option<&str> {
    remembered(&node.metadata)?.get("id")?.as_str()
}

/// The nodes of a plan that come from its source.
struct ImportedIds<'p> {
    by_id: HashMap<&'p str, NodeId>,
    by_node: HashMap<NodeId, &'p str>,
    /// All ids of the last import, also of nodes that a person has removed since.
    listed: HashSet<&'p str>,
    /// The edges of the last import, by the ids of the source.
    edges: HashSet<(&'p str, &'p str)>,
}

impl<'p> ImportedIds<'p> {
    fn of(plan: &'p Plan) -> Self {
        let ids = || {
            plan.nodes
                .iter()
                .filter_map(|node| Some((source_id(node)?, node.id)))
        };
        let list = |key: &str| {
            let list = remembered(&plan.metadata).and_then(|import| import.get(key)?.as_array());
            list.into_iter().flatten()
        };
        let ends = |edge: &'p Value| {
            let end = |at: usize| edge.get(at)?.as_str();
            Some((end(0)?, end(1)?))
        };
        let edges: HashSet<_> = list("edges").filter_map(ends).collect();
        // An older Baton did not list the tasks, but the ends of edges are some of them.
        let in_edges = edges.iter().flat_map(|&(parent, child)| [parent, child]);
        let tasks = list("tasks").filter_map(Value::as_str);
        Self {
            by_id: ids().collect(),
            by_node: ids().map(|(id, node)| (node, id)).collect(),
            listed: tasks.chain(in_edges).collect(),
            edges,
        }
    }

    /// Whether the last import had this edge.
    fn had(&self, edge: &Edge) -> bool {
        let ends = self
            .by_node
            .get(&edge.parent)
            .zip(self.by_node.get(&edge.child));
        ends.is_some_and(|(parent, child)| self.edges.contains(&(parent, child)))
    }
}

/// The title and the goal.
fn merge_texts(old: &Plan, new: &Plan, plan: &mut Plan, warnings: &mut Vec<ImportWarning>) {
    let bases = bases(remembered(&old.metadata), 2, [old, new].map(digest_of_plan));
    let texts = |plan: &Plan| [json!(plan.title), json!(plan.description)];
    let mut clashing = Vec::new();
    let sides = bases.iter().zip(texts(old)).zip(texts(new));
    for (((base, ours), theirs), field) in sides.zip([SourceField::Title, SourceField::Description])
    {
        match (base.side(&ours, &theirs), field) {
            (Side::Theirs, SourceField::Title) => plan.title.clone_from(&new.title),
            (Side::Theirs, _) => plan.description.clone_from(&new.description),
            (Side::Clash, field) => clashing.push(field),
            (Side::Ours, _) => {}
        }
    }
    if !clashing.is_empty() {
        warnings.push(ImportWarning::of_plan(ImportWarningKind::ChangedTwice {
            title: old.title.clone(),
            fields: clashing,
        }));
    }
}

/// Members of groups that a person removed.
fn remove_missing_members(plan: &mut Plan) {
    let exists: HashSet<NodeId> = plan.nodes.iter().map(|node| node.id).collect();
    for group in &mut plan.groups {
        group.nodes.retain(|node| exists.contains(node));
    }
}

/// Branches and jumps to nodes that are gone.
fn clear_dangling_references(plan: &mut Plan) {
    let exists: HashSet<NodeId> = plan.nodes.iter().map(|node| node.id).collect();
    let named = plan.nodes.iter().flat_map(Node::successors_by_name);
    let gone: HashSet<NodeId> = named.filter(|node| !exists.contains(node)).collect();
    if !gone.is_empty() {
        plan.remove_nodes(&gone);
    }
}
