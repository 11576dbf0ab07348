//! What has changed in a project since a plan was approved.
//!
//! The comparison of two states, without git and files: the engine and the planning crate find out
//! what is compared.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Timestamp;
use crate::named_files::NamedFiles;
use crate::project_state::{
    AgentVersion, FileContent, FileState, ProjectRepository, ProjectState, RepositoryState,
};

/// How many changed files are listed; the others are counted.
pub const MAX_LISTED_FILES: usize = 50;
/// How many commits are listed; the others are counted.
pub const MAX_LISTED_COMMITS: usize = 5;

/// The present state of a project, seen from an approval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectNow {
    /// The present state. The contents of uncommitted files may be unread.
    pub state: ProjectState,
    /// The present content of each file that was uncommitted at the approval.
    pub earlier_files: Vec<FileState>,
    /// What git knows of the approved commit; `None` if that is unknown.
    pub history: Option<CommitsSince>,
}

/// The history between the approved commit and the present one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitsSince {
    /// Where the approved commit is.
    pub approved: ApprovedCommit,
    /// The number of present commits that the approved one doesn't have.
    pub count: u32,
    /// The newest of these commits, latest first.
    pub newest: Vec<CommitSummary>,
    /// The files that differ between both commits.
    pub files: Vec<String>,
}

/// Where the commit of an approval is now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ApprovedCommit {
    /// It is checked out.
    CheckedOut,
    /// Other commits follow it.
    InHistory,
    /// It exists, but is not in the history of what is checked out: after a rebase, or on another
    /// branch.
    NotInHistory,
    /// The repository doesn't have it anymore.
    Gone,
    /// The repository had no commit at the approval, or git couldn't tell.
    Unknown,
}

/// A commit, for display. All texts come from the repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct CommitSummary {
    pub commit: String,
    pub author: String,
    /// The first line of its message.
    pub subject: String,
    pub at: Timestamp,
}

/// All differences between the approved and the present state of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ProjectChanges {
    /// How the repository differs.
    pub repository: RepositoryComparison,
    /// Agents that differ, sorted by name.
    pub agents: Vec<AgentChange>,
    /// Agents whose version isn't known, then or now.
    pub unknown_agents: Vec<String>,
    /// Whether something has changed. What isn't known doesn't count.
    pub any: bool,
}

/// How the repository of the plan's directory differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum RepositoryComparison {
    /// One of both states isn't known.
    Unknown,
    /// There is and was no repository, so files aren't compared.
    NoRepository,
    /// The directory is in a repository, and wasn't at the approval.
    Created,
    /// The directory isn't in a repository anymore, or doesn't exist.
    Removed,
    /// Both states are known.
    Compared(RepositoryChanges),
}

/// The differences between two states of a repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RepositoryChanges {
    /// The commit that was checked out at the approval.
    pub approved_commit: Option<String>,
    /// Where that commit is now.
    pub approved: ApprovedCommit,
    /// Both branches, if they differ.
    pub branch: Option<BranchChange>,
    /// The number of new commits.
    pub commit_count: u32,
    /// The newest of them, latest first.
    pub commits: Vec<CommitSummary>,
    /// The first changed files: those that the plan names come first.
    pub files: Vec<ProjectFileChange>,
    /// The number of all changed files.
    pub file_count: u32,
    /// How many of them changed in commits.
    pub committed_count: u32,
    /// How many of them have uncommitted changes.
    pub uncommitted_count: u32,
    /// Files with uncommitted changes of which it isn't known whether they changed since.
    pub not_compared: u32,
}

/// Another branch is checked out. `None` is a detached `HEAD`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[expect(missing_docs, reason = "the names say it")]
pub struct BranchChange {
    pub from: Option<String>,
    pub to: Option<String>,
}

/// A file that changed since the approval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ProjectFileChange {
    /// Relative to the top folder of the work tree, with `/`.
    pub path: String,
    /// Whether commits since the approval changed it.
    pub committed: bool,
    /// Whether it has uncommitted changes now.
    pub uncommitted: bool,
    /// Whether the plan names it.
    pub named: bool,
}

/// An agent of the plan that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct AgentChange {
    pub agent: String,
    pub change: AgentChangeKind,
}

/// How an agent differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case", tag = "kind")]
#[expect(missing_docs, reason = "the names say it")]
pub enum AgentChangeKind {
    /// Its program has another version.
    Version { from: String, to: String },
    /// The plan uses it now and didn't at the approval: the default or a team is another one.
    Added,
    /// The plan used it at the approval and doesn't anymore.
    Removed,
}

/// Compares the present state of a project with the one at an approval.
#[must_use]
pub fn project_changes(
    then: &ProjectState,
    now: &ProjectNow,
    named: &NamedFiles,
) -> ProjectChanges {
    let repository = compare_repositories(&then.repository, now, named);
    let (agents, unknown_agents) = compare_agents(&then.agents, &now.state.agents);
    let any = !agents.is_empty() || is_changed(&repository);
    ProjectChanges {
        repository,
        agents,
        unknown_agents,
        any,
    }
}

fn is_changed(repository: &RepositoryComparison) -> bool {
    match repository {
        RepositoryComparison::Unknown | RepositoryComparison::NoRepository => false,
        RepositoryComparison::Created | RepositoryComparison::Removed => true,
        RepositoryComparison::Compared(changes) => {
            changes.branch.is_some()
                || changes.commit_count > 0
                || changes.file_count > 0
                || matches!(
                    changes.approved,
                    ApprovedCommit::NotInHistory | ApprovedCommit::Gone
                )
        }
    }
}

