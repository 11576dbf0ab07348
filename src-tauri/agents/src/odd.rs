//! Values that do not fit: what other programs print is not always what they say it is.
//!
//! A number where a text should stand, a number beyond all bounds, half a character: each costs its own field and nothing
//! else, and whoever reads hears that something was lost.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

thread_local! {
    /// The fields that were lost on this thread so far. Only [`watch`] looks at it, so that reading stays a function of
    /// the line.
    static LOST: Cell<u64> = const { Cell::new(0) };
}

/// Reads a field; one whose value does not fit is read as if it were not there. For `deserialize_with`.
pub(crate) fn field<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    deserializer: D,
) -> Result<T, D::Error> {
    let raw = <&RawValue>::deserialize(deserializer)?;
    Ok(serde_json::from_str(raw.get()).unwrap_or_else(|_| {
        lost();
        T::default()
    }))
}

/// Reads a field that may hold anything; what does not fit within it costs no more than its own place. For
/// `deserialize_with`.
pub(crate) fn any<'de, D: Deserializer<'de>, T: From<Value>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Ok(value(<&RawValue>::deserialize(deserializer)?).into())
}

/// What `raw` holds, or nothing when it holds something else.
pub(crate) fn read<'a, T: Deserialize<'a>>(raw: &'a RawValue) -> Option<T> {
    serde_json::from_str(raw.get()).inspect_err(|_| lost()).ok()
}

/// The items of a list, each as far as it can be read; none when it is no list.
pub(crate) fn items<'a, T: Deserialize<'a>>(raw: &'a RawValue) -> Vec<T> {
    let raws: Option<Vec<&RawValue>> = read::<Option<_>>(raw).flatten();
    raws.into_iter().flatten().filter_map(read).collect()
}

/// The value that `raw` holds. A number beyond all bounds is the text of it.
pub(crate) fn value(raw: &RawValue) -> Value {
    value_within(raw, DEEPEST)
}

/// How deep a value is taken apart that cannot be read as a whole; what is deeper is the text of it.
const DEEPEST: u32 = 32;

fn value_within(raw: &RawValue, depth: u32) -> Value {
    serde_json::from_str(raw.get()).unwrap_or_else(|_| piecewise(raw, depth))
}

fn piecewise(raw: &RawValue, depth: u32) -> Value {
    let text = raw.get();
    let Some(depth) = depth.checked_sub(1) else {
        lost();
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
    lost();
    Value::String(text.to_owned())
}

/// Takes note that a part of what is read is lost.
pub(crate) fn lost() {
    LOST.set(LOST.get().wrapping_add(1));
}

/// What `read` gives, and whether fields were lost meanwhile.
pub(crate) fn watch<T>(read: impl FnOnce() -> T) -> (T, bool) {
    let before = LOST.get();
    let given = read();
    (given, LOST.get() != before)
}

/// `line` as text that JSON can be read from: what is no character is a replacement character.
pub(crate) fn legible(line: &[u8]) -> Cow<'_, [u8]> {
    let text = match String::from_utf8_lossy(line) {
        Cow::Borrowed(_) if !names_surrogates(line) => return Cow::Borrowed(line),
        text => text,
    };
    Cow::Owned(without_lone_surrogates(&text).into_bytes())
}

fn names_surrogates(line: &[u8]) -> bool {
    line.windows(3)
        .any(|window| matches!(window, [b'\\', b'u', b'd' | b'D']))
}

/// Replaces each escape of half a character that its other half does not stand beside.
fn without_lone_surrogates(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        whole.push_str(before);
        let length = match (surrogate(escape), escape.get(6..).and_then(surrogate)) {
            (Some(Half::First), Some(Half::Second)) => 12,
            (Some(_), _) => {
                whole.push('\u{fffd}');
                rest = &escape[6..];
                continue;
            }
            // Also the backslash that is escaped itself, so that what follows it is no escape.
            (None, _) => 1 + escape[1..].chars().next().map_or(0, char::len_utf8),
        };
        whole.push_str(&escape[..length]);
        rest = &escape[length..];
    }
    whole + rest
}

enum Half {
    First,
    Second,
}

/// The half of a character that `text` begins with the escape of.
fn surrogate(text: &str) -> Option<Half> {
    let code = u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()?;
    match code {
        0xd800..0xdc00 => Some(Half::First),
        0xdc00..0xe000 => Some(Half::Second),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> String {
        String::from_utf8(legible(line.as_bytes()).into_owned()).expect("text")
    }

    #[test]
    fn half_a_character_is_replaced_and_a_whole_one_is_not() {
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
            &*legible(b"\"\xff\\ud800\""),
            "\"\u{fffd}\u{fffd}\"".as_bytes()
        );
    }

    #[test]
    fn a_number_beyond_all_bounds_costs_its_own_place() {
        let raw: &RawValue = serde_json::from_str(r#"{"a": [1, 1e999], "b": "x"}"#).expect("JSON");
        let (read, odd) = watch(|| value(raw));
        assert_eq!(
            (read, odd),
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
    fn a_value_that_does_not_fit_costs_its_own_field() {
        for (line, count, is_odd) in [
            (r#"{"count": 3, "word": "x"}"#, Some(3), false),
            (r#"{"count": null, "word": "x"}"#, None, false),
            (r#"{"word": "x"}"#, None, false),
            (r#"{"count": -3, "word": "x"}"#, None, true),
            (r#"{"count": 1e999, "word": "x"}"#, None, true),
            (r#"{"count": {"a": []}, "word": "x"}"#, None, true),
        ] {
            let (read, odd) = watch(|| serde_json::from_str::<Counted>(line).expect("an object"));
            assert_eq!(
                (read.count, read.word.as_deref(), odd),
                (count, Some("x"), is_odd),
                "{line}"
            );
        }
    }
}
