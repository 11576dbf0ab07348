//! Nodes that restart after a crash although their files cannot be restored.

use std::path::Path;

use baton_model::node::{AfterCrash, NodeKind};
use baton_model::{Node, Plan};

use super::enabled_nodes::enabled_nodes;
use crate::check::{Check, CheckVerdict};

/// Warns once per reason: a plan with a thousand commands outside of git gets one warning.
pub(super) fn check(plan: &Plan, checks: &mut Vec<Check>) {
    let Some(directory) = plan.cwd.as_deref().map(Path::new) else {
        return;
    };
    let restarts: Vec<&Node> = enabled_nodes(plan)
        .filter(|node| node.after_crash == AfterCrash::Restart && has_files(node))
        .collect();
    let (plans, sessions): (Vec<_>, Vec<_>) = restarts
        .into_iter()
        .partition(|node| node.kind.sub_plan().is_some());
    let outside: Vec<_> = sessions
        .into_iter()
        .filter(|node| !is_in_git(node, directory))
        .collect();
    checks.extend(warning(
        &outside,
        "the directory is not a git repository",
        "run `git init` there, or have Baton ask first (`afterCrash: ask`)",
    ));
    checks.extend(warning(
        &plans,
        "Baton doesn't checkpoint sub-plans",
        "have Baton ask first (`afterCrash: ask`)",
    ));
}

fn warning(nodes: &[&Node], why: &str, fix: &str) -> Option<Check> {
    let first = nodes.first()?;
    let who = match nodes.len() {
        1 => format!("'{}' restarts", first.title),
        2 => format!("'{}' and 1 more node restart", first.title),
        count => format!("'{}' and {} more nodes restart", first.title, count - 1),
    };
    let sentence = format!("after a crash, {who} without restoring files, because {why}");
    Some(
        Check::new(CheckVerdict::Warning, sentence)
            .with_fix(fix)
            .at(first.id),
    )
}

/// Whether the node can change files; questions cannot.
fn has_files(node: &Node) -> bool {
    !matches!(node.kind, NodeKind::UserInput(_))
}

fn is_in_git(node: &Node, directory: &Path) -> bool {
    let own = match &node.kind {
        NodeKind::Command(task) => task.cwd.as_deref().filter(|folder| !folder.contains("{{")),
        _ => None,
    };
    let place = own.map_or_else(|| directory.to_path_buf(), |folder| directory.join(folder));
    baton_engine::work_tree_above(&place).is_some()
}
