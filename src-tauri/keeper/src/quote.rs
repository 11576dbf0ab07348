//! A message that gives the program back what it said itself, as it said it.
//!
//! Whoever reads the session's files sees masks where secrets stood, so it cannot repeat what the program said. It names
//! the place instead: a value of a line of JSON on stdout. The keeper, which remembers what it took out, puts the whole
//! of it into what the program reads; `stdin.jsonl` holds it masked. Nothing but that one value is ever put back.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A message with a value of the program's own output in its middle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quote {
    /// What stands before the value.
    pub before: String,
    /// Where in `stdout` the line begins, in bytes.
    pub line: u64,
    /// Where in the line the value stands, as a JSON pointer.
    pub pointer: String,
    /// What stands behind the value.
    pub after: String,
    /// What is written when the value cannot be had any more.
    pub otherwise: String,
}

/// A quote that was looked up.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Quoted {
    /// What the program reads.
    pub(crate) whole: String,
    /// What is recorded.
    pub(crate) masked: String,
}

impl Quote {
    /// The message, given the line as it was said and as it is stored; `None` when the value is not in it.
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

/// The text of the value at `pointer` in a line of JSON, to the letter.
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
