//! Where a node works: in the plan's directory, which all nodes share, or in its own git worktree.

use serde::{Deserialize, Serialize};

/// Where a node works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Isolation {
    /// In the plan's directory, together with other nodes.
    #[default]
    Shared,
    /// In its own git worktree, which starts with the merged work of its parents.
    Worktree,
}
