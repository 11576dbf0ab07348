//! What has changed in a plan's project since the plan was approved, as lines of text.

use baton_api::wire::*;
use baton_model::PlanId;
use baton_model::approval::{FileChange, FileChangeKind};
use baton_model::count::{format_count, format_quantity};
use baton_model::project_changes::{
    AgentChange, AgentChangeKind, ApprovedCommit, BranchChange, CommitSummary, ProjectChanges,
    ProjectFileChange, RepositoryChanges, RepositoryComparison,
};

use crate::actor_text::describe_actor;
use crate::client::Client;
use crate::failure::Failure;
use crate::style::{self, Tone};
use crate::time_format::date;

/// How many files `baton run` lists. `baton plan changes` lists all that it gets.
const MAX_FILES_BEFORE_RUN: usize = 10;

/// Loads what has changed.
pub(crate) fn load(client: &Client<'_>, plan: PlanId) -> Result<ApprovalChangesView, Failure> {
    let input = PlanRef { plan };
    client.ask("compare with the approval", "approval_changes", &input)
}

/// Notes what has changed, before a run. It never keeps the plan from running.
pub(crate) fn note_before_run(client: &Client<'_>, view: &PlanView) {
    let output = client.output;
    if view.approved_version.is_none() || output.quiet || output.json {
        return;
    }
    let found = match load(client, view.plan.id) {
        Ok(found) => found,
        Err(failure) => return output.note(&failure.to_string()),
    };
    if !is_changed(&found) && !output.can_ask() {
        return;
    }
    let mut lines = render(&found, MAX_FILES_BEFORE_RUN).into_iter();
    if let Some(heading) = lines.next() {
        output.note(&output.paint_note(&heading, Tone::Strong));
    }
    lines.for_each(|line| output.note(&line));
}

/// Prints what has changed.
pub(crate) fn print(client: &Client<'_>, found: &ApprovalChangesView) -> Result<(), Failure> {
    let mut lines = render(found, usize::MAX).into_iter();
    if let Some(heading) = lines.next() {
        client
            .output
            .line(&client.output.paint(&heading, Tone::Strong))?;
    }
    lines.try_for_each(|line| client.output.line(&line))
}

fn is_changed(found: &ApprovalChangesView) -> bool {
    let project = found.project.as_ref();
    !found.criteria_files.is_empty() || project.is_some_and(|project| project.any)
}

/// The lines, the first of which is a heading or says it all.
fn render(found: &ApprovalChangesView, max_files: usize) -> Vec<String> {
    let (Some(version), Some(approval)) = (found.version, &found.approval) else {
        return vec![match found.version {
            None => "The plan isn't approved yet.".to_owned(),
            Some(version) => format!(
                "Version {version} was approved before Baton recorded approvals, so changes since then aren't known."
            ),
        }];
    };
    let since = format!(
        "{} approved version {version} ({})",
        describe_actor(&approval.actor),
        date(approval.at)
    );
    let mut lines = match is_changed(found) {
        true => vec![format!("Since {since}:")],
        false => vec![format!("Nothing changed since {since}.")],
    };
    lines.extend(found.criteria_files.iter().map(criteria_line));
    match &found.project {
        None => lines.push(
            "  Changes to files and agents aren't known: an earlier version of Baton stored the approval"
                .to_owned(),
        ),
        Some(project) => lines.extend(project_lines(project, max_files)),
    }
    lines
}

fn criteria_line(change: &FileChange) -> String {
    let kind = match change.kind {
        FileChangeKind::Changed => "changed",
        FileChangeKind::New => "new",
        FileChangeKind::Gone => "deleted",
    };
    format!(
        "  {}, run by criteria: {kind}",
        style::one_line(&change.path)
    )
}

fn project_lines(project: &ProjectChanges, max_files: usize) -> Vec<String> {
    let mut lines = match &project.repository {
        RepositoryComparison::Unknown => {
            vec!["  Changes to files aren't known: git failed or took too long".to_owned()]
        }
        RepositoryComparison::NoRepository => {
            vec!["  Files aren't compared: the directory isn't in a git repository".to_owned()]
        }
        RepositoryComparison::Created => {
            vec!["  The directory is in a git repository now".to_owned()]
        }
        RepositoryComparison::Removed => {
            vec!["  The directory is no longer in a git repository, or was deleted".to_owned()]
        }
        RepositoryComparison::Compared(changes) => repository_lines(changes, max_files),
    };
    lines.extend(project.agents.iter().map(agent_line));
    lines.extend(
        project
            .unknown_agents
            .iter()
            .map(|agent| format!("  The version of {} isn't known", style::one_line(agent))),
    );
    lines
}

