//! One line of an agent's output, split into parts without decoding them.
//!
//! Parts borrow from the line. The index of a timeline needs only the kinds of parts and the ids
//! of tool calls, and copies no texts, which can be megabytes long. Drivers and pages decode the
//! same parts, so each protocol is parsed in one place.

use crate::lenient_json;
use crate::record_part::RecordPart;

/// The parts of one line.
#[derive(Debug, Default)]
pub(crate) struct Record<'a> {
    /// The tool call whose subagent wrote the line; `None` for the agent itself.
    pub(crate) parent: Option<String>,
    /// Milliseconds since 1970, by the agent's clock.
    pub(crate) at_ms: Option<i64>,
    /// In the order of the line.
    pub(crate) parts: Vec<RecordPart<'a>>,
}

/// Runs `read`, and appends a part that shows the whole line when some of it could not be read.
pub(crate) fn with_loss_marker<'a>(read: impl FnOnce() -> Record<'a>) -> Record<'a> {
    let (mut record, has_losses) = lenient_json::detect_losses(read);
    if has_losses && !matches!(record.parts.last(), Some(RecordPart::Unknown)) {
        record.parts.push(RecordPart::Unknown);
    }
    record
}
