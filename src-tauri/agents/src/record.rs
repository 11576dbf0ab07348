//! One line of an agent's output, taken apart without decoding it.
//!
//! The parts borrow from the line. What only the index of a timeline needs (which parts there are, and the
//! ids of tool calls) costs no copy of texts that may be megabytes; a driver or a page decodes on top. So
//! there is one reading of a protocol for both.

use crate::odd;
use crate::part::Part;

/// A line that was understood, or not.
#[derive(Debug, Default)]
pub(crate) struct Record<'a> {
    /// The tool call whose helper agent speaks; `None` for the agent itself.
    pub(crate) parent: Option<String>,
    /// When, by the agent's clock, in milliseconds since 1970.
    pub(crate) at_ms: Option<i64>,
    /// What the line tells, in order.
    pub(crate) parts: Vec<Part<'a>>,
}

/// What `read` makes of a line, with a last part that shows the whole of it when not all of it could be read.
pub(crate) fn noting_losses<'a>(read: impl FnOnce() -> Record<'a>) -> Record<'a> {
    let (mut record, is_odd) = odd::watch(read);
    if is_odd && !matches!(record.parts.last(), Some(Part::Unknown)) {
        record.parts.push(Part::Unknown);
    }
    record
}
