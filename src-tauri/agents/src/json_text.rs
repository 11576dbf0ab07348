//! Strings inside JSON that other programs wrote: decoded where needed, cut where too long, summed up.

use serde_json::Value;
use serde_json::value::RawValue;

use crate::plain_text::{cut, one_line};

/// The keys that say best what a tool works on, best first. Names of several agents' tools.
const TELLING_KEYS: &[&str] = &[
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

/// The string that `raw` encodes; its JSON text when it is something else.
pub(crate) fn string(raw: &RawValue) -> String {
    serde_json::from_str(raw.get()).unwrap_or_else(|_| raw.get().to_owned())
}

/// What a tool's input is about, on one line.
pub(crate) fn summary(input: &Value) -> String {
    let any = || {
        input
            .as_object()?
            .values()
            .find_map(Value::as_str)
            .map(|text| one_line(text, 200))
    };
    telling(input).or_else(any).unwrap_or_default()
}

/// The part of a tool's input that says best what it is about, on one line, where there is one.
pub(crate) fn telling(input: &Value) -> Option<String> {
    let told = TELLING_KEYS
        .iter()
        .find_map(|key| input.get(key).and_then(Value::as_str));
    told.map(|text| one_line(text, 200))
}

/// Cuts the strings in `value` until they hold `limit` bytes together; returns how many bytes went.
pub(crate) fn cut_strings(value: &mut Value, limit: usize) -> u64 {
    let mut left = limit;
    cut_within(value, &mut left)
}

fn cut_within(value: &mut Value, left: &mut usize) -> u64 {
    match value {
        Value::String(text) => {
            let gone = cut(text, *left);
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
    fn the_summary_prefers_what_tells_most() {
        for (input, told) in [
            (
                json!({"description": "Run", "command": "cargo\ntest"}),
                "cargo test",
            ),
            (json!({"content": "x", "file_path": "/a"}), "/a"),
            (json!({"count": 3, "other": "words"}), "words"),
            (json!({"count": 3}), ""),
            (json!("text"), ""),
        ] {
            assert_eq!(summary(&input), told);
        }
    }

    #[test]
    fn long_strings_share_one_budget() {
        let mut value = json!({"a": "12345", "b": ["678", 1]});
        assert_eq!(cut_strings(&mut value, 6), 2);
        assert_eq!(value, json!({"a": "12345", "b": ["6", 1]}));
    }
}
