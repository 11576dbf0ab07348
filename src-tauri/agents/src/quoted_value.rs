//! Values from an agent's output that are sent back to it exactly.

use baton_secrets::MASK;

use crate::task::{Input, InputMessage, Quote};

/// The place of a value in an agent's output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ValueLocation {
    /// The byte offset of its line in standard output.
    pub(crate) line: u64,
    /// The place in the line, as a JSON pointer.
    pub(crate) pointer: String,
}

/// A line of JSON that repeats a value of the agent. The value is used as read. If secrets were
/// masked or lone surrogates replaced in it, the input instead points to the original output,
/// because a mask must never be written to a file.
///
/// `otherwise` is the line to write when the original is no longer available.
pub(crate) fn input_with_quoted_value(
    key: String,
    surrounding: (&str, &str),
    value: &str,
    place: &ValueLocation,
    otherwise: String,
) -> Input {
    let (before, after) = surrounding;
    let message = if value.contains(MASK) || value.contains(char::REPLACEMENT_CHARACTER) {
        InputMessage::Quote(Quote {
            before: before.to_owned(),
            line: place.line,
            pointer: place.pointer.clone(),
            after: after.to_owned(),
            otherwise,
        })
    } else {
        InputMessage::Text([before, value, after].concat())
    };
    Input { key, message }
}
