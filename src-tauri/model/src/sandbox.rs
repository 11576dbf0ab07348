//! Whether the sessions of a node are kept from Baton's data and from what other programs run.

use serde::{Deserialize, Serialize};

use crate::Node;
use crate::plan::PlanSettings;

/// Whether sessions run in a sandbox, where the system allows one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum SandboxMode {
    /// They do.
    #[default]
    On,
    /// They do not: for work that needs `sudo` or containers, and that a person has looked at.
    Off,
}

impl SandboxMode {
    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde hands over a reference"
    )]
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Node {
    /// Whether the node's sessions run in a sandbox, in a plan with these settings.
    #[must_use]
    pub fn sandbox_in(&self, settings: &PlanSettings) -> SandboxMode {
        self.sandbox.unwrap_or(settings.sandbox)
    }
}
