//! Values that an agent is sent back as it said them.

use baton_secrets::MASK;

use crate::task::{Input, InputMessage, Quote};

/// Where a value stands in an agent's output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// Where its line begins.
    pub(crate) line: u64,
    /// Where in the line it stands, as a JSON pointer.
    pub(crate) pointer: String,
}

/// A line of JSON, in which a value that the agent said goes where it stood: as it was read, or, where secrets were
/// taken out of it on its way here or half characters replaced, from where the whole of it still is. A file must not be
/// written with a mask in it.
///
/// `otherwise` is the line for when nobody has the whole of it any more.
pub(crate) fn with_original(
    key: String,
    hole: (&str, &str),
    value: &str,
    place: &Place,
    otherwise: String,
) -> Input {
    let (before, after) = hole;
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
