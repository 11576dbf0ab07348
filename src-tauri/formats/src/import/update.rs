//! A second import of a source: what has changed there is applied to the plan, and what a person
//! has changed in Baton stays.

use std::collections::{HashMap, HashSet};

use baton_model::{Edge, Node, NodeId, NodeKind, Plan};
use serde_json::Value;

use super::content_digest::{self, IMPORT, remembered};
use super::warning::{ImportWarning, ImportWarningKind};

/// The result of a second import.
#[derive(Debug, Clone, PartialEq)]
pub struct Updated {
    /// The plan with the identity of the earlier one.
    pub plan: Plan,
    /// What could not be kept from both sides.
    pub warnings: Vec<ImportWarning>,
}

/// Applies a later import `new` of the same source to `old`.
///
/// Nodes are recognized by their ids in the source. A node whose source has not changed keeps all
/// edits. Otherwise its texts are those of the source, and its other settings stay. Nodes and edges
/// that a person added stay, and edges that a person removed or confirmed stay so.
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
    let after = ImportedIds::of(&new);
    let mut taken: HashSet<_> = HashSet::new();
    let mut nodes: Vec<Node> = Vec::with_capacity(new.nodes.len());
    for node in &new.nodes {
        let merged = match old.node(node.id) {
            Some(known) => merge_node(known, node, &mut warnings),
            None => node.clone(),
        };
        taken.insert(merged.slug.clone());
        nodes.push(merged);
    }
    let is_own = |node: &&Node| source_id(node).is_none();
    for own in old.nodes.iter().filter(is_own) {
        let mut own = own.clone();
        if !taken.insert(own.slug.clone()) {
            let free = (2..).map(|number| {
                baton_model::Slug::from_title(&format!("{} {number}", own.slug.as_str()))
            });
            own.slug = free
                .into_iter()
                .find(|slug| taken.insert(slug.clone()))
                .unwrap_or(own.slug);
        }
        nodes.push(own);
    }
    let gone = old
        .nodes
        .iter()
        .filter(|node| source_id(node).is_some_and(|id| !after.by_id.contains_key(id)))
        .count();
    if gone > 0 {
        warnings.push(ImportWarning::of_plan(ImportWarningKind::Gone {
            count: gone,
        }));
    }
    let edges = merge_edges(old, &new, &before, &nodes);
    let groups = merge_groups(old, &new, &nodes);
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
    clear_dangling_references(&mut plan);
    plan.prune_groups();
    Updated { plan, warnings }
}

fn source_id(node: &Node) -> Option<&str> {
    remembered(&node.metadata)?.get("id")?.as_str()
}

/// The nodes of a plan that come from its source.
struct ImportedIds<'p> {
    by_id: HashMap<&'p str, NodeId>,
    by_node: HashMap<NodeId, &'p str>,
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
        let edges = remembered(&plan.metadata).and_then(|import| import.get("edges")?.as_array());
        let ends = |edge: &'p Value| {
            let end = |at: usize| edge.get(at)?.as_str();
            Some((end(0)?, end(1)?))
        };
        Self {
            by_id: ids().collect(),
            by_node: ids().map(|(id, node)| (node, id)).collect(),
            edges: edges.into_iter().flatten().filter_map(ends).collect(),
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

fn merge_node(old: &Node, new: &Node, warnings: &mut Vec<ImportWarning>) -> Node {
    let digest = |node: &Node| {
        let digest = remembered(&node.metadata).and_then(|import| import.get("digest")?.as_str());
        digest.map(str::to_owned)
    };
    let (was, is) = (digest(old), digest(new));
    let mut merged = Node {
        id: old.id,
        slug: old.slug.clone(),
        ..old.clone()
    };
    if was != is {
        if was.is_some_and(|was| was != content_digest::of_node(old)) {
            let title = format!("'{}'", new.title);
            let kind = ImportWarningKind::ChangedTwice { title };
            warnings.push(ImportWarning::of_plan(kind));
        }
        take_texts(&mut merged, new);
    }
    if let Some(import) = new.metadata.get(IMPORT) {
        merged.metadata.insert(IMPORT.to_owned(), import.clone());
    }
    merged
}

/// The fields that come from the source.
fn take_texts(node: &mut Node, new: &Node) {
    node.title.clone_from(&new.title);
    node.description.clone_from(&new.description);
    match (&mut node.kind, &new.kind) {
        (NodeKind::Agent(task), NodeKind::Agent(from)) => task.prompt.clone_from(&from.prompt),
        (kind, from) => *kind = from.clone(),
    }
    node.instructions.clone_from(&new.instructions);
    node.acceptance_criteria
        .clone_from(&new.acceptance_criteria);
    node.trigger_rule = new.trigger_rule;
    node.suggested_agent.clone_from(&new.suggested_agent);
    node.priority = new.priority;
    node.disabled = new.disabled;
}

fn merge_edges(old: &Plan, new: &Plan, before: &ImportedIds<'_>, nodes: &[Node]) -> Vec<Edge> {
    let known: HashMap<(NodeId, NodeId), &Edge> = old
        .edges
        .iter()
        .map(|edge| ((edge.parent, edge.child), edge))
        .collect();
    let mut edges = Vec::new();
    for edge in &new.edges {
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
    let exists: HashSet<NodeId> = nodes.iter().map(|node| node.id).collect();
    let listed: HashSet<(NodeId, NodeId)> =
        edges.iter().map(|edge| (edge.parent, edge.child)).collect();
    let added = old.edges.iter().filter(|edge| {
        !before.had(edge)
            && !listed.contains(&(edge.parent, edge.child))
            && exists.contains(&edge.parent)
            && exists.contains(&edge.child)
    });
    edges.extend(added);
    edges
}

/// The groups of the source with their earlier identity and color, and a person's own ones.
fn merge_groups(old: &Plan, new: &Plan, nodes: &[Node]) -> Vec<baton_model::Group> {
    let mut known: Vec<_> = old.groups.iter().collect();
    let mut groups = new.groups.clone();
    for group in &mut groups {
        if let Some(place) = known.iter().position(|known| known.title == group.title) {
            let known = known.remove(place);
            group.id = known.id;
            group.color = known.color;
        }
    }
    let own: HashSet<NodeId> = nodes
        .iter()
        .filter(|node| source_id(node).is_none())
        .map(|node| node.id)
        .collect();
    for known in known {
        let mut left = known.clone();
        left.nodes.retain(|node| own.contains(node));
        if !left.nodes.is_empty() {
            groups.push(left);
        }
    }
    groups
}

/// The title and the goal: the source's if it has changed, else the person's.
fn merge_texts(old: &Plan, new: &Plan, plan: &mut Plan, warnings: &mut Vec<ImportWarning>) {
    let digest = |plan: &Plan| {
        let digest = remembered(&plan.metadata).and_then(|import| import.get("digest")?.as_str());
        digest.map(str::to_owned)
    };
    let was = digest(old);
    if was == digest(new) {
        return;
    }
    if was.is_some_and(|was| was != content_digest::of_plan(old)) {
        let title = "the title or goal".to_owned();
        let kind = ImportWarningKind::ChangedTwice { title };
        warnings.push(ImportWarning::of_plan(kind));
    }
    plan.title.clone_from(&new.title);
    plan.description.clone_from(&new.description);
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
