//! Named outputs, which templates and conditions of other nodes use.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::env;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use baton_model::count::format_quantity;
use nix::fcntl::OFlag;
use serde_json::Value;

/// The path of the outputs file.
const OUTPUT_FILE_VARIABLE: &str = "BATON_OUTPUT";
/// The limit on a value, in bytes. Readers of the file truncate longer values, which would break
/// JSON.
const OUTPUT_LIMIT: usize = 64 * 1024;

/// Appends lines to the outputs file, if there is one.
pub(crate) fn append<'a>(outputs: impl Iterator<Item = (&'a str, String)>) -> io::Result<()> {
    let Some(path) = path() else { return Ok(()) };
    let lines: String = outputs
        .map(|(key, value)| format!("{key}={value}\n"))
        .collect();
    open(
        OpenOptions::new().append(true).create(true).mode(0o600),
        &path,
    )?
    .write_all(lines.as_bytes())
}

/// Returns the current length of the outputs file in bytes.
pub(crate) fn written_length() -> u64 {
    path()
        .and_then(|path| std::fs::metadata(path).ok())
        .map_or(0, |meta| meta.len())
}

/// Returns the outputs of one loop iteration: `result`, the fields of a result that is an object,
/// and what the call itself wrote to the file after its first `before` bytes.
pub(crate) fn collect_outputs(result: &Value, before: u64) -> BTreeMap<String, String> {
    let mut outputs: BTreeMap<String, String> = [("result".to_owned(), one_line(result))].into();
    let fields = result.as_object().into_iter().flatten();
    outputs.extend(fields.map(|(name, value)| (name.clone(), one_line(value))));
    let lines = written_after(before);
    outputs.extend(
        lines
            .lines()
            .filter_map(|line| line.split_once('='))
            .map(|(key, value)| (key.to_owned(), value.to_owned())),
    );
    outputs
}

fn written_after(before: u64) -> String {
    let read = || {
        let mut file = open(OpenOptions::new().read(true), &path()?).ok()?;
        file.seek(SeekFrom::Start(before)).ok()?;
        let mut bytes = Vec::new();
        file.take(OUTPUT_LIMIT as u64)
            .read_to_end(&mut bytes)
            .ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
    read().unwrap_or_default()
}

/// Opens the outputs file safely. The command may have replaced it: links are not followed, and
/// opening a pipe doesn't block.
fn open(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let flags = OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK;
    let file = options.custom_flags(flags.bits()).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other(format!(
            "{} is not a regular file",
            path.display()
        )));
    }
    Ok(file)
}

fn path() -> Option<PathBuf> {
    env::var_os(OUTPUT_FILE_VARIABLE)
        .filter(|path| !path.is_empty())
        .map(PathBuf::from)
}

/// Formats a value on one line: as it is if it is a single line of text, otherwise as JSON. Long
/// texts are truncated to fit.
pub(crate) fn one_line(value: &Value) -> String {
    if let Value::String(text) = value {
        let text = text.strip_suffix('\n').unwrap_or(text);
        let text = text.strip_suffix('\r').unwrap_or(text);
        if text.len() <= OUTPUT_LIMIT && !text.contains(['\n', '\r']) {
            return text.to_owned();
        }
    }
    shorten_to_fit(value, OUTPUT_LIMIT).to_string()
}

/// Truncates the longest parts of `value` until its JSON has at most `limit` bytes.
pub(crate) fn shorten_to_fit(value: &Value, limit: usize) -> Cow<'_, Value> {
    let mut fitted = Cow::Borrowed(value);
    let mut part = limit;
    while part > 0 && fitted.to_string().len() > limit {
        part /= 2;
        fitted = Cow::Owned(cut(value, part));
    }
    fitted
}

/// Truncates texts to `limit` bytes and lists to `limit` items, with a note in their place.
fn cut(value: &Value, limit: usize) -> Value {
    match value {
        Value::String(text) if text.len() > limit => {
            let kept = &text[..text.floor_char_boundary(limit)];
            format!(
                "{kept} [Truncated by Baton: showing the first {} of {} bytes.]",
                kept.len(),
                text.len()
            )
            .into()
        }
        Value::Array(items) => {
            let left_out = items.len().saturating_sub(limit);
            let note = (left_out > 0).then(|| {
                Value::from(format!(
                    "[Truncated by Baton: {}.]",
                    format_quantity(left_out, "more item", "more items")
                ))
            });
            items
                .iter()
                .take(limit)
                .map(|item| cut(item, limit))
                .chain(note)
                .collect()
        }
        Value::Object(fields) => {
            let left_out = fields.len().saturating_sub(limit);
            let note = (left_out > 0).then(|| {
                (
                    "[Truncated by Baton]".to_owned(),
                    Value::from(format_quantity(left_out, "more field", "more fields")),
                )
            });
            fields
                .iter()
                .take(limit)
                .map(|(name, value)| (name.clone(), cut(value, limit)))
                .chain(note)
                .collect()
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn output_value_is_one_line() {
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
    fn long_value_is_cut_to_valid_json() {
        for value in [
            json!({"stdout": "é".repeat(200_000), "exitCode": 0}),
            json!(vec!["x".repeat(100); 10_000]),
            json!("a\n".repeat(100_000)),
        ] {
            let line = one_line(&value);
            assert!(line.len() <= OUTPUT_LIMIT, "{}", line.len());
            assert!(serde_json::from_str::<Value>(&line).is_ok());
            assert!(
                line.contains("[Truncated by Baton"),
                "{}",
                &line[line.len() - 200..]
            );
        }
        assert_eq!(
            serde_json::from_str::<Value>(&one_line(
                &json!({"stdout": "é".repeat(200_000), "exitCode": 0})
            ))
            .expect("JSON")["exitCode"],
            0
        );
    }
}
