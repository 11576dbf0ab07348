//! How strictly an agent node is held to its list of tools.

use serde::{Deserialize, Serialize};

/// What becomes of a tool call that the node's list does not name. Without a list nothing is outside of it.
///
/// Guards are another matter: what they say follows from the tool and the level of autonomy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ToolScopeMode {
    /// The level of autonomy says: 0 and 1 ask, 2 asks about guarded calls, 3 refuses these, 4 lets them run.
    #[default]
    ByLevel,
    /// The list is a hint for the agent and binds nobody.
    Off,
    /// The call runs, and is written down as one that would have been blocked.
    Log,
    /// The call is refused at levels 1 to 3, and the agent is told which tools there are. Level 0 asks.
    Enforce,
}
