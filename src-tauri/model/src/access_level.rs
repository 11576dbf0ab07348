//! The access level that an operation requires and that a caller has.

use serde::{Deserialize, Serialize};

/// An access level. Each level includes the ones before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AccessLevel {
    /// Operations that only read.
    Read,
    /// Changes that need no human decision: create, save, propose, start approved plans, pause,
    /// cancel, retry.
    Write,
    /// Human decisions: approve, answer, grant, accept, skip, delete, merge back, change settings.
    Decide,
}

impl AccessLevel {
    /// All levels, lowest first.
    pub const ALL: [Self; 3] = [Self::Read, Self::Write, Self::Decide];

    /// The level's name, as serialized and in the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Decide => "decide",
        }
    }
}