fn compare_repositories(
    then: &ProjectRepository,
    now: &ProjectNow,
    named: &NamedFiles,
) -> RepositoryComparison {
    use ProjectRepository::{Absent, Present, Unknown};
    match (then, &now.state.repository) {
        (Unknown, _) | (_, Unknown) => RepositoryComparison::Unknown,
        (Absent, Absent) => RepositoryComparison::NoRepository,
        (Absent, Present(_)) => RepositoryComparison::Created,
        (Present(_), Absent) => RepositoryComparison::Removed,
        (Present(then), Present(state)) => {
            RepositoryComparison::Compared(compare(then, state, now, named))
        }
    }
}

fn compare(
    then: &RepositoryState,
    state: &RepositoryState,
    now: &ProjectNow,
    named: &NamedFiles,
) -> RepositoryChanges {
    let (files, not_compared) = changed_files(then, state, now);
    let history = now.history.as_ref();
    let mut listed: Vec<ProjectFileChange> = files
        .iter()
        .map(|(path, origin)| ProjectFileChange {
            path: (*path).to_owned(),
            committed: origin.committed,
            uncommitted: origin.uncommitted,
            named: named.contains(path),
        })
        .collect();
    // The paths are already sorted.
    listed.sort_by_key(|file| !file.named);
    let count =
        |is: fn(&ProjectFileChange) -> bool| saturate(listed.iter().filter(|f| is(f)).count());
    RepositoryChanges {
        approved_commit: then.commit.clone(),
        approved: history.map_or(ApprovedCommit::Unknown, |since| since.approved),
        branch: (then.branch != state.branch).then(|| BranchChange {
            from: then.branch.clone(),
            to: state.branch.clone(),
        }),
        commit_count: history.map_or(0, |since| since.count),
        commits: history.map_or_else(Vec::new, |since| {
            since
                .newest
                .iter()
                .take(MAX_LISTED_COMMITS)
                .cloned()
                .collect()
        }),
        file_count: saturate(listed.len()),
        committed_count: count(|file| file.committed),
        uncommitted_count: count(|file| file.uncommitted),
        not_compared,
        files: {
            listed.truncate(MAX_LISTED_FILES);
            listed
        },
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Origin {
    committed: bool,
    uncommitted: bool,
}

/// The changed files by path, and how many couldn't be compared.
///
/// A file that was uncommitted at the approval is compared by its content: committing it unchanged
/// is no change. Any other file was as in the approved commit.
fn changed_files<'a>(
    then: &'a RepositoryState,
    state: &'a RepositoryState,
    now: &'a ProjectNow,
) -> (BTreeMap<&'a str, Origin>, u32) {
    let mut files: BTreeMap<&str, Origin> = BTreeMap::new();
    for path in now.history.iter().flat_map(|since| &since.files) {
        files.entry(path).or_default().committed = true;
    }
    for file in &state.uncommitted {
        files.entry(&file.path).or_default().uncommitted = true;
    }
    let contents = |list: &'a [FileState]| -> BTreeMap<&'a str, FileContent> {
        list.iter()
            .map(|file| (file.path.as_str(), file.content))
            .collect()
    };
    let present = contents(&now.earlier_files);
    let mut not_compared = state.left_out;
    let earlier = contents(&then.uncommitted);
    for (path, content) in &earlier {
        match (*content, present.get(path).copied()) {
            (FileContent::NotRead, _) | (_, None | Some(FileContent::NotRead)) => {
                files.remove(path);
                not_compared = not_compared.saturating_add(1);
            }
            (then, Some(now)) if then == now => {
                files.remove(path);
            }
            // Its changes may have been discarded, so git may not list it.
            _ => drop(files.entry(path).or_default()),
        }
    }
    if then.left_out > 0 {
        files.retain(|path, origin| {
            let is_known = earlier.contains_key(path) || !origin.uncommitted;
            not_compared = not_compared.saturating_add(u32::from(!is_known));
            is_known
        });
    }
    (files, not_compared)
}

fn compare_agents(then: &[AgentVersion], now: &[AgentVersion]) -> (Vec<AgentChange>, Vec<String>) {
    let find = |list: &'_ [AgentVersion], name: &str| -> Option<Option<String>> {
        let found = list.iter().find(|known| known.agent == name);
        found.map(|known| known.version.clone())
    };
    let (mut changes, mut unknown) = (Vec::new(), Vec::new());
    let mut names: Vec<&str> = then
        .iter()
        .chain(now)
        .map(|known| known.agent.as_str())
        .collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let change = match (find(then, name), find(now, name)) {
            (Some(Some(from)), Some(Some(to))) if from == to => continue,
            (Some(Some(from)), Some(Some(to))) => AgentChangeKind::Version { from, to },
            (Some(_), Some(_)) => {
                unknown.push(name.to_owned());
                continue;
            }
            (None, _) => AgentChangeKind::Added,
            (_, None) => AgentChangeKind::Removed,
        };
        changes.push(AgentChange {
            agent: name.to_owned(),
            change,
        });
    }
    (changes, unknown)
}

fn saturate(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
