//! Pull requests from the work of a run.

use baton_model::{NodeId, RunId};

use super::{FileDeltaView, wire};

/// What can open the pull request.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "tool", rename_all = "snake_case")]
pub enum PullRequestTool {
    /// This program is installed, and has a token for the host.
    Ready {
        /// `gh` or `glab`.
        program: String,
    },
    /// This program is installed, and nobody is signed in to the host.
    SignedOut {
        /// `gh` or `glab`.
        program: String,
        /// The host of the remote repository.
        host: String,
    },
    /// The host needs this program.
    Missing {
        /// `gh` or `glab`.
        program: String,
        /// The host of the remote repository.
        host: String,
    },
    /// No installed program knows the host, or the remote is on this machine.
    Unknown,
}

/// What is at the name of the new branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PullRequestBranch {
    /// There is no such branch.
    New,
    /// It has these changes already.
    Current,
    /// Its last commit is of this run, and another one would be added.
    Outdated,
    /// Somebody else committed to it.
    Foreign,
}

wire! {
    /// Asks what a pull request would contain.
    pub struct PullRequestPreview {
        /// The run with the work.
        pub run: RunId,
        /// The name of the remote to push to; `None` for the usual one.
        #[serde(default)]
        pub remote: Option<String>,
        /// The branch that it is for; `None` for the default one.
        #[serde(default)]
        pub base: Option<String>,
        /// The branch to create; `None` for the usual name.
        #[serde(default)]
        pub branch: Option<String>,
    }
    /// What a pull request would contain, and how it would be opened.
    pub struct PullRequestView {
        /// What can open it.
        pub tool: PullRequestTool,
        /// The names of all remotes, the usual one first.
        pub remotes: Vec<String>,
        /// The remote to push to.
        pub remote: String,
        /// Where git pushes to.
        pub push_address: String,
        /// The branch that it is for.
        pub base: String,
        /// The branch to create.
        pub branch: String,
        /// What is at that name.
        pub branch_state: PullRequestBranch,
        /// The suggested title.
        pub title: String,
        /// The suggested description, in Markdown.
        pub description: String,
        /// Commits of the person that would be part of it, newest first; `None` if the base branch
        /// was never fetched.
        pub commits: Option<Vec<PullRequestCommit>>,
        /// The nodes whose work it contains.
        pub nodes: Vec<NodeId>,
        /// Files that the new commit changes.
        pub files: Vec<FileDeltaView>,
        /// Number of changed files beyond those listed.
        pub files_left_out: u32,
        /// The command that pushes the branch.
        pub push_command: String,
        /// The pull request that was opened before.
        pub opened: Option<PullRequestLink>,
    }
    /// A commit.
    pub struct PullRequestCommit {
        /// The beginning of its id.
        pub id: String,
        /// The first line of its message.
        pub subject: String,
    }
    /// A pull request that was opened.
    pub struct PullRequestLink {
        /// The branch with the work.
        pub branch: String,
        /// Its address in a browser.
        pub url: String,
    }
    /// Opens a pull request. Without a program for the host, only creates the branch.
    pub struct PullRequestOpen {
        /// The run with the work.
        pub run: RunId,
        /// The name of the remote to push to.
        pub remote: String,
        /// Where a person saw that git pushes to.
        pub push_address: String,
        /// The branch that it is for.
        pub base: String,
        /// The branch to create.
        pub branch: String,
        /// The title, on one line.
        pub title: String,
        /// The description, in Markdown.
        pub description: String,
        /// Whether it is not ready for review.
        #[serde(default)]
        pub draft: bool,
        /// Add a commit to the branch if it exists and is of this run.
        #[serde(default)]
        pub update: bool,
    }
    /// What was done.
    pub struct PullRequestResult {
        /// The branch with the work.
        pub branch: String,
        /// Whether the branch was pushed.
        pub pushed: bool,
        /// The pull request in a browser; `None` without a program for the host.
        pub url: Option<String>,
        /// The pull request was open before, and now has the new commits.
        pub existing: bool,
        /// The command that pushes the branch.
        pub push_command: String,
    }
}
