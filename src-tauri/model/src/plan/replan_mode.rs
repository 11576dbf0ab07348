//! Whether a plan is automatically replanned.

use serde::{Deserialize, Serialize};

/// What happens when a run of the plan has failed. A proposal always waits for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ReplanMode {
    /// Nothing, until a person requests it.
    #[default]
    Off,
    /// The default agent proposes a new version, up to `maxRetries` times and at most three times.
    Propose,
}
