//! What an executor does with a run that it takes over from an executor that may still be alive.

use serde::{Deserialize, Serialize};

/// What happens to a run when a silent or foreign executor was displaced. If the previous executor
/// is known to be gone, the run continues without a check or question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum OnTakeover {
    /// The run resumes immediately.
    Continue,
    /// Command criteria of finished nodes are rerun first, where files have changed since they were
    /// met.
    #[default]
    Verify,
    /// A person decides whether the run resumes.
    Review,
}
