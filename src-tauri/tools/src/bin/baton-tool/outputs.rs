//! Named outputs: what the node leaves for templates and conditions.

use std::borrow::Cow;
use std::env;
use std::fs::OpenOptions;
use std::io::{self, Write as _};

use serde_json::Value;

/// The file that takes the outputs.
const VARIABLE: &str = "BATON_OUTPUT";
/// What a reader of the file keeps of one value. A value that was cut there would be no JSON any more.
const LIMIT: usize = 64 * 1024;

/// Adds lines to the file of outputs, if there is one.
pub(crate) fn append<'a>(outputs: impl Iterator<Item = (&'a str, String)>) -> io::Result<()> {
    let Some(path) = env::var_os(VARIABLE).filter(|path| !path.is_empty()) else { return Ok(()) };
    let lines: String = outputs.map(|(key, value)| format!("{key}={value}\n")).collect();
    OpenOptions::new().append(true).create(true).open(path)?.write_all(lines.as_bytes())
}

/// A value on one line: a text as it is, if it is one line, and JSON otherwise. Long texts in it are cut until it fits.
pub(crate) fn one_line(value: &Value) -> String {
    if let Value::String(text) = value {
        let text = text.strip_suffix('\n').unwrap_or(text);
        let text = text.strip_suffix('\r').unwrap_or(text);
        if text.len() <= LIMIT && !text.contains(['\n', '\r']) {
            return text.to_owned();
        }
    }
    fitted(value, LIMIT).to_string()
}

/// `value` with its longest parts cut until its JSON has at most `limit` bytes.
pub(crate) fn fitted(value: &Value, limit: usize) -> Cow<'_, Value> {
    let mut fitted = Cow::Borrowed(value);
    let mut part = limit;
    while part > 0 && fitted.to_string().len() > limit {
        part /= 2;
        fitted = Cow::Owned(cut(value, part));
    }
    fitted
}

/// `value` with texts of at most `limit` bytes and lists of at most `limit` items. What is cut says so.
fn cut(value: &Value, limit: usize) -> Value {
    match value {
        Value::String(text) if text.len() > limit => {
            let kept = &text[..text.floor_char_boundary(limit)];
            format!("{kept} [Cut by Baton: the first {} of {} bytes.]", kept.len(), text.len()).into()
        }
        Value::Array(items) => {
            let left_out = items.len().saturating_sub(limit);
            let note = (left_out > 0).then(|| Value::from(format!("[Cut by Baton: {left_out} more items.]")));
            items.iter().take(limit).map(|item| cut(item, limit)).chain(note).collect()
        }
        Value::Object(fields) => {
            let left_out = fields.len().saturating_sub(limit);
            let note =
                (left_out > 0).then(|| ("[Cut by Baton]".to_owned(), Value::from(format!("{left_out} more fields"))));
            fields.iter().take(limit).map(|(name, value)| (name.clone(), cut(value, limit))).chain(note).collect()
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_value_is_one_line() {
        for (value, line) in [
            (json!("plain"), "plain"),
            (json!("one line\n"), "one line"),
            (json!("two\nlines"), r#""two\nlines""#),
            (json!(""), ""),
            (json!(3), "3"),
            (json!({"a": [1, null]}), r#"{"a":[1,null]}"#),
        ] {
            assert_eq!(one_line(&value), line);
        }
    }

    #[test]
    fn a_long_value_is_cut_and_stays_json() {
        for value in [
            json!({"stdout": "é".repeat(200_000), "exitCode": 0}),
            json!(vec!["x".repeat(100); 10_000]),
            json!("a\n".repeat(100_000)),
        ] {
            let line = one_line(&value);
            assert!(line.len() <= LIMIT, "{}", line.len());
            assert!(serde_json::from_str::<Value>(&line).is_ok());
            assert!(line.contains("[Cut by Baton"), "{}", &line[line.len() - 200..]);
        }
        assert_eq!(
            serde_json::from_str::<Value>(&one_line(&json!({"stdout": "é".repeat(200_000), "exitCode": 0})))
                .expect("JSON")["exitCode"],
            0
        );
    }
}
