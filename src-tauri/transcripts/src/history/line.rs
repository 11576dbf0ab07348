//! One line of a history, which may contain any bytes.

use std::borrow::Cow;

use memchr::memchr;
use memchr::memmem::Finder;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use crate::history::TOOL_OUTPUT_BYTES;

/// The line, or a part of it, is not a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unreadable;

/// Reads the records of a line: usually one, or two when two writers collided and a newline is
/// missing.
///
/// Invalid UTF-8 is replaced. An error means that the line, or a part of it, is not a record.
pub(crate) fn for_each_record(
    line: &[u8],
    read: &mut dyn FnMut(&[u8]) -> Result<(), serde_json::Error>,
) -> Result<(), Unreadable> {
    let line = line.trim_ascii();
    if line.is_empty() || read(line).is_ok() {
        return Ok(());
    }
    let repaired = String::from_utf8_lossy(line);
    // A valid record of an unknown shape is not an error in the file.
    if serde_json::from_str::<IgnoredAny>(&repaired).is_ok() {
        drop(read(repaired.as_bytes()));
        return Ok(());
    }
    let mut stream = serde_json::Deserializer::from_str(&repaired).into_iter::<IgnoredAny>();
    let mut start = 0;
    while let Some(Ok(_)) = stream.next() {
        drop(read(
            repaired.as_bytes()[start..stream.byte_offset()].trim_ascii(),
        ));
        start = stream.byte_offset();
    }
    Err(Unreadable)
}

/// Decodes a record and ignores unknown fields.
pub(crate) fn parse<'a, T: Deserialize<'a>>(record: &'a [u8]) -> Result<T, serde_json::Error> {
    serde_json::from_slice(record)
}

/// Identifying keys are searched within this many bytes from the beginning of a line.
const SIGNATURE_WINDOW: usize = 1024;

/// Recognizes tool results by the bytes of their keys, without decoding. Quotes inside texts are
/// escaped, so that no text can look like a key.
#[derive(Debug)]
pub(crate) struct LineSignature {
    start: Finder<'static>,
    required: [Finder<'static>; 2],
    forbidden: Finder<'static>,
}

impl LineSignature {
    /// Matches lines that begin with `start`, contain both of `required`, and do not contain
    /// `forbidden`, near their beginning.
    pub(crate) fn new(
        start: &'static str,
        required: [&'static str; 2],
        forbidden: &'static str,
    ) -> Self {
        Self {
            start: Finder::new(start),
            required: required.map(Finder::new),
            forbidden: Finder::new(forbidden),
        }
    }

    /// Whether a line is one such record. Two records on one line do not match.
    pub(crate) fn matches(&self, line: &[u8]) -> bool {
        let head = &line[..line.len().min(SIGNATURE_WINDOW)];
        line.starts_with(self.start.needle())
            && line.ends_with(b"}")
            && self
                .required
                .iter()
                .all(|required| required.find(head).is_some())
            && self.forbidden.find(head).is_none()
            && self
                .start
                .find(&line[self.start.needle().len()..])
                .is_none()
    }
}

/// The texts of a JSON value: of a string itself, of blocks their `text` fields. Other values
/// have none.
pub(crate) fn texts(raw: &RawValue) -> Vec<Cow<'_, str>> {
    match raw.get().as_bytes().first() {
        Some(b'"') => string(raw).into_iter().collect(),
        Some(b'[') => {
            let blocks = serde_json::from_str::<Vec<Block<'_>>>(raw.get()).unwrap_or_default();
            blocks.into_iter().filter_map(|block| block.text).collect()
        }
        Some(b'{') => serde_json::from_str::<LegacyContent<'_>>(raw.get())
            .map(|older| vec![older.content])
            .unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// The text of a JSON string, copied only when it contains escapes.
pub(crate) fn string(raw: &RawValue) -> Option<Cow<'_, str>> {
    let inner = raw.get().strip_prefix('"')?.strip_suffix('"')?;
    if memchr(b'\\', inner.as_bytes()).is_none() {
        return Some(Cow::Borrowed(inner));
    }
    serde_json::from_str::<String>(raw.get())
        .ok()
        .map(Cow::Owned)
}

/// The beginning of a tool result: a text or blocks. Text beyond the search limit is not decoded.
pub(crate) fn text_prefixes(raw: &RawValue) -> Vec<Cow<'_, str>> {
    if !raw.get().starts_with('"') || raw.get().len() <= MAX_DECODED_BYTES {
        return texts(raw);
    }
    // An escape takes up to twelve bytes and must not be split.
    let ends = (MAX_DECODED_BYTES - 12..=MAX_DECODED_BYTES)
        .rev()
        .filter(|end| raw.get().is_char_boundary(*end));
    let whole =
        |end: usize| serde_json::from_str::<String>(&format!("{}\"", &raw.get()[..end])).ok();
    ends.filter_map(whole).take(1).map(Cow::Owned).collect()
}

/// This many bytes of JSON contain the searched part of a tool result, unless nearly all of it is
/// escaped.
const MAX_DECODED_BYTES: usize = 2 * TOOL_OUTPUT_BYTES as usize;

#[derive(Deserialize)]
struct Block<'a> {
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct LegacyContent<'a> {
    #[serde(borrow)]
    content: Cow<'a, str>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_signature_ignores_content() {
        let answer = r#"{"parentUuid":null,"message":{"role":"user","content":[{"type":"tool_result","content":"x"}]},"uuid":"1"}"#;
        let quoted = answer.replace("\"x\"", r#""{\"parentUuid\":1,\"role\":\"assistant\"}""#);
        let prompt = r#"{"parentUuid":null,"message":{"role":"user","content":"say \"type\":\"tool_result\""}}"#;
        let says = r#"{"parentUuid":null,"message":{"role":"assistant","content":[{"input":{"role":"user","type":"tool_result"}}]}}"#;
        for (line, expected) in [
            (answer.to_owned(), true),
            (quoted, true),
            (prompt.to_owned(), false),
            (says.to_owned(), false),
            (format!("{answer}{answer}"), false),
            (format!("{}{prompt}", &answer[..80]), false),
            (answer[..answer.len() - 1].to_owned(), false),
        ] {
            assert_eq!(
                super::super::claude::is_answer(line.as_bytes()),
                expected,
                "{line}"
            );
        }
    }

    #[test]
    fn decodes_prefix_of_long_text() {
        for unit in ["a", "ü", "\\n", "\\u00fc", "\\ud83d\\ude00", "\\\\", "😀"] {
            for shift in 0..13 {
                let raw = format!(
                    "\"{}{}\"",
                    "x".repeat(shift),
                    unit.repeat(MAX_DECODED_BYTES)
                );
                let raw: &RawValue = serde_json::from_str(&raw).expect("JSON");
                let whole = string(raw).expect("a text");
                let begin = text_prefixes(raw).concat();
                assert!(
                    whole.starts_with(&begin) && begin.len() > 1_000,
                    "{unit} {shift}"
                );
            }
        }
    }
}
