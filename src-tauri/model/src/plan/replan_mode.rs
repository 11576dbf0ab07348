//! Whether a plan is planned anew by itself.

use serde::{Deserialize, Serialize};

/// What happens when a run of the plan has failed. Whatever is planned waits for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ReplanMode {
    /// Nothing, until a person asks.
    #[default]
    Off,
    /// The default agent proposes a new version, as often as `maxRetries` says and at most three times.
    Propose,
}
