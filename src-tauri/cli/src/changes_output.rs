//! Prints the changes between two contents of a plan, numbered.

use baton_model::planning::ProposedChange;
use baton_model::{Edge, NodeId, Plan};

use crate::failure::Failure;
use crate::output::Output;
use crate::style;

/// Prints a line for each change: `1  + node build`, `2  - edge build → ship`.
pub(crate) fn print(
    output: &Output,
    before: &Plan,
    after: &Plan,
    changes: &[(usize, ProposedChange)],
) -> Result<(), Failure> {
    changes.iter().try_for_each(|(number, change)| {
        let line = describe(before, after, change);
        output.line(&format!("{number:>3}  {}", style::one_line(&line)))
    })
}

fn describe(before: &Plan, after: &Plan, change: &ProposedChange) -> String {
    let slug = |id: NodeId| {
        let node = after.node(id).or_else(|| before.node(id));
        node.map_or_else(|| id.to_string(), |node| node.slug.to_string())
    };
    let edge = |edge: &Edge| {
        let soft = if edge.soft { " (soft)" } else { "" };
        format!("{} → {}{soft}", slug(edge.parent), slug(edge.child))
    };
    match change {
        ProposedChange::AddNode { node } => format!("+ node {}", slug(*node)),
        ProposedChange::RemoveNode { node } => format!("- node {}", slug(*node)),
        ProposedChange::ChangeNode { node } => format!("~ node {}", slug(*node)),
        ProposedChange::AddEdge { edge: added } => format!("+ edge {}", edge(added)),
        ProposedChange::RemoveEdge { edge: removed } => format!("- edge {}", edge(removed)),
        ProposedChange::ChangePlan => "~ title, goal, settings or groups".to_owned(),
    }
}
