//! The colors of groups and notes.

use serde::{Deserialize, Serialize};

/// A named color of the canvas. The design defines its light and dark values. Colors say nothing
/// about a node's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Color {
    #[default]
    #[serde(alias = "grey")]
    Gray,
    Blue,
    Teal,
    Green,
    Yellow,
    Red,
    Purple,
}
