//! Worktrees that nodes left behind.

use baton_model::{NodeId, PlanId, RunId};

use super::wire;

/// Whether the work in a worktree is saved elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WorktreeStatus {
    /// Its run hasn't ended, so its node may be working in it.
    InUse,
    /// No changes, or all of them are on a branch or in the plan's directory.
    Home,
    /// Saved only in commits below `refs/baton/`.
    Kept,
    /// Files have changed since Baton last saved them.
    Changed,
    /// The repository is gone, or git can't read the worktree.
    Broken,
}

wire! {
    /// A worktree that still exists.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct WorktreeView {
        pub place: String,
        pub plan: PlanId,
        /// The plan's title at that time.
        pub plan_title: String,
        pub run: RunId,
        /// The run is still stored.
        pub run_exists: bool,
        /// `None` for a worktree that merges a run's work back.
        pub node: Option<NodeId>,
        /// The node's title at that time.
        pub title: String,
        /// The repository that the worktree belongs to.
        pub repository: String,
        /// Disk usage in bytes.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub bytes: u64,
        /// Whether its work is saved elsewhere.
        pub standing: WorktreeStatus,
    }
    #[expect(missing_docs, reason = "the names say it")]
    pub struct WorktreeRemove {
        pub place: String,
        /// Remove it even if its files can't be saved first because the repository is gone.
        #[serde(default)]
        pub even_broken: bool,
    }
    /// The result of removing worktrees.
    pub struct WorktreesRemoved {
        /// How many were removed.
        pub removed: u32,
        /// Commits that contain work from them that was worth saving.
        pub kept: Vec<String>,
        /// Why others were not removed, one sentence each.
        pub refused: Vec<String>,
    }
}
