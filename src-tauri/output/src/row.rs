//! A row of output.

use serde::{Deserialize, Serialize};

use crate::StyledRange;

/// The stream that a row was printed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum OutputStream {
    Stdout,
    Stderr,
}

/// A row as a terminal would show it at the end, without wrapping.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct OutputRow {
    /// Where the row begins. Grows from row to row, and is different for each.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub position: u64,
    /// The stream that it was printed to.
    pub stream: OutputStream,
    /// The text: no control characters but tabs.
    pub text: String,
    /// The parts that are not plain, in order.
    pub styles: Vec<StyledRange>,
    /// When it was printed, in milliseconds since 1970; null if that wasn't recorded.
    #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
    pub at_ms: Option<i64>,
    /// Line number, from 1; null while the lines before it were not counted.
    #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
    pub line: Option<u64>,
    /// The row continues the line of an earlier row, because a very long line is several rows.
    pub continued: bool,
}

/// A match of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct OutputHit {
    /// The position of the row that contains it.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub row: u64,
    /// Where it begins in the row's text, in UTF-16 units as in JavaScript.
    pub start: u32,
    /// Where it ends. A match that goes on in the next row ends at the row's end.
    pub end: u32,
}

impl OutputStream {
    /// Both streams.
    pub const ALL: [Self; 2] = [Self::Stdout, Self::Stderr];

    pub(crate) fn other(self) -> Self {
        match self {
            Self::Stdout => Self::Stderr,
            Self::Stderr => Self::Stdout,
        }
    }
}
