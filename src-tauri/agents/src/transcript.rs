//! What agents write into their own histories, as entries of a timeline.
//!
//! These are other words than those that the same agents print while they run. A line makes the same events, so that a
//! transcript looks like a session that Baton ran. A kind of record that is known to say nothing is passed over; one
//! that is not known is shown as it is.

pub(crate) mod codex;
pub(crate) mod gemini;
pub(crate) mod opencode;
pub(crate) mod pi;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::event::{SessionEvent, ToolResult};
use crate::json_text::summary;
use crate::odd;
use crate::part::Part;
use crate::plain_text::plain;
use crate::record::{Record, noting_losses};

/// What one line tells, decoded.
#[derive(Debug, Default)]
pub(crate) struct Told {
    /// When, in milliseconds since 1970.
    pub(crate) at_ms: Option<i64>,
    /// What, in order; `None` for a record that is not known.
    pub(crate) events: Option<Vec<SessionEvent>>,
}

/// Reads one line without its newline with `tell`. What could not be read of it is noted.
pub(crate) fn read(line: &[u8], tell: fn(&[u8]) -> Result<Told, serde_json::Error>) -> Record<'_> {
    noting_losses(|| read_line(line, tell))
}

fn read_line(line: &[u8], tell: fn(&[u8]) -> Result<Told, serde_json::Error>) -> Record<'_> {
    if line.iter().all(u8::is_ascii_whitespace) {
        return Record::default();
    }
    let Ok(told) = tell(line) else {
        let is_object =
            line.trim_ascii_start().starts_with(b"{") && line.trim_ascii_end().ends_with(b"}");
        return Record {
            parts: vec![if is_object {
                Part::Unknown
            } else {
                Part::Plain
            }],
            ..Record::default()
        };
    };
    let parts = match told.events {
        Some(events) => events
            .into_iter()
            .map(|event| Part::Event(Box::new(event)))
            .collect(),
        None => vec![Part::Unknown],
    };
    Record {
        at_ms: told.at_ms,
        parts,
        ..Record::default()
    }
}

/// A tool begins.
fn started(id: &str, name: &str, input: Value) -> SessionEvent {
    SessionEvent::ToolStarted {
        id: id.to_owned(),
        name: name.to_owned(),
        summary: summary(&input),
        input,
    }
}

/// A tool ended.
fn ended(id: &str, ok: bool, text: &str) -> SessionEvent {
    let result = ToolResult {
        ok,
        denied: false,
        text: plain(text.as_bytes()),
        truncated_bytes: 0,
        end_unknown: false,
        exit_code: None,
        diff: None,
    };
    SessionEvent::ToolEnded {
        id: id.to_owned(),
        result,
    }
}

/// A time like `2026-11-21T01:41:32.781Z`.
fn at(time: Option<&str>) -> Option<i64> {
    time.and_then(|time| time.parse::<jiff::Timestamp>().ok())
        .map(jiff::Timestamp::as_millisecond)
}

#[derive(Deserialize)]
struct Block {
    #[serde(default, deserialize_with = "odd::field")]
    text: Option<String>,
}

/// A text, or the texts of blocks that have one each.
fn texts(raw: Option<&RawValue>) -> Vec<String> {
    match raw {
        Some(raw) if raw.get().starts_with('[') => odd::items::<Block>(raw)
            .into_iter()
            .filter_map(|block| block.text)
            .collect(),
        Some(raw) => odd::read::<Option<String>>(raw)
            .flatten()
            .into_iter()
            .collect(),
        None => Vec::new(),
    }
}
