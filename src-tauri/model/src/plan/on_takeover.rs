//! What an executor does with a run that it takes over from one that may still live.

use serde::{Deserialize, Serialize};

/// What happens to a run when a silent or foreign executor was displaced. A Baton that goes on with the runs of one that
/// is gone does neither check nor ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum OnTakeover {
    /// The run goes on at once.
    Continue,
    /// The commands among the acceptance criteria of finished nodes run again first, where files changed since they held.
    #[default]
    Verify,
    /// A person decides whether the run goes on.
    Review,
}
