//! How strictly an agent node's tool list is enforced.

use serde::{Deserialize, Serialize};

/// What happens to calls of tools that are not in the node's list. Without a list, every tool is
/// allowed.
///
/// Guarded tools are handled separately, based on the tool and the autonomy level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ToolScopeMode {
    /// Depends on the autonomy level: 0 and 1 ask, 2 asks before guarded calls, 3 refuses guarded
    /// calls, 4 allows them.
    #[default]
    ByLevel,
    /// The list is only a hint for the agent.
    Off,
    /// The call runs, and is recorded as one that would have been blocked.
    Log,
    /// The call is refused at levels 1 to 3, and the agent sees the list of allowed tools. Level 0
    /// asks.
    Enforce,
}
