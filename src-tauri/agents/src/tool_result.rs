//! A tool's result as it stands in a line, before it is decoded.

use serde_json::value::RawValue;

use crate::event::{DiffHunk, ToolResult};
use crate::plain_text::plain;

/// A tool's result before it is decoded.
#[derive(Debug)]
pub(crate) struct ToolResultPart<'a> {
    pub(crate) id: String,
    pub(crate) content: Option<&'a RawValue>,
    pub(crate) is_error: bool,
    /// The tool did not run because somebody or some rule said no.
    pub(crate) denied: bool,
    /// The client's own description of the result, with the patch of an edit.
    pub(crate) detail: Option<Detail<'a>>,
    /// How the content is put into words.
    pub(crate) words: fn(&RawValue) -> String,
    /// What is known of the exit code, if this ran a command.
    pub(crate) exit: Exit,
}

/// A client's own description of a result, beside its content.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Detail<'a> {
    pub(crate) raw: &'a RawValue,
    /// Finds what the tool changed in a file; `None` where the description is of something else.
    pub(crate) diff: fn(&RawValue) -> Option<Vec<DiffHunk>>,
}

/// What is known of the exit code of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// An error tells it in its words, and what is no error went well.
    InWords,
    /// The agent tells it beside the words.
    Told(i32),
    /// The agent does not tell it.
    Untold,
}

impl Exit {
    /// The code, where it is told beside the words.
    pub(crate) fn code(self) -> Option<i32> {
        match self {
            Self::Told(code) => Some(code),
            Self::InWords | Self::Untold => None,
        }
    }
}

impl ToolResultPart<'_> {
    /// The result in full.
    pub(crate) fn decode(&self) -> ToolResult {
        let text = self.content.map(self.words).unwrap_or_default();
        ToolResult {
            ok: !self.is_error,
            denied: self.denied,
            exit_code: self
                .exit
                .code()
                .or_else(|| exit_code(&text).filter(|_| self.is_error))
                .filter(|_| !self.denied),
            end_unknown: self.exit == Exit::Untold && !self.is_error && !self.denied,
            text: plain(text.as_bytes()),
            truncated_bytes: 0,
            diff: self.detail.and_then(|detail| (detail.diff)(detail.raw)),
        }
    }
}

/// The exit code in the result of a command that failed. A command that went well has no such line.
fn exit_code(text: &str) -> Option<i32> {
    text.strip_prefix("Exit code ")?
        .lines()
        .next()?
        .trim()
        .parse()
        .ok()
}
