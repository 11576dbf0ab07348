//! The result of a tool call, before decoding.

use baton_output::{RenderedText, render_text};
use serde_json::value::RawValue;

use crate::event::{DiffHunk, ToolResult};
use crate::image::images_in_raw;

/// The result of a tool call, before decoding.
#[derive(Debug)]
pub(crate) struct ToolResultPart<'a> {
    pub(crate) id: String,
    pub(crate) content: Option<&'a RawValue>,
    pub(crate) is_error: bool,
    /// The tool did not run because a person or a rule denied it.
    pub(crate) denied: bool,
    /// The client's own structured result, with the patch of an edit.
    pub(crate) detail: Option<Detail<'a>>,
    /// Renders the content as text.
    pub(crate) to_text: fn(&RawValue) -> String,
    /// The blocks in which the images are.
    pub(crate) images: Option<&'a RawValue>,
    /// How the exit code is known, if this ran a command.
    pub(crate) exit: ExitCodeSource,
}

/// A client's structured result beside the content.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Detail<'a> {
    pub(crate) raw: &'a RawValue,
    /// Finds the change to a file; `None` when the result is about something else.
    pub(crate) diff: fn(&RawValue) -> Option<Vec<DiffHunk>>,
}

/// Where the exit code of a command is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExitCodeSource {
    /// In the text of an error. No error means 0.
    InText,
    /// In a field of its own.
    Reported(i32),
    Unreported,
}

impl ExitCodeSource {
    /// The exit code, if a field of its own holds it.
    pub(crate) fn code(self) -> Option<i32> {
        match self {
            Self::Reported(code) => Some(code),
            Self::InText | Self::Unreported => None,
        }
    }
}

impl ToolResultPart<'_> {
    pub(crate) fn decode(&self) -> ToolResult {
        let text = self.content.map(self.to_text).unwrap_or_default();
        let exit_code = self
            .exit
            .code()
            .or_else(|| exit_code(&text).filter(|_| self.is_error))
            .filter(|_| !self.denied);
        let RenderedText { text, styles } = render_text(&text);
        ToolResult {
            ok: !self.is_error,
            denied: self.denied,
            exit_code,
            end_unknown: self.exit == ExitCodeSource::Unreported && !self.is_error && !self.denied,
            text,
            styles,
            truncated_bytes: 0,
            diff: self.detail.and_then(|detail| (detail.diff)(detail.raw)),
            images: self.images.map(images_in_raw).unwrap_or_default(),
        }
    }
}

/// The exit code in the text of a failed command. A command that succeeded has no such line.
fn exit_code(text: &str) -> Option<i32> {
    text.strip_prefix("Exit code ")?
        .lines()
        .next()?
        .trim()
        .parse()
        .ok()
}
