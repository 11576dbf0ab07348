//! One line of `claude`'s output, taken apart without decoding it.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::claude::{control, message, notice};
use crate::odd;
use crate::part::Part;
use crate::record::{Record, noting_losses};

/// The keys of a line that say what it is. `type` may stand anywhere in it.
#[derive(Deserialize)]
pub(super) struct Head<'a> {
    #[serde(rename = "type", borrow)]
    pub(super) kind: Cow<'a, str>,
    #[serde(default, deserialize_with = "odd::field")]
    pub(super) subtype: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    pub(super) parent_tool_use_id: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    pub(super) timestamp: Option<String>,
    #[serde(borrow)]
    pub(super) message: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) tool_use_result: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) tool_result_meta: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) error: Option<&'a RawValue>,
    #[serde(rename = "isReplay", default, deserialize_with = "odd::field")]
    pub(super) is_replay: bool,
}

/// Reads one line without its newline.
pub(crate) fn read(line: &[u8]) -> Record<'_> {
    noting_losses(|| read_line(line))
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
                Part::Unknown
            } else {
                Part::Plain
            }],
            ..Record::default()
        };
    };
    let parts = match (&*head.kind, head.subtype.as_deref()) {
        ("assistant" | "user", _) => message::parts(&head),
        ("control_response", _) => control::answered(line),
        ("control_request", _) => control::asked(line),
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
