//! Splits one line of `claude`'s output into parts without decoding them.

use crate::claude::head::Head;
use crate::claude::{control, message, notice};
use crate::log_format::LogFormat;
use crate::record::{Record, with_loss_marker};
use crate::record_part::RecordPart;

/// One message of `claude --output-format stream-json` per line.
pub const STREAM_FORMAT: LogFormat = LogFormat::lines("claude stream", read);

pub(crate) fn read(line: &[u8]) -> Record<'_> {
    with_loss_marker(|| read_line(line))
}

fn read_line(line: &[u8]) -> Record<'_> {
    if line.iter().all(u8::is_ascii_whitespace) {
        return Record::default();
    }
    let Ok(head) = serde_json::from_slice::<Head<'_>>(line) else {
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
    let parts = match (&*head.kind, head.subtype.as_deref()) {
        ("assistant" | "user", _) => message::parts(&head),
        ("control_response", _) => control::parse_response(line),
        ("control_request", _) => control::parse_request(line),
        (kind, subtype) => notice::parts(kind, subtype, line),
    };
    Record {
        at_ms: head
            .timestamp
            .and_then(|time| time.parse::<jiff::Timestamp>().ok())
            .map(|time| time.as_millisecond()),
        parent: head.parent_tool_use_id,
        parts,
    }
}
