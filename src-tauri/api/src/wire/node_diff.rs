//! What a node changed, and reviews of it.

use baton_agents::DiffHunk;
use baton_model::{Attempt, ChangeReview, NodeId, RunId, SessionId};

use super::{FileDeltaView, wire};

/// What a node's changes are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DiffBasis {
    /// The files that its worktree started with: all changes are its own.
    Worktree,
    /// The commit that was checked out in the plan's directory when it began: changes that were
    /// there before are included.
    Directory,
    /// The files of an earlier attempt.
    Attempt,
}

/// The changed lines of a file, or why they are not shown.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FileDiffContentView {
    /// The hunks of a unified diff; none if only the name or the mode changed.
    #[expect(missing_docs, reason = "the names say it")]
    Hunks { hunks: Vec<DiffHunk> },
    /// It isn't text.
    Binary,
    /// It is too long to compare.
    TooLarge {
        /// The length of its larger version.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        bytes: u64,
    },
    /// The files before it are long enough together. Request it alone.
    NotLoaded,
    /// The repository is a partial clone that doesn't have it.
    Missing,
}

wire! {
    /// Asks for the changes of a node.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct NodeDiffQuery {
        pub run: RunId,
        pub node: NodeId,
        /// The attempt; `None` for the latest one.
        #[serde(default)]
        pub attempt: Option<Attempt>,
        /// Compares with the files of this earlier attempt; `None` for what the node started from.
        /// Only for nodes with their own worktree.
        #[serde(default)]
        pub since: Option<Attempt>,
        /// Only the file with this path.
        #[serde(default)]
        pub path: Option<String>,
    }
    /// The changes of a node, up to one of its attempts.
    pub struct NodeDiffView {
        /// The attempt.
        pub attempt: Attempt,
        /// The attempt's session.
        pub session: SessionId,
        /// What the changes are compared with.
        pub basis: DiffBasis,
        /// The commit before the changes; git's empty tree before the first commit.
        pub base: String,
        /// The commit with the changes, or the tree of the current files.
        pub head: String,
        /// `head` is a commit. Otherwise, it may be different at the next request.
        pub committed: bool,
        /// The folder that the paths are relative to.
        pub root: String,
        /// Changed files, sorted by path.
        pub files: Vec<FileDiffView>,
        /// Number of changed files beyond those listed.
        pub files_left_out: u32,
        /// Titles of nodes that worked in the same directory at the same time.
        pub beside: Vec<String>,
    }
    /// The change to one file.
    pub struct FileDiffView {
        /// Which file, and what happened to it.
        pub delta: FileDeltaView,
        /// The file mode before, as git writes it; zeros if there was no file.
        pub old_mode: String,
        /// The file mode after, as git writes it; zeros if there is no file.
        pub new_mode: String,
        /// Another node worked in the same directory when it changed.
        pub shared: bool,
        /// The changed lines.
        pub content: FileDiffContentView,
    }
    /// Sends the comments of a review to the agent of a node that has ended.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct NodeReview {
        pub run: RunId,
        pub node: NodeId,
        /// The session whose changes the person reviewed; refused if the node has a later one.
        /// `None` for the latest.
        pub session: Option<SessionId>,
        pub review: ChangeReview,
    }
}
