//! The state of a plan's project when a person approved the plan, as far as it is known: the
//! commit, the uncommitted files, and the versions of the agents.
//!
//! It is stored with the approval. What couldn't be found out in time stays unknown.

use serde::{Deserialize, Serialize};

use crate::approval::Digest;

/// The state of a project at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProjectState {
    /// The repository of the plan's directory.
    pub repository: ProjectRepository,
    /// The agents that the plan uses, sorted by name.
    pub agents: Vec<AgentVersion>,
}

/// What is known of the repository of a plan's directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ProjectRepository {
    /// Git is missing, failed, or took too long.
    Unknown,
    /// The directory is not in a git repository.
    Absent,
    /// The directory is in a git repository.
    Present(RepositoryState),
}

/// The state of a git work tree.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RepositoryState {
    /// The commit that is checked out; `None` before the first one.
    pub commit: Option<String>,
    /// The branch that is checked out; `None` for a detached `HEAD`.
    pub branch: Option<String>,
    /// Files that differ from the commit, sorted by path.
    pub uncommitted: Vec<FileState>,
    /// How many more files differ from the commit.
    pub left_out: u32,
}

/// A file and its content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileState {
    /// Relative to the top folder of the work tree, with `/`.
    pub path: String,
    #[expect(missing_docs, reason = "the type says it")]
    pub content: FileContent,
}

/// What is known of a file's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileContent {
    /// The digest of the content.
    Digest(Digest),
    /// There is no file with this path.
    Missing,
    /// The content was not read: the file can't be read, isn't a regular file, or there was no time
    /// left.
    NotRead,
}

/// The version of an agent's program.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentVersion {
    /// The agent's name in plans.
    pub agent: String,
    /// `None` when the program is missing or didn't say its version in time.
    pub version: Option<String>,
}