fn repository_lines(changes: &RepositoryChanges, max_files: usize) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(changes.branch.as_ref().map(branch_line));
    lines.extend(approved_commit_line(changes));
    if changes.commit_count > 0 {
        let count = format_quantity(changes.commit_count, "new commit", "new commits");
        lines.push(format!("  {count}:"));
        lines.extend(changes.commits.iter().map(commit_line));
        lines.extend(more_line(changes.commit_count, changes.commits.len()));
    }
    if changes.file_count > 0 {
        lines.push(format!("  {}:", file_count(changes)));
        let listed = &changes.files[..changes.files.len().min(max_files)];
        lines.extend(listed.iter().map(file_line));
        lines.extend(more_line(changes.file_count, listed.len()));
    }
    if changes.not_compared > 0 {
        let files = format_quantity(
            changes.not_compared,
            "uncommitted file",
            "uncommitted files",
        );
        lines.push(format!("  {files} couldn't be compared"));
    }
    lines
}

fn branch_line(BranchChange { from, to }: &BranchChange) -> String {
    let name = |branch: &Option<String>| {
        let branch = branch.as_deref();
        branch.map_or_else(|| "a detached commit".to_owned(), style::one_line)
    };
    format!("  Branch switched from {} to {}", name(from), name(to))
}

fn approved_commit_line(changes: &RepositoryChanges) -> Option<String> {
    let commit = short(changes.approved_commit.as_deref()?);
    match changes.approved {
        ApprovedCommit::CheckedOut | ApprovedCommit::InHistory => None,
        ApprovedCommit::NotInHistory if changes.branch.is_some() => Some(format!(
            "  The approved commit {commit} isn't in the history of this branch"
        )),
        ApprovedCommit::NotInHistory => Some(format!(
            "  The approved commit {commit} is no longer in the history: the branch was rebased, amended or reset"
        )),
        ApprovedCommit::Gone => Some(format!(
            "  The approved commit {commit} no longer exists in the repository, so commits and files aren't compared"
        )),
        ApprovedCommit::Unknown => Some(format!(
            "  Commits since {commit} aren't known: nothing is checked out"
        )),
    }
}

fn short(commit: &str) -> String {
    style::one_line(commit).chars().take(7).collect()
}

fn commit_line(commit: &CommitSummary) -> String {
    format!(
        "    {} {} ({})",
        short(&commit.commit),
        style::one_line(&commit.subject),
        style::one_line(&commit.author)
    )
}

fn file_count(changes: &RepositoryChanges) -> String {
    let files = format_quantity(changes.file_count, "file changed", "files changed");
    let counts = [
        (changes.committed_count, "in commits"),
        (changes.uncommitted_count, "uncommitted"),
    ];
    let parts: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{} {what}", format_count(u64::from(*count))))
        .collect();
    match parts.is_empty() {
        true => files,
        false => format!("{files} ({})", parts.join(", ")),
    }
}

fn file_line(file: &ProjectFileChange) -> String {
    let marks: Vec<&str> = [
        (file.named, "named in the plan"),
        (file.uncommitted, "uncommitted"),
    ]
    .into_iter()
    .filter_map(|(is, mark)| is.then_some(mark))
    .collect();
    let path = style::one_line(&file.path);
    match marks.is_empty() {
        true => format!("    {path}"),
        false => format!("    {path} ({})", marks.join(", ")),
    }
}

fn more_line(count: u32, listed: usize) -> Option<String> {
    let more = (count as usize).saturating_sub(listed);
    (more > 0).then(|| format!("    and {} more", format_count(more as u64)))
}

fn agent_line(AgentChange { agent, change }: &AgentChange) -> String {
    let agent = style::one_line(agent);
    match change {
        AgentChangeKind::Version { from, to } => format!(
            "  {agent} {} → {}",
            style::one_line(from),
            style::one_line(to)
        ),
        AgentChangeKind::Added => format!("  {agent} is used now, and wasn't when approved"),
        AgentChangeKind::Removed => format!("  {agent} is no longer used"),
    }
}

