//! Strings inside JSON from other programs: decoding, truncation and one-line summaries.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::plain_text::{one_line, truncate};

/// Decodes `raw` as `T`; `None` when it has another shape.
pub(crate) fn parse<'a, T: Deserialize<'a>>(raw: &'a RawValue) -> Option<T> {
    serde_json::from_str(raw.get()).ok()
}

/// The keys that describe a tool call best, in order of preference, for the tools of several
/// agents.
const SUMMARY_KEYS: &[&str] = &[
    "command",
    "cmd",
    "file_path",
    "filePath",
    "filepath",
    "absolute_path",
    "path",
    "notebook_path",
    "pattern",
    "query",
    "url",
    "description",
    "prompt",
    "skill",
    "name",
];

/// The string that `raw` encodes. For anything else, its JSON text.
pub(crate) fn string(raw: &RawValue) -> String {
    serde_json::from_str(raw.get()).unwrap_or_else(|_| raw.get().to_owned())
}

/// A tool's input on one line.
pub(crate) fn summary(input: &Value) -> String {
    let any = || {
        input
            .as_object()?
            .values()
            .find_map(Value::as_str)
            .map(|text| one_line(text, 200))
    };
    summary_field(input).or_else(any).unwrap_or_default()
}

/// The field of a tool's input that describes it best, on one line.
pub(crate) fn summary_field(input: &Value) -> Option<String> {
    let described = SUMMARY_KEYS
        .iter()
        .find_map(|key| input.get(key).and_then(Value::as_str));
    described.map(|text| one_line(text, 200))
}

/// Cuts the strings in `value` until they hold `limit` bytes together. Returns the number of
/// bytes removed.
pub(crate) fn cut_strings(value: &mut Value, limit: usize) -> u64 {
    let mut left = limit;
    cut_within(value, &mut left)
}

fn cut_within(value: &mut Value, left: &mut usize) -> u64 {
    match value {
        Value::String(text) => {
            let gone = truncate(text, *left);
            *left -= text.len();
            gone
        }
        Value::Array(items) => items.iter_mut().map(|item| cut_within(item, left)).sum(),
        Value::Object(fields) => fields
            .values_mut()
            .map(|field| cut_within(field, left))
            .sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn summary_prefers_informative_keys() {
        for (input, described) in [
            (
                json!({"description": "Run", "command": "cargo\ntest"}),
                "cargo test",
            ),
            (json!({"content": "x", "file_path": "/a"}), "/a"),
            (json!({"count": 3, "other": "words"}), "words"),
            (json!({"count": 3}), ""),
            (json!("text"), ""),
        ] {
            assert_eq!(summary(&input), described);
        }
    }

    #[test]
    fn long_strings_share_one_budget() {
        let mut value = json!({"a": "12345", "b": ["678", 1]});
        assert_eq!(cut_strings(&mut value, 6), 2);
        assert_eq!(value, json!({"a": "12345", "b": ["6", 1]}));
    }
}
