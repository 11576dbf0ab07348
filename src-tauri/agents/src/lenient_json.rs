//! Deserialization that tolerates values of the wrong type.
//!
//! Other programs do not always print what their documentation says: a number instead of a text,
//! a number out of range, half a surrogate pair. Such a value costs only its own field, and the
//! caller learns that something was lost.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

thread_local! {
    /// The number of fields lost on this thread so far. Only [`detect_losses`] reads it, so that
    /// reading stays a function of the line.
    static LOST_FIELDS: Cell<u64> = const { Cell::new(0) };
}

/// Reads a field as missing when its value has the wrong type. For `deserialize_with`.
pub(crate) fn field<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    deserializer: D,
) -> Result<T, D::Error> {
    let raw = <&RawValue>::deserialize(deserializer)?;
    Ok(serde_json::from_str(raw.get()).unwrap_or_else(|_| {
        record_loss();
        T::default()
    }))
}

/// Reads a field that may hold anything. A value inside it that cannot be read costs only its own
/// place. For `deserialize_with`.
pub(crate) fn any_value<'de, D: Deserializer<'de>, T: From<Value>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Ok(value(<&RawValue>::deserialize(deserializer)?).into())
}

/// Decodes `raw`; `None` when it holds something else.
pub(crate) fn parse<'a, T: Deserialize<'a>>(raw: &'a RawValue) -> Option<T> {
    serde_json::from_str(raw.get())
        .inspect_err(|_| record_loss())
        .ok()
}

/// The items of a list, each as far as it can be read. Empty when `raw` is not a list.
pub(crate) fn items<'a, T: Deserialize<'a>>(raw: &'a RawValue) -> Vec<T> {
    let raws: Option<Vec<&RawValue>> = parse::<Option<_>>(raw).flatten();
    raws.into_iter().flatten().filter_map(parse).collect()
}

/// The value that `raw` holds. A number out of range becomes its text.
pub(crate) fn value(raw: &RawValue) -> Value {
    value_within(raw, MAX_DEPTH)
}

/// How deep a value is split up when it cannot be read as a whole. Deeper values become their
/// text.
const MAX_DEPTH: u32 = 32;

fn value_within(raw: &RawValue, depth: u32) -> Value {
    serde_json::from_str(raw.get()).unwrap_or_else(|_| value_piece_by_piece(raw, depth))
}

fn value_piece_by_piece(raw: &RawValue, depth: u32) -> Value {
    let text = raw.get();
    let Some(depth) = depth.checked_sub(1) else {
        record_loss();
        return Value::String(text.to_owned());
    };
    let fields = || serde_json::from_str::<BTreeMap<String, &RawValue>>(text);
    let items = || serde_json::from_str::<Vec<&RawValue>>(text);
    if let (true, Ok(fields)) = (text.starts_with('{'), fields()) {
        return fields
            .into_iter()
            .map(|(name, field)| (name, value_within(field, depth)))
            .collect();
    }
    if let (true, Ok(items)) = (text.starts_with('['), items()) {
        return items
            .into_iter()
            .map(|item| value_within(item, depth))
            .collect();
    }
    record_loss();
    Value::String(text.to_owned())
}

/// Records that a field was lost.
pub(crate) fn record_loss() {
    LOST_FIELDS.set(LOST_FIELDS.get().wrapping_add(1));
}

/// The result of `read`, and whether fields were lost while it ran.
pub(crate) fn detect_losses<T>(read: impl FnOnce() -> T) -> (T, bool) {
    let before = LOST_FIELDS.get();
    let given = read();
    (given, LOST_FIELDS.get() != before)
}

/// `line` with invalid UTF-8 and lone surrogates replaced, so that it can be parsed as JSON.
pub(crate) fn sanitize_line(line: &[u8]) -> Cow<'_, [u8]> {
    let text = match String::from_utf8_lossy(line) {
        Cow::Borrowed(_) if !has_surrogate_escape(line) => return Cow::Borrowed(line),
        text => text,
    };
    Cow::Owned(without_lone_surrogates(&text).into_bytes())
}

fn has_surrogate_escape(line: &[u8]) -> bool {
    line.windows(3)
        .any(|window| matches!(window, [b'\\', b'u', b'd' | b'D']))
}

/// Replaces each escaped surrogate that is not part of a pair.
fn without_lone_surrogates(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        whole.push_str(before);
        let length = match (surrogate(escape), escape.get(6..).and_then(surrogate)) {
            (Some(SurrogateHalf::First), Some(SurrogateHalf::Second)) => 12,
            (Some(_), _) => {
                whole.push('\u{fffd}');
                rest = &escape[6..];
                continue;
            }
            // This includes an escaped backslash, so that the text after it is not taken for an
            // escape.
            (None, _) => 1 + escape[1..].chars().next().map_or(0, char::len_utf8),
        };
        whole.push_str(&escape[..length]);
        rest = &escape[length..];
    }
    whole + rest
}

enum SurrogateHalf {
    First,
    Second,
}

/// The surrogate whose escape `text` begins with.
fn surrogate(text: &str) -> Option<SurrogateHalf> {
    let code = u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()?;
    match code {
        0xd800..0xdc00 => Some(SurrogateHalf::First),
        0xdc00..0xe000 => Some(SurrogateHalf::Second),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> String {
        String::from_utf8(sanitize_line(line.as_bytes()).into_owned()).expect("text")
    }

    #[test]
    fn replaces_only_lone_surrogates() {
        for (line, expected) in [
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""a\ud83d b""#, "\"a\u{fffd} b\""),
            (r#""\uDE00\ud83d\ude00""#, "\"\u{fffd}\\ud83d\\ude00\""),
            (r#""\ud83d\ud83d\ude00""#, "\"\u{fffd}\\ud83d\\ude00\""),
            (r#""C:\\ud800 \n""#, r#""C:\\ud800 \n""#),
            (r#""\ud8""#, r#""\ud8""#),
            ("\\", "\\"),
        ] {
            assert_eq!(read(line), expected, "{line}");
        }
        assert_eq!(
            &*sanitize_line(b"\"\xff\\ud800\""),
            "\"\u{fffd}\u{fffd}\"".as_bytes()
        );
    }

    #[test]
    fn out_of_range_number_becomes_text() {
        let raw: &RawValue = serde_json::from_str(r#"{"a": [1, 1e999], "b": "x"}"#).expect("JSON");
        let (read, has_losses) = detect_losses(|| value(raw));
        assert_eq!(
            (read, has_losses),
            (serde_json::json!({"a": [1, "1e999"], "b": "x"}), true)
        );
    }

    #[derive(Deserialize)]
    struct Counted {
        #[serde(default, deserialize_with = "field")]
        count: Option<u64>,
        #[serde(default, deserialize_with = "field")]
        word: Option<String>,
    }

    #[test]
    fn mismatched_value_clears_only_its_field() {
        for (line, count, expected) in [
            (r#"{"count": 3, "word": "x"}"#, Some(3), false),
            (r#"{"count": null, "word": "x"}"#, None, false),
            (r#"{"word": "x"}"#, None, false),
            (r#"{"count": -3, "word": "x"}"#, None, true),
            (r#"{"count": 1e999, "word": "x"}"#, None, true),
            (r#"{"count": {"a": []}, "word": "x"}"#, None, true),
        ] {
            let (read, has_losses) =
                detect_losses(|| serde_json::from_str::<Counted>(line).expect("an object"));
            assert_eq!(
                (read.count, read.word.as_deref(), has_losses),
                (count, Some("x"), expected),
                "{line}"
            );
        }
    }
}
