//! Timeline entries from the agents' own histories.
//!
//! Histories use other formats than the output of a running agent. Their lines give the same
//! events, so that a transcript looks like a session that Baton ran. Records that are known to be
//! irrelevant are skipped, and unknown ones are shown as they are.

use baton_output::{RenderedText, render_text};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::event::{SessionEvent, ToolResult};
use crate::image::{TimelineImage, images_in_raw};
use crate::json_text::summary;
use crate::lenient_json;
use crate::record::{Record, with_loss_marker};
use crate::record_part::RecordPart;

/// The events of one line.
#[derive(Debug, Default)]
pub(crate) struct DecodedLine {
    /// The line's time, in milliseconds since 1970.
    pub(crate) at_ms: Option<i64>,
    /// In the order of the line; `None` for an unknown record.
    pub(crate) events: Option<Vec<SessionEvent>>,
}

/// Reads one line without its newline, with `decode`. Losses are marked.
pub(crate) fn read(
    line: &[u8],
    decode: fn(&[u8]) -> Result<DecodedLine, serde_json::Error>,
) -> Record<'_> {
    with_loss_marker(|| read_line(line, decode))
}

fn read_line(
    line: &[u8],
    decode: fn(&[u8]) -> Result<DecodedLine, serde_json::Error>,
) -> Record<'_> {
    if line.iter().all(u8::is_ascii_whitespace) {
        return Record::default();
    }
    let Ok(decoded) = decode(line) else {
        let is_object =
            line.trim_ascii_start().starts_with(b"{") && line.trim_ascii_end().ends_with(b"}");
        return Record {
            parts: vec![if is_object {
                RecordPart::Unknown
            } else {
                RecordPart::Plain
            }],
            ..Record::default()
        };
    };
    let parts = match decoded.events {
        Some(events) => events
            .into_iter()
            .map(|event| RecordPart::Event(Box::new(event)))
            .collect(),
        None => vec![RecordPart::Unknown],
    };
    Record {
        at_ms: decoded.at_ms,
        parts,
        ..Record::default()
    }
}

pub(crate) fn started(id: &str, name: &str, input: Value) -> SessionEvent {
    SessionEvent::ToolStarted {
        id: id.to_owned(),
        name: name.to_owned(),
        summary: summary(&input),
        input,
    }
}

pub(crate) fn ended(id: &str, ok: bool, text: &str) -> SessionEvent {
    ended_with_images(id, ok, text, Vec::new())
}

pub(crate) fn ended_with_images(
    id: &str,
    ok: bool,
    text: &str,
    images: Vec<TimelineImage>,
) -> SessionEvent {
    let RenderedText { text, styles } = render_text(text);
    let result = ToolResult {
        ok,
        denied: false,
        text,
        styles,
        truncated_bytes: 0,
        end_unknown: false,
        exit_code: None,
        diff: None,
        images,
    };
    SessionEvent::ToolEnded {
        id: id.to_owned(),
        result,
    }
}

/// Milliseconds since 1970 for a time like `2026-11-21T01:41:32.781Z`.
pub(crate) fn at(time: Option<&str>) -> Option<i64> {
    time.and_then(|time| time.parse::<jiff::Timestamp>().ok())
        .map(jiff::Timestamp::as_millisecond)
}

#[derive(Deserialize)]
struct Block {
    #[serde(default, deserialize_with = "lenient_json::field")]
    text: Option<String>,
}

/// The images in a list of blocks, each as an event.
pub(crate) fn image_events(raw: Option<&RawValue>) -> impl Iterator<Item = SessionEvent> {
    let images = raw.map(images_in_raw).unwrap_or_default().into_iter();
    images.map(|image| SessionEvent::Image { image })
}

/// A text, or the texts of a list of blocks.
pub(crate) fn texts(raw: Option<&RawValue>) -> Vec<String> {
    match raw {
        Some(raw) if raw.get().starts_with('[') => lenient_json::items::<Block>(raw)
            .into_iter()
            .filter_map(|block| block.text)
            .collect(),
        Some(raw) => lenient_json::parse::<Option<String>>(raw)
            .flatten()
            .into_iter()
            .collect(),
        None => Vec::new(),
    }
}
