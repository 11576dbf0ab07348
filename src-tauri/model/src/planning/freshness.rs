//! Whether what a draft was made from is still there.

use serde::{Deserialize, Serialize};

use crate::project_changes::{ApprovedCommit, RepositoryChanges, RepositoryComparison};
use crate::project_state::ProjectRepository;

/// What a draft was made from. It is stored beside the proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProposalBasis {
    /// The repository of the draft's directory.
    pub repository: ProjectRepository,
    /// The agents whose program was installed, sorted by name.
    pub agents: Vec<String>,
}

/// What has changed since a draft was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Freshness {
    /// Whether a person should look again before accepting. What isn't known doesn't count.
    pub stale: bool,
    /// The plan that the draft changes; `None` for a new plan.
    pub base: Option<BaseFreshness>,
    /// The project of the draft.
    pub project: ProjectFreshness,
    /// Agents of the draft that were installed and aren't anymore, sorted by name.
    pub missing_agents: Vec<String>,
}

/// The version of a plan that a draft began with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BaseFreshness {
    /// The version that the draft began with.
    pub version: u32,
    /// The newest version; `None` if the plan was deleted.
    pub current: Option<u32>,
}

/// The repository of a draft's directory, compared with how it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ProjectFreshness {
    /// One of both states isn't known.
    Unknown,
    /// The directory was in no repository, so files aren't compared.
    NoRepository,
    /// The directory isn't in a repository anymore, or doesn't exist.
    Removed,
    /// Both states are known.
    Compared(ComparedProject),
}

/// The differences between a project then and now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ComparedProject {
    /// The commit that was checked out; `None` before the first one.
    pub commit: Option<String>,
    /// Where that commit is now.
    pub place: ApprovedCommit,
    /// How many commits are new.
    pub new_commits: u32,
    /// Files that the draft names and that changed, relative to the top folder of the work tree.
    pub named_files: Vec<String>,
    /// How many other files changed.
    pub other_files: u32,
}

impl Freshness {
    /// The freshness of a draft. `repository` compares then with now; `None` if it isn't stored how
    /// it was.
    #[must_use]
    pub fn new(
        base: Option<BaseFreshness>,
        repository: Option<RepositoryComparison>,
        missing_agents: Vec<String>,
    ) -> Self {
        let project = repository.map_or(ProjectFreshness::Unknown, ProjectFreshness::from);
        let is_moved = base.is_some_and(|base| base.current != Some(base.version));
        Self {
            stale: is_moved || project.is_stale() || !missing_agents.is_empty(),
            base,
            project,
            missing_agents,
        }
    }
}

impl ProjectFreshness {
    /// New commits alone don't matter if they change no file that the draft names.
    fn is_stale(&self) -> bool {
        match self {
            Self::Unknown | Self::NoRepository => false,
            Self::Removed => true,
            Self::Compared(project) => {
                let is_lost = matches!(
                    project.place,
                    ApprovedCommit::NotInHistory | ApprovedCommit::Gone
                );
                is_lost || !project.named_files.is_empty()
            }
        }
    }
}

impl From<RepositoryComparison> for ProjectFreshness {
    fn from(comparison: RepositoryComparison) -> Self {
        match comparison {
            RepositoryComparison::Unknown => Self::Unknown,
            RepositoryComparison::NoRepository | RepositoryComparison::Created => {
                Self::NoRepository
            }
            RepositoryComparison::Removed => Self::Removed,
            RepositoryComparison::Compared(changes) => Self::Compared(changes.into()),
        }
    }
}

impl From<RepositoryChanges> for ComparedProject {
    fn from(changes: RepositoryChanges) -> Self {
        let named = changes.files.into_iter().filter(|file| file.named);
        let named_files: Vec<String> = named.map(|file| file.path).collect();
        let named_count = u32::try_from(named_files.len()).unwrap_or(u32::MAX);
        Self {
            commit: changes.approved_commit,
            place: changes.approved,
            new_commits: changes.commit_count,
            named_files,
            other_files: changes.file_count.saturating_sub(named_count),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project_changes::ProjectFileChange;

    fn compared(place: ApprovedCommit, files: &[(&str, bool)]) -> RepositoryComparison {
        let file = |&(path, named): &(&str, bool)| ProjectFileChange {
            path: path.to_owned(),
            committed: true,
            uncommitted: false,
            named,
        };
        RepositoryComparison::Compared(RepositoryChanges {
            approved_commit: Some("c0ffee".to_owned()),
            approved: place,
            branch: None,
            commit_count: 2,
            commits: Vec::new(),
            files: files.iter().map(file).collect(),
            file_count: 3,
            committed_count: 3,
            uncommitted_count: 0,
            not_compared: 0,
        })
    }

    fn stale(repository: RepositoryComparison) -> bool {
        Freshness::new(None, Some(repository), Vec::new()).stale
    }

    #[test]
    fn changed_files_that_the_draft_names_make_it_stale() {
        let others = [("a.txt", false)];
        assert!(!stale(compared(ApprovedCommit::InHistory, &others)));
        assert!(stale(compared(ApprovedCommit::Gone, &others)));
        let repository = compared(
            ApprovedCommit::InHistory,
            &[("b.rs", true), ("a.txt", false)],
        );
        let found = Freshness::new(None, Some(repository), Vec::new());
        let ProjectFreshness::Compared(project) = &found.project else {
            panic!("{found:?}")
        };
        assert_eq!(project.named_files, ["b.rs"]);
        assert_eq!((project.other_files, project.new_commits), (2, 2));
        assert!(found.stale);
    }

    #[test]
    fn moved_bases_and_missing_agents_make_it_stale() {
        let base = |current| {
            Some(BaseFreshness {
                version: 2,
                current,
            })
        };
        assert!(!Freshness::new(base(Some(2)), None, Vec::new()).stale);
        assert!(Freshness::new(base(Some(3)), None, Vec::new()).stale);
        assert!(Freshness::new(base(None), None, Vec::new()).stale);
        assert!(Freshness::new(None, None, vec!["claude".to_owned()]).stale);
        assert!(!stale(RepositoryComparison::Unknown));
        assert!(!stale(RepositoryComparison::Created));
        assert!(stale(RepositoryComparison::Removed));
    }
}
