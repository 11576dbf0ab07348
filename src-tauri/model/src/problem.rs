//! The problems that prevent a plan from running, each with its location for the window. All but
//! those of an unfinished node prevent it from being saved too.
//!
//! Whether tools, agents and other plans exist is not checked here: that depends on the machine and
//! is part of the pre-flight check.

mod group_check;
mod node_check;
mod node_fault;
mod value_check;

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::graph::Cycle;
use crate::node::{Budget, LoopTask, NodeKind, Note, NoteSize};
use crate::plan::TITLE_LENGTH_LIMIT;
use crate::{GroupId, Node, NodeId, Plan};
pub use group_check::GroupFault;
use node_check::{FieldFault, NodeCheck};
pub use node_fault::{Jump, NodeFault, NodeField};
pub use value_check::unsafe_values;

/// The maximum number of iterations of a loop.
pub const ITERATION_LIMIT: u32 = 1000;
/// The maximum number of automatic retries of a node or run.
pub const RETRIES_LIMIT: u32 = 100;
/// The maximum concurrency of a plan's nodes, an agent's sessions, or a node's calls.
pub const CONCURRENCY_LIMIT: u32 = 1000;

/// One problem in a plan's content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(
    tag = "problem",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Problem {
    /// Nodes wait for each other.
    #[error("these nodes depend on each other: {}", .titles.join(" → "))]
    Cycle {
        /// The nodes in order; the first is repeated at the end.
        path: Vec<NodeId>,
        /// Their titles, in the same order.
        titles: Vec<String>,
    },
    /// An edge refers to a node that is not in the plan, or to a note.
    #[error("an edge of '{title}' leads to a missing node")]
    DanglingEdge {
        /// The end that exists, if any.
        node: Option<NodeId>,
        title: String,
    },
    /// The same edge exists twice.
    #[error("'{child}' depends on '{parent}' twice")]
    DuplicateEdge { parent: String, child: String },
    /// An import derived edges from the order of tasks, and nobody has confirmed them.
    #[error("{}", unconfirmed_edges(*.count))]
    UnconfirmedEdges {
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        count: usize,
    },
    /// Two nodes have the same ID or slug.
    #[error("two nodes have the ID '{slug}'")]
    DuplicateNode {
        /// The slug of the second one.
        slug: String,
    },
    /// A title is too long or empty.
    #[error("the title of {of} must have 1 to 500 characters, not {length}")]
    TitleLength {
        /// "the plan" or the node's slug.
        of: String,
        /// Its length in characters.
        length: usize,
    },
    /// A number is outside its range.
    #[error("{field} of {of} must be {least} to {most}, not {found}")]
    OutOfRange {
        /// The field's key in a plan file.
        field: String,
        /// "the plan" or the node's slug.
        of: String,
        least: u32,
        most: u32,
        found: u32,
    },
    /// The plan's budget is zero.
    #[error("the plan's budget is zero; raise it, or remove it for no limit")]
    EmptyBudget,
    /// A guarded tool has no name.
    #[error(
        "guarded tool {position} of the plan has no name; enter the tool's exact name, or remove it"
    )]
    BlankGuard {
        /// Its position in the list, from 1.
        position: usize,
    },
    /// A group is invalid.
    #[error("group '{title}' {fault}")]
    Group {
        group: GroupId,
        title: String,
        /// What is wrong, and what to do.
        fault: GroupFault,
    },
    /// A node is invalid.
    #[error("'{title}' {fault}")]
    Node {
        node: NodeId,
        title: String,
        field: NodeField,
        /// What is wrong, and what to do.
        fault: NodeFault,
    },
}

impl Problem {
    /// Whether a plan with this problem can't be saved. What a node still lacks and what a person
    /// still has to confirm don't prevent it: a plan is drawn over days, and the rest of it must not
    /// be lost meanwhile.
    #[must_use]
    pub fn prevents_saving(&self) -> bool {
        match self {
            Self::Node { fault, .. } => !fault.is_unfinished(),
            Self::UnconfirmedEdges { .. } => false,
            _ => true,
        }
    }
}

impl Plan {
    /// Everything that is wrong with this plan's content, cycles last.
    ///
    /// A plan with any problem can't run. Whether one without problems can run also depends on
    /// the machine; the pre-flight checks that.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        find_problems(self)
    }
}

fn find_problems(plan: &Plan) -> Vec<Problem> {
    let mut problems = Vec::new();
    check_title("the plan", &plan.title, &mut problems);
    if let Some(concurrency) = plan.settings.concurrency {
        check_range(
            "concurrency",
            "the plan",
            concurrency,
            1,
            CONCURRENCY_LIMIT,
            &mut problems,
        );
    }
    check_range(
        "planRetries",
        "the plan",
        plan.settings.plan_retries,
        0,
        RETRIES_LIMIT,
        &mut problems,
    );
    check_range(
        "priority",
        "the plan",
        plan.settings.priority.into(),
        1,
        10,
        &mut problems,
    );
    if let Some(complexity) = plan.settings.complexity {
        check_range(
            "complexity",
            "the plan",
            complexity.into(),
            1,
            10,
            &mut problems,
        );
    }
    for (agent, &limit) in &plan.settings.agent_concurrency {
        check_range(
            "agentConcurrency",
            agent,
            limit,
            1,
            CONCURRENCY_LIMIT,
            &mut problems,
        );
    }
    if allows_nothing(plan.settings.budget) {
        problems.push(Problem::EmptyBudget);
    }
    let guards = plan.settings.guarded_tools.iter().zip(1..);
    let blank = guards.filter(|(tool, _)| tool.trim().is_empty());
    problems.extend(blank.map(|(_, position)| Problem::BlankGuard { position }));
    check_nodes(plan, &mut problems);
    check_edges(plan, &mut problems);
    let unconfirmed = plan.inferred_edges().count();
    if unconfirmed > 0 {
        problems.push(Problem::UnconfirmedEdges { count: unconfirmed });
    }
    problems.extend(group_check::check_groups(plan));
    let graph = plan.graph();
    let check = NodeCheck::new(plan, graph.as_ref().ok());
    for node in &plan.nodes {
        problems.extend(
            check
                .faults(node)
                .into_iter()
                .map(|found| node_problem(node, found)),
        );
    }
    if let Err(cycle) = graph {
        problems.extend(cycle_problem(plan, cycle));
    }
    problems
}

