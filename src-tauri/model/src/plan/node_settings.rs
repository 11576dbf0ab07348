//! Settings of a node that fall back to those of its plan.

use super::{Plan, PlanSettings};
use crate::Node;
use crate::isolation::Isolation;
use crate::sandbox::SandboxMode;

impl Node {
    /// Returns where the node works in a plan with these settings.
    ///
    /// Nodes that run no program on files (questions, conditions, planners, notes) have no
    /// worktree. Nor has a sub-plan: its own settings decide.
    #[must_use]
    pub fn isolation_in(&self, settings: &PlanSettings) -> Isolation {
        match self.touches_files() {
            true => self.isolation.unwrap_or(settings.isolation),
            false => Isolation::Shared,
        }
    }

    /// Whether the node's sessions run in a sandbox in a plan with these settings.
    #[must_use]
    pub fn sandbox_in(&self, settings: &PlanSettings) -> SandboxMode {
        self.sandbox.unwrap_or(settings.sandbox)
    }
}

impl Plan {
    /// Whether any node works in its own worktree.
    #[must_use]
    pub fn has_worktrees(&self) -> bool {
        self.nodes
            .iter()
            .any(|node| node.isolation_in(&self.settings) == Isolation::Worktree)
    }
}
