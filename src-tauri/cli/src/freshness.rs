//! What has changed since a proposal was made, as lines of text.

use baton_api::wire::Freshness;
use baton_model::count::format_quantity;
use baton_model::planning::{ComparedProject, ProjectFreshness};
use baton_model::project_changes::ApprovedCommit;

use crate::style;

/// How many files are named.
const MAX_FILES: usize = 10;
/// How much of a commit's id is printed.
const COMMIT_LENGTH: usize = 7;

/// One line for each difference; none for a draft that is fresh.
pub(crate) fn render(freshness: &Freshness) -> Vec<String> {
    let base = freshness.base.and_then(|base| match base.current {
        Some(current) if current == base.version => None,
        Some(current) => Some(format!(
            "it is for version {} of the plan, which is at version {current} now",
            base.version
        )),
        None => Some("the plan that it changes was deleted".to_owned()),
    });
    let mut lines: Vec<String> = base.into_iter().collect();
    match &freshness.project {
        ProjectFreshness::Unknown | ProjectFreshness::NoRepository => {}
        ProjectFreshness::Removed => {
            lines.push("its directory isn't in a git repository anymore".to_owned());
        }
        ProjectFreshness::Compared(project) => lines.extend(project_lines(project)),
    }
    if !freshness.missing_agents.is_empty() {
        let agents = style::one_line(&freshness.missing_agents.join(", "));
        lines.push(format!("agents that aren't installed anymore: {agents}"));
    }
    lines
}

fn project_lines(project: &ComparedProject) -> Vec<String> {
    let commit = project.commit.as_deref().unwrap_or_default();
    let commit: String = commit.chars().take(COMMIT_LENGTH).collect();
    let place = match project.place {
        ApprovedCommit::NotInHistory => Some(format!(
            "its commit {commit} isn't in the history of what is checked out"
        )),
        ApprovedCommit::Gone => Some(format!("its commit {commit} no longer exists")),
        ApprovedCommit::InHistory if project.new_commits > 0 => {
            let count = format_quantity(project.new_commits, "new commit", "new commits");
            Some(format!("{count} since {commit}"))
        }
        ApprovedCommit::CheckedOut | ApprovedCommit::InHistory | ApprovedCommit::Unknown => None,
    };
    place.into_iter().chain(named_files(project)).collect()
}

fn named_files(project: &ComparedProject) -> Option<String> {
    let files = &project.named_files;
    if files.is_empty() {
        return None;
    }
    let shown: Vec<String> = files
        .iter()
        .take(MAX_FILES)
        .map(|file| style::one_line(file))
        .collect();
    let more = files.len().saturating_sub(MAX_FILES);
    let more = match more {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!(
        "files that it names changed: {}{more}",
        shown.join(", ")
    ))
}
