//! The output of a session: one log of rows, in which standard output and standard error are in
//! the order in which they were printed.
//!
//! A position is a number of bytes of both streams, counted in that order. Rows are addressed by
//! it, because the number of rows before one is not known until all of them were counted.

use baton_model::SessionId;

pub use baton_output::{OutputHit, OutputRow, OutputStream};

use super::wire;

/// Where a window into the output is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum OutputAnchor {
    /// At the row that contains this position.
    Position {
        /// The position, in bytes.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        position: u64,
    },
    /// At the row with this line number.
    Line {
        /// Counted from 1.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        line: u64,
    },
    /// After the last row.
    End,
}

/// What to find in an output.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum OutputPattern {
    /// Exactly this text.
    #[serde(rename_all = "camelCase")]
    Text {
        /// The text.
        text: String,
        /// Upper and lower case differ.
        case_sensitive: bool,
    },
    /// A regular expression, as in the `regex` crate.
    #[serde(rename_all = "camelCase")]
    Regex {
        /// The expression.
        regex: String,
        /// Upper and lower case differ.
        case_sensitive: bool,
    },
    /// A row that reports an error.
    Error,
}

wire! {
    /// Asks for the rows around a place.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct OutputWindow {
        pub session: SessionId,
        pub anchor: OutputAnchor,
        /// Maximum number of rows before the anchor.
        pub before: u32,
        /// Maximum number of rows from the anchor on.
        pub after: u32,
    }
    /// Rows of an output, in order and without a gap.
    pub struct OutputWindowView {
        /// The rows.
        pub rows: Vec<OutputRow>,
        /// Index in `rows` of the row at the anchor; the number of rows if it is the end.
        pub anchor: u32,
        /// `rows` begins with the first row of the output.
        pub at_start: bool,
        /// `rows` ends with the last row of the output.
        pub at_end: bool,
        /// Bytes of both streams so far.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub size: u64,
        /// Rows from this position on may still change: the output grows there.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub settled: u64,
        /// The session has ended, so nothing changes anymore.
        pub ended: bool,
    }
    /// Asks to search part of an output.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct OutputSearch {
        pub session: SessionId,
        pub pattern: OutputPattern,
        /// The position where the search begins.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub from: u64,
        /// Searches from `from` to the start.
        #[serde(default)]
        pub backwards: bool,
        /// Maximum number of matches.
        pub limit: u32,
    }
    /// The matches in the part of an output that was searched.
    pub struct OutputHits {
        /// The matches, in the order of the search.
        pub hits: Vec<OutputHit>,
        /// Where the search continues.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub searched_to: u64,
        /// The search reached the end, or the start if backwards.
        pub done: bool,
        /// Bytes of both streams so far.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub size: u64,
    }
    /// How many lines of an output were counted.
    pub struct OutputLineCount {
        /// Bytes whose lines were counted.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub counted: u64,
        /// Bytes of both streams so far.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub size: u64,
        /// Number of lines; null while not all of them were counted.
        #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
        pub lines: Option<u64>,
    }
    /// Asks for the text of a part of an output.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct OutputTextRange {
        pub session: SessionId,
        /// The position of the first row.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub from: u64,
        /// The position of the row after the last one.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub to: u64,
        /// Keeps the codes for colors.
        pub colors: bool,
    }
    /// The text of a part of an output.
    pub struct OutputText {
        /// The text, with a newline after each line.
        pub text: String,
        /// Where the text continues; `to` at its end.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub next: u64,
    }
}
