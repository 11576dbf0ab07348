//! Whether the sessions of agents get Baton's own tools for their attempt.

use serde::{Deserialize, Serialize};

/// Which agents get tools to read their input, set outputs, report and propose changes, beside their
/// own tools. None of them decides anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SessionTools {
    /// Agents that take a server of tools on their command line.
    #[default]
    Automatic,
    /// Also agents that take one through their protocol.
    On,
    /// None.
    Off,
}

impl SessionTools {
    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde passes a reference"
    )]
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}
