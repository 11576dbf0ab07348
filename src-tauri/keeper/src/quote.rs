//! A message that repeats a value of the program's own output, unmasked.
//!
//! The session's files contain masks in place of secrets, so their readers cannot repeat the
//! program's output. A quote instead names the place of a value in a JSON line on stdout. The
//! keeper, which remembers what it masked, inserts the original value into the message for the
//! program; `stdin.jsonl` has it masked. No other value is ever unmasked.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A message that contains a value of the program's own output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quote {
    /// The text before the value.
    pub before: String,
    /// The offset of the line in `stdout`, in bytes.
    pub line: u64,
    /// The place of the value in the line, as a JSON pointer.
    pub pointer: String,
    /// The text after the value.
    pub after: String,
    /// The message if the value is no longer known.
    pub otherwise: String,
}

/// A quote with its value.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Quoted {
    /// The text for the program.
    pub(crate) whole: String,
    /// The text for the record.
    pub(crate) masked: String,
}

impl Quote {
    /// The message, given the original and the stored line; `None` if the value is not in it.
    pub(crate) fn of(&self, said: &[u8], stored: &[u8]) -> Option<Quoted> {
        let with = |value: &str| [&self.before, value, &self.after].concat();
        let (said, stored) = (
            value_at(said, &self.pointer)?,
            value_at(stored, &self.pointer)?,
        );
        Some(Quoted {
            whole: with(said),
            masked: with(stored),
        })
    }
}

/// The literal text of the value at `pointer` in a JSON line.
fn value_at<'a>(line: &'a [u8], pointer: &str) -> Option<&'a str> {
    let mut value: &RawValue = serde_json::from_slice(line).ok()?;
    for step in pointer.split('/').skip(1) {
        let step = step.replace("~1", "/").replace("~0", "~");
        value = if value.get().starts_with('[') {
            let items: Vec<&RawValue> = serde_json::from_str(value.get()).ok()?;
            items.get(step.parse::<usize>().ok()?)?
        } else {
            let fields: BTreeMap<Cow<'_, str>, &RawValue> =
                serde_json::from_str(value.get()).ok()?;
            fields.get(step.as_str())?
        };
    }
    Some(value.get())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_value_is_extracted_verbatim() {
        let line =
            br#"{"id": 1, "a/b": [{"x": {"z":1e999, "a":"\ud800"}}, 12345678901234567890123]}"#;
        for (pointer, value) in [
            ("/a~1b/0/x", Some(r#"{"z":1e999, "a":"\ud800"}"#)),
            ("/a~1b/1", Some("12345678901234567890123")),
            ("/id", Some("1")),
            ("/id/0", None),
            ("/nothing", None),
            ("/a~1b/2", None),
        ] {
            assert_eq!(value_at(line, pointer), value, "{pointer}");
        }
        assert_eq!(value_at(b"no json", ""), None);
        assert_eq!(value_at(b"\"\xff\"", ""), None);
    }
}
