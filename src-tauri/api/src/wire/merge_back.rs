//! Merging back the work of isolated nodes, previews of merges, and files changed by two nodes.

use baton_model::run::{Conflict, ConflictFile, Resolution};
use baton_model::{NodeId, PlanId, RunId, RunState, Timestamp};

use super::wire;

/// How a file changed.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FileDeltaKind {
    Created,
    Changed,
    Deleted,
    /// Moved, and maybe changed.
    Renamed,
}

/// Where a node's work is available.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "place", rename_all = "snake_case")]
pub enum WorkLocation {
    /// In the plan's directory.
    Directory,
    /// On this branch, but not in the plan's directory.
    Branch { name: String },
    /// Nowhere but in commits made by Baton.
    Nowhere,
}

/// How certain it is that both nodes changed a file.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum OverlapProof {
    /// Each worked in its own worktree, so its changes are its own.
    Apart,
    /// Both worked in one directory at the same time, and both claim to have changed it.
    BothSay,
    /// It changed while both worked in one directory. Which of them changed it is unknown.
    SameTime,
}

wire! {
    #[expect(missing_docs, reason = "the names say it")]
    pub struct FileDeltaView {
        /// Relative to the root of the repository.
        pub path: String,
        pub change: FileDeltaKind,
        /// Previous path, if it was moved.
        pub from: Option<String>,
        /// Number of added lines; `None` for binary files.
        pub added: Option<u32>,
        /// Number of removed lines; `None` for binary files.
        pub removed: Option<u32>,
    }
    /// Asks for a preview of merging work back.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct MergeBackPreview {
        pub run: RunId,
        /// The nodes whose work to merge; `None` for all.
        #[serde(default)]
        pub nodes: Option<Vec<NodeId>>,
    }
    /// Work outside of the plan's directory, and the result of merging it back.
    pub struct MergeBackView {
        /// Root of the person's work tree; empty if no node is isolated.
        pub root: String,
        /// Isolated nodes that are done, in plan order.
        pub nodes: Vec<MergeBackNode>,
        /// How many of them have changes that exist only in Baton's own commits.
        pub outside: u32,
        /// Files that would change in the directory, sorted by path.
        pub files: Vec<MergeBackFile>,
        /// Number of changed files beyond those listed.
        pub files_left_out: u32,
        /// Conflicts that the merge would have.
        pub clashes: Vec<MergeConflictView>,
        /// Ignored files that would be overwritten.
        pub in_the_way: Vec<String>,
        /// Titles of nodes that may be working in the directory. Nothing can be written to it until
        /// they end.
        pub at_work: Vec<String>,
        /// An unresolved conflict in a worktree.
        pub open: Option<Conflict>,
        /// The branch to create when the conflict is resolved; `None` to write to the directory.
        pub open_branch: Option<String>,
        /// The agent that was last asked to resolve the conflict.
        pub solver: Option<ConflictAgentRun>,
        /// Merges into the directory, latest first.
        pub brought: Vec<AppliedMergeView>,
    }
    /// A node with its own worktree.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct MergeBackNode {
        pub node: NodeId,
        pub title: String,
        /// Where its work is available.
        pub whereabouts: WorkLocation,
        /// Its work would be merged.
        pub coming: bool,
        /// Files changed by the node itself.
        pub files: Vec<FileDeltaView>,
        /// Number of changed files beyond those listed.
        pub files_left_out: u32,
    }
    /// A file that would change in the directory.
    pub struct MergeBackFile {
        /// The change that would be made to it.
        pub delta: FileDeltaView,
        /// The nodes whose work it contains.
        pub nodes: Vec<NodeId>,
        /// Several changes are combined into a version that no node has produced.
        pub combined: bool,
    }
    /// Two sides whose work conflicts.
    pub struct MergeConflictView {
        /// The side that was merged first.
        pub ours: String,
        /// The side that conflicts with it.
        pub theirs: String,
        /// The files in conflict.
        pub files: Vec<ConflictFile>,
    }
    /// An agent that resolves a merge conflict, running as a plan with one node.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct ConflictAgentRun {
        pub plan: PlanId,
        pub run: RunId,
        /// The state of that run.
        pub state: RunState,
    }
    /// Work that was merged into the directory.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct AppliedMergeView {
        /// The id to use for undoing it.
        pub act: String,
        /// The shared node that received it; `None` if a person merged it.
        pub node: Option<NodeId>,
        pub at: Timestamp,
        /// The nodes whose work it contains.
        pub titles: Vec<String>,
        pub files: Vec<FileDeltaView>,
        /// Number of changed files beyond those listed.
        pub files_left_out: u32,
        /// May have been interrupted by a crash. Merging again completes it.
        pub unfinished: bool,
        pub undone: bool,
    }
    #[expect(missing_docs, reason = "the names say it")]
    pub struct MergeBackApply {
        pub run: RunId,
        /// The nodes whose work to merge, with everything it builds on; `None` for all.
        #[serde(default)]
        pub nodes: Option<Vec<NodeId>>,
        /// A new branch to receive the work, instead of the directory.
        #[serde(default)]
        pub branch: Option<String>,
        /// How to resolve the open conflict. The merge then continues with the nodes and branch of
        /// the call that found it.
        #[serde(default)]
        pub resolution: Option<Resolution>,
    }
    /// The result of merging work back.
    pub struct MergeBackResult {
        /// The branch, if one was created.
        pub branch: Option<String>,
        /// Files that changed in the directory.
        pub files: Vec<FileDeltaView>,
        /// Number of changed files beyond those listed.
        pub files_left_out: u32,
        /// If set, nothing was merged, and the conflicting files are in a worktree.
        pub conflict: Option<Conflict>,
    }
    /// Undoes a merge into the directory.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct MergeBackUndo {
        pub run: RunId,
        /// Id of the merge, from [`AppliedMergeView`].
        pub act: String,
    }
    /// Asks an agent to resolve the open conflict.
    pub struct MergeBackConflictAgent {
        /// The run whose work is being merged.
        pub run: RunId,
        /// `None` for the default agent.
        #[serde(default)]
        pub agent: Option<String>,
    }
    /// What a node would start with.
    pub struct FanInView {
        /// Whose work is merged, in merge order; empty if the node receives no work of isolated
        /// nodes.
        pub sources: Vec<FanInSide>,
        /// Conflicts that the merge would have.
        pub clashes: Vec<MergeConflictView>,
        /// Titles of parents that aren't done yet.
        pub missing: Vec<String>,
        /// The work is merged into the plan's directory.
        pub into_directory: bool,
    }
    /// One side of the merge.
    pub struct FanInSide {
        /// A node's title, or a description of the plan's directory.
        pub title: String,
        /// Its changes compared with the common ancestor of all sides.
        pub files: Vec<FileDeltaView>,
        /// Number of changed files beyond those listed.
        pub files_left_out: u32,
    }
    /// Two parallel nodes that changed the same files.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct OverlapView {
        /// The node that comes first in the plan.
        pub first: NodeId,
        pub second: NodeId,
        pub first_title: String,
        pub second_title: String,
        /// How certain the overlap is.
        pub proof: OverlapProof,
        pub files: Vec<String>,
        /// Number of files beyond those listed.
        pub files_left_out: u32,
    }
}
