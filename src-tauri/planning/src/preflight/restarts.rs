//! Nodes that are to start again after a crash, where their files cannot be taken back to what they were before.

use std::path::Path;

use baton_model::node::{AfterCrash, NodeKind};
use baton_model::{Node, Plan};

use super::{Check, at_work};
use crate::check::CheckVerdict;

/// Warns of each reason once: a plan of a thousand commands outside git is one warning.
pub(super) fn check(plan: &Plan, checks: &mut Vec<Check>) {
    let Some(directory) = plan.cwd.as_deref().map(Path::new) else {
        return;
    };
    let restarts: Vec<&Node> = at_work(plan)
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
        "the directory is not under git",
        "run `git init` there, or let a person decide (`afterCrash: ask`)",
    ));
    checks.extend(warning(
        &plans,
        "the files of a plan within the plan are not kept",
        "let a person decide (`afterCrash: ask`)",
    ));
}

fn warning(nodes: &[&Node], why: &str, mend: &str) -> Option<Check> {
    let first = nodes.first()?;
    let who = match nodes.len() {
        1 => format!("'{}' starts", first.title),
        2 => format!("'{}' and 1 more node start", first.title),
        count => format!("'{}' and {} more nodes start", first.title, count - 1),
    };
    let sentence =
        format!("after a crash {who} again with the files as they are then, since {why}");
    Some(
        Check::new(CheckVerdict::Warning, sentence)
            .mended_by(mend)
            .at(first.id),
    )
}

/// A question changes nothing.
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
