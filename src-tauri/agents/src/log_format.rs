//! The formats in which a timeline reads the standard output of a session.
//!
//! An agent's module defines its formats as constants next to the function that reads a line. The
//! timeline only calls that function, so it doesn't depend on any agent.

use std::fmt;

use crate::record::Record;
use crate::record_part::RecordPart;

/// The format of a session's standard output. Standard error is plain text for every agent.
#[derive(Clone, Copy)]
pub struct LogFormat {
    name: &'static str,
    read_line: ReadLine,
    outgoing: Option<OutgoingReader>,
}

/// Reads one line without its newline.
type ReadLine = for<'a> fn(&'a [u8]) -> Record<'a>;

/// Reads what Baton writes to a session, for protocols whose agents do not repeat it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OutgoingReader {
    /// The messages in text that was written at once, in order.
    pub(crate) messages: fn(&str) -> Vec<OutgoingMessage>,
    /// The number of Baton's request that a line of output answers.
    pub(crate) answered_request: fn(&[u8]) -> Option<u64>,
}

/// A message that Baton wrote and that belongs in the timeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OutgoingMessage {
    /// The agent read the prompt after it had answered request number `after`.
    Prompt { after: u64, text: String },
    /// The decision on a permission request.
    Answer { request: String, allowed: bool },
}

impl LogFormat {
    /// Text for a terminal.
    pub const PLAIN: Self = Self::lines("plain", read_plain);

    /// One message per line.
    pub(crate) const fn lines(name: &'static str, read_line: ReadLine) -> Self {
        Self {
            name,
            read_line,
            outgoing: None,
        }
    }

    pub(crate) const fn with_outgoing(self, outgoing: OutgoingReader) -> Self {
        Self {
            outgoing: Some(outgoing),
            ..self
        }
    }

    /// Whether standard output is text without messages.
    #[must_use]
    pub fn is_plain(self) -> bool {
        self == Self::PLAIN
    }

    pub(crate) fn read(self, line: &[u8]) -> Record<'_> {
        (self.read_line)(line)
    }

    pub(crate) fn outgoing(self) -> Option<OutgoingReader> {
        self.outgoing
    }
}

fn read_plain(_: &[u8]) -> Record<'_> {
    Record {
        parts: vec![RecordPart::Plain],
        ..Record::default()
    }
}

impl PartialEq for LogFormat {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for LogFormat {}

impl fmt::Debug for LogFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LogFormat({})", self.name)
    }
}
