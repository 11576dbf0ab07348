//! Where a node works: in the plan's directory with all others, or in a git worktree of its own.

use serde::{Deserialize, Serialize};

use crate::node::NodeKind;
use crate::plan::PlanSettings;
use crate::{Node, Plan};

/// Where a node works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Isolation {
    /// In the plan's directory.
    #[default]
    Shared,
    /// In a git worktree of its own, which begins with the merged work of its parents.
    Worktree,
}

impl Node {
    /// Where the node works in a plan with these settings. What calls no program on files has no worktree: questions,
    /// conditions, planners and notes; and a plan within a plan works where that plan says.
    #[must_use]
    pub fn isolation_in(&self, settings: &PlanSettings) -> Isolation {
        match self.touches_files() {
            true => self.isolation.unwrap_or(settings.isolation),
            false => Isolation::Shared,
        }
    }

    /// Whether a program of this node may change files of the plan's directory.
    #[must_use]
    pub fn touches_files(&self) -> bool {
        let asks_only = matches!(
            self.kind,
            NodeKind::UserInput(_)
                | NodeKind::Condition(_)
                | NodeKind::Planning(_)
                | NodeKind::Note(_)
        );
        !asks_only && self.kind.sub_plan().is_none()
    }
}

impl Plan {
    /// Whether any node works in a worktree of its own.
    #[must_use]
    pub fn has_worktrees(&self) -> bool {
        self.nodes
            .iter()
            .any(|node| node.isolation_in(&self.settings) == Isolation::Worktree)
    }
}