/// Whether the limit is reached before anything is used. NaN is rejected too, because it would
/// limit nothing.
fn allows_nothing(budget: Budget) -> bool {
    budget.tokens == Some(0)
        || budget
            .cost_usd
            .is_some_and(|cost| cost.is_nan() || cost <= 0.0)
}

fn unconfirmed_edges(count: usize) -> String {
    let edges = match count {
        1 => "1 inferred edge waits".to_owned(),
        _ => format!("{count} inferred edges wait"),
    };
    format!("{edges} for confirmation; confirm or remove what only follows from the order of tasks")
}

fn node_problem(node: &Node, (field, fault): FieldFault) -> Problem {
    Problem::Node {
        node: node.id,
        title: node.title.clone(),
        field,
        fault,
    }
}

/// A jump that leads back is reported as the jump's fault, other cycles for all their edges. `None`
/// if already reported.
fn cycle_problem(plan: &Plan, cycle: Cycle) -> Option<Problem> {
    if let [node, same] = cycle.path[..]
        && node == same
        && node_check::jumps_to_itself(plan, node)
    {
        return None;
    }
    Some(match node_check::jump_back(plan, &cycle) {
        Some((node, found)) => node_problem(node, found),
        None => Problem::Cycle {
            path: cycle.path,
            titles: cycle.titles,
        },
    })
}

fn check_title(of: &str, title: &str, problems: &mut Vec<Problem>) {
    let length = title.chars().count();
    if title.trim().is_empty() || length > TITLE_LENGTH_LIMIT {
        problems.push(Problem::TitleLength {
            of: of.to_owned(),
            length,
        });
    }
}

fn check_range(
    field: &str,
    of: &str,
    found: u32,
    least: u32,
    most: u32,
    problems: &mut Vec<Problem>,
) {
    if !(least..=most).contains(&found) {
        problems.push(Problem::OutOfRange {
            field: field.to_owned(),
            of: of.to_owned(),
            least,
            most,
            found,
        });
    }
}

fn check_nodes(plan: &Plan, problems: &mut Vec<Problem>) {
    let (mut ids, mut slugs) = (HashSet::new(), HashSet::new());
    for node in &plan.nodes {
        if !ids.insert(node.id) || !slugs.insert(&node.slug) {
            problems.push(Problem::DuplicateNode {
                slug: node.slug.to_string(),
            });
        }
        check_title(node.slug.as_str(), &node.title, problems);
        check_range(
            "priority",
            node.slug.as_str(),
            node.priority.into(),
            1,
            10,
            problems,
        );
        check_range(
            "maxRetries",
            node.slug.as_str(),
            node.max_retries,
            0,
            RETRIES_LIMIT,
            problems,
        );
        match &node.kind {
            NodeKind::Parallel(task) => {
                let of = node.slug.as_str();
                check_range(
                    "maxConcurrent",
                    of,
                    task.max_concurrent,
                    1,
                    CONCURRENCY_LIMIT,
                    problems,
                );
            }
            NodeKind::Note(Note {
                size: Some(size), ..
            }) => {
                let of = node.slug.as_str();
                let (widths, heights) = (NoteSize::WIDTHS, NoteSize::HEIGHTS);
                check_range(
                    "width",
                    of,
                    size.width,
                    *widths.start(),
                    *widths.end(),
                    problems,
                );
                check_range(
                    "height",
                    of,
                    size.height,
                    *heights.start(),
                    *heights.end(),
                    problems,
                );
            }
            NodeKind::Loop(LoopTask { max_iterations, .. }) => {
                check_range(
                    "maxIterations",
                    node.slug.as_str(),
                    *max_iterations,
                    1,
                    ITERATION_LIMIT,
                    problems,
                );
            }
            _ => {}
        }
    }
}

fn check_edges(plan: &Plan, problems: &mut Vec<Problem>) {
    let nodes: HashMap<NodeId, &Node> = plan
        .nodes
        .iter()
        .filter(|node| node.is_executable())
        .map(|node| (node.id, node))
        .collect();
    let mut seen = HashSet::new();
    for edge in &plan.edges {
        match (nodes.get(&edge.parent), nodes.get(&edge.child)) {
            (Some(parent), Some(child)) if !seen.insert((edge.parent, edge.child)) => {
                problems.push(Problem::DuplicateEdge {
                    parent: parent.title.clone(),
                    child: child.title.clone(),
                });
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
mod tests;
