//! Worktrees that nodes left.

use baton_model::{NodeId, PlanId, RunId};

use super::wire;

/// Whether the work in a worktree is anywhere else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum WorktreeStanding {
    /// Its node may be at work in it: its run has not ended.
    InUse,
    /// It changed nothing, or all of it is on a branch or in the plan's directory.
    Home,
    /// It is kept in commits below `refs/baton/`, and nowhere else.
    Kept,
    /// Files have changed since Baton last kept them.
    Changed,
    /// The repository is gone, or git cannot read the worktree.
    Broken,
}

wire! {
    /// A worktree that is still there.
    pub struct WorktreeView {
        /// Where.
        pub place: String,
        /// The plan.
        pub plan: PlanId,
        /// The plan's title at that time.
        pub plan_title: String,
        /// The run.
        pub run: RunId,
        /// The run is still stored.
        pub run_exists: bool,
        /// The node; none when work on its way home stands there.
        pub node: Option<NodeId>,
        /// The node's title at that time.
        pub title: String,
        /// The repository to which it belongs.
        pub repository: String,
        /// How much room it takes, in bytes.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub bytes: u64,
        /// Whether its work is anywhere else.
        pub standing: WorktreeStanding,
    }
    /// Removes a worktree.
    pub struct WorktreeRemove {
        /// Where it is.
        pub place: String,
        /// Also when its files cannot be kept first, because the repository is gone.
        #[serde(default)]
        pub even_broken: bool,
    }
    /// What became of worktrees that were to be removed.
    pub struct WorktreesRemoved {
        /// How many are gone.
        pub removed: u32,
        /// The commits that hold what was in them, where that was worth keeping.
        pub kept: Vec<String>,
        /// Why others are still there, a sentence each.
        pub refused: Vec<String>,
    }
}
