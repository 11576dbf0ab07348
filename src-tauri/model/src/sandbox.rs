//! Whether a node's sessions are isolated from Baton's data and from other programs' processes.

use serde::{Deserialize, Serialize};

/// Whether sessions run in a sandbox, where the operating system provides one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SandboxMode {
    /// Sessions run in a sandbox wherever one is available.
    #[default]
    On,
    /// No sandbox, for reviewed work that needs `sudo` or containers.
    Off,
}

impl SandboxMode {
    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde passes a reference"
    )]
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}
