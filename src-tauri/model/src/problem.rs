//! What keeps a plan from being saved, each with its place, so that the window can point at it.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::plan::TITLE_LENGTH_LIMIT;
use crate::{Node, NodeId, Plan};

/// One fault in a plan's content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(tag = "problem", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Problem {
    /// Nodes wait for one another.
    #[error("these nodes depend on each other: {}", .titles.join(" → "))]
    Cycle {
        /// The nodes in order; the first is repeated at the end.
        path: Vec<NodeId>,
        /// Their titles, likewise.
        titles: Vec<String>,
    },
    /// An edge names a node that is not in the plan, or a note.
    #[error("an edge of '{title}' leads to a node that is not there")]
    DanglingEdge {
        /// The end that exists, if one does.
        node: Option<NodeId>,
        /// Its title.
        title: String,
    },
    /// The same edge stands there twice.
    #[error("'{child}' depends on '{parent}' twice")]
    DuplicateEdge {
        /// The parent's title.
        parent: String,
        /// The child's title.
        child: String,
    },
    /// Two nodes have one id or one slug.
    #[error("two nodes are called '{slug}'")]
    DuplicateNode {
        /// The name they share.
        slug: String,
    },
    /// A title is too long or empty.
    #[error("the title of {of} must have 1 to 500 characters, not {length}")]
    TitleLength {
        /// "the plan" or the node's slug.
        of: String,
        /// How many characters it has.
        length: usize,
    },
    /// A number outside its range.
    #[error("{field} of {of} must be {least} to {most}, not {found}")]
    OutOfRange {
        /// The field.
        field: String,
        /// "the plan" or the node's slug.
        of: String,
        /// The least allowed.
        least: u32,
        /// The most allowed.
        most: u32,
        /// What stands there.
        found: u32,
    },
}

/// Everything wrong with `plan`, cycles last.
pub(crate) fn find(plan: &Plan) -> Vec<Problem> {
    let mut problems = Vec::new();
    check_title("the plan", &plan.title, &mut problems);
    check_range("concurrency", "the plan", plan.settings.concurrency, 1, 1000, &mut problems);
    check_range("priority", "the plan", plan.settings.priority.into(), 1, 10, &mut problems);
    if let Some(complexity) = plan.settings.complexity {
        check_range("complexity", "the plan", complexity.into(), 1, 10, &mut problems);
    }
    check_nodes(plan, &mut problems);
    check_edges(plan, &mut problems);
    if let Err(cycle) = plan.graph() {
        problems.push(Problem::Cycle { path: cycle.path, titles: cycle.titles });
    }
    problems
}

fn check_title(of: &str, title: &str, problems: &mut Vec<Problem>) {
    let length = title.chars().count();
    if title.trim().is_empty() || length > TITLE_LENGTH_LIMIT {
        problems.push(Problem::TitleLength { of: of.to_owned(), length });
    }
}

fn check_range(field: &str, of: &str, found: u32, least: u32, most: u32, problems: &mut Vec<Problem>) {
    if !(least..=most).contains(&found) {
        problems.push(Problem::OutOfRange { field: field.to_owned(), of: of.to_owned(), least, most, found });
    }
}

fn check_nodes(plan: &Plan, problems: &mut Vec<Problem>) {
    let (mut ids, mut slugs) = (HashSet::new(), HashSet::new());
    for node in &plan.nodes {
        if !ids.insert(node.id) || !slugs.insert(&node.slug) {
            problems.push(Problem::DuplicateNode { slug: node.slug.to_string() });
        }
        check_title(node.slug.as_str(), &node.title, problems);
        check_range("priority", node.slug.as_str(), node.priority.into(), 1, 10, problems);
        check_range("maxRetries", node.slug.as_str(), node.max_retries, 0, 100, problems);
    }
}

fn check_edges(plan: &Plan, problems: &mut Vec<Problem>) {
    let nodes: HashMap<NodeId, &Node> =
        plan.nodes.iter().filter(|node| node.is_executable()).map(|node| (node.id, node)).collect();
    let mut seen = HashSet::new();
    for edge in &plan.edges {
        match (nodes.get(&edge.parent), nodes.get(&edge.child)) {
            (Some(parent), Some(child)) if !seen.insert((edge.parent, edge.child)) => {
                problems.push(Problem::DuplicateEdge { parent: parent.title.clone(), child: child.title.clone() });
            }
            (Some(_), Some(_)) => {}
            (parent, child) => {
                let known = parent.or(child);
                problems.push(Problem::DanglingEdge {
                    node: known.map(|node| node.id),
                    title: known.map_or_else(String::new, |node| node.title.clone()),
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Edge;
    use crate::plan_fixture::{node_id, plan_of};

    fn sentences(plan: &Plan) -> Vec<String> {
        plan.problems().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_sound_plan_has_none() {
        assert!(plan_of(&["A", "B"], &[(0, 1)]).problems().is_empty());
        assert!(plan_of(&[], &[]).problems().is_empty(), "an empty plan can be saved, just not run");
    }

    #[test]
    fn each_fault_is_a_sentence_that_names_its_place() {
        let mut plan = plan_of(&["A", "B", " "], &[(0, 1), (0, 1), (1, 0)]);
        plan.edges.push(Edge { parent: node_id(0), child: node_id(77), soft: false });
        plan.nodes[1].slug = plan.nodes[0].slug.clone();
        plan.nodes[1].priority = 11;
        plan.settings.concurrency = 0;
        insta::assert_snapshot!(sentences(&plan).join("\n"));
    }
}
