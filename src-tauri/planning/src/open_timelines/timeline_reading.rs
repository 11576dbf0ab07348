//! How far a timeline was read.

use serde::{Deserialize, Serialize};

/// How far a long timeline has been read.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TimelineReading {
    /// Bytes read so far.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub read: u64,
    /// Size of the files in bytes.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub size: u64,
}