#[cfg(test)]
mod tests {
    use baton_model::Timestamp;
    use baton_model::approval::Digest;

    use super::*;

    fn view(project: Option<ProjectChanges>) -> ApprovalChangesView {
        ApprovalChangesView {
            version: Some(3),
            approval: Some(ApprovalView {
                version: 3,
                actor: "person:shell".to_owned(),
                at: Timestamp(0),
                digest: Digest([0; 32]),
                files: Vec::new(),
            }),
            criteria_files: Vec::new(),
            project,
        }
    }

    fn file(path: &str, named: bool) -> ProjectFileChange {
        ProjectFileChange {
            path: path.to_owned(),
            committed: !named,
            uncommitted: named,
            named,
        }
    }

    fn repository() -> RepositoryChanges {
        RepositoryChanges {
            approved_commit: Some("0123456789".to_owned()),
            approved: ApprovedCommit::NotInHistory,
            branch: None,
            commit_count: 1_200,
            commits: vec![CommitSummary {
                commit: "abcdef0123".to_owned(),
                author: "Ann\u{1b}[31m".to_owned(),
                subject: "A \u{202e}subject\nwith lines".to_owned(),
                at: Timestamp(0),
            }],
            files: vec![
                file("src/a\u{7}.rs", true),
                file("b", false),
                file("c", false),
            ],
            file_count: 1_000,
            committed_count: 999,
            uncommitted_count: 1,
            not_compared: 2,
        }
    }

    #[test]
    fn changes_are_printed_as_plain_lines() {
        let version = AgentChangeKind::Version {
            from: "2.1.4".to_owned(),
            to: "2.2.0\u{1b}]0;x\u{7}".to_owned(),
        };
        let mut found = view(Some(ProjectChanges {
            repository: RepositoryComparison::Compared(repository()),
            agents: vec![AgentChange {
                agent: "claude".to_owned(),
                change: version,
            }],
            unknown_agents: vec!["codex".to_owned()],
            any: true,
        }));
        found.criteria_files = vec![FileChange {
            path: "check.sh".to_owned(),
            kind: FileChangeKind::Changed,
        }];
        let lines = render(&found, 2);
        assert!(
            lines[0].starts_with("Since you approved version 3 ("),
            "{}",
            lines[0]
        );
        assert_eq!(
            lines[1..],
            [
                "  check.sh, run by criteria: changed",
                "  The approved commit 0123456 is no longer in the history: the branch was rebased, amended or reset",
                "  1,200 new commits:",
                "    abcdef0 A subject with lines (Ann[31m)",
                "    and 1,199 more",
                "  1,000 files changed (999 in commits, 1 uncommitted):",
                "    src/a.rs (named in the plan, uncommitted)",
                "    b",
                "    and 998 more",
                "  2 uncommitted files couldn't be compared",
                "  claude 2.1.4 → 2.2.0]0;x",
                "  The version of codex isn't known",
            ]
        );
    }

    #[test]
    fn missing_facts_are_said() {
        let never = ApprovalChangesView {
            version: None,
            approval: None,
            ..view(None)
        };
        assert_eq!(render(&never, 1), ["The plan isn't approved yet."]);
        let early = ApprovalChangesView {
            approval: None,
            ..view(None)
        };
        assert!(render(&early, 1)[0].contains("before Baton recorded approvals"));
        let lines = render(&view(None), 1);
        assert!(lines[0].starts_with("Nothing changed since you approved version 3 ("));
        assert!(lines[1].contains("aren't known"), "{}", lines[1]);
        for (repository, expected) in [
            (RepositoryComparison::Unknown, "git failed or took too long"),
            (
                RepositoryComparison::NoRepository,
                "isn't in a git repository",
            ),
            (RepositoryComparison::Created, "is in a git repository now"),
            (
                RepositoryComparison::Removed,
                "no longer in a git repository",
            ),
        ] {
            let found = view(Some(ProjectChanges {
                repository,
                agents: Vec::new(),
                unknown_agents: Vec::new(),
                any: false,
            }));
            let lines = render(&found, 1);
            assert!(lines[1].contains(expected), "{}", lines[1]);
        }
    }
}
