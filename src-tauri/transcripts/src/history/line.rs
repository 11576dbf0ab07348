//! One line of a history, whatever its bytes.

use std::borrow::Cow;

use memchr::memchr;
use memchr::memmem::Finder;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use crate::history::TOOL_OUTPUT_BYTES;

/// A line holds no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unreadable;

/// Reads the records of a line: usually one, two when two writers met and a newline went missing.
///
/// Bytes that are no UTF-8 are replaced. An error says that the line, or a part of it, holds no record.
pub(crate) fn for_each_record(
    line: &[u8],
    read: &mut dyn FnMut(&[u8]) -> Result<(), serde_json::Error>,
) -> Result<(), Unreadable> {
    let line = line.trim_ascii();
    if line.is_empty() || read(line).is_ok() {
        return Ok(());
    }
    let repaired = String::from_utf8_lossy(line);
    // A record of another shape than this version knows is no fault of the file.
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

/// A record, with everything that does not fit left out.
pub(crate) fn parse<'a, T: Deserialize<'a>>(record: &'a [u8]) -> Result<T, serde_json::Error> {
    serde_json::from_slice(record)
}

/// How far into a line the keys that say what it is are looked for.
const SIGNATURE_WINDOW: usize = 1024;

/// What tells a tool's answer from other lines, by the bytes of its keys. Nothing is decoded: within a text a quote is
/// escaped, so that no text of a tool looks like a key.
#[derive(Debug)]
pub(crate) struct LineSignature {
    start: Finder<'static>,
    required: [Finder<'static>; 2],
    forbidden: Finder<'static>,
}

impl LineSignature {
    /// Lines that begin with `start` and have both of `required` and nothing of `forbidden` near their beginning.
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

    /// Whether a line is one such record. Two records that ran into each other are not one.
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

/// The texts of a JSON value: a string is one, blocks have one each as `text`; anything else has none.
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

/// The text of a JSON string, copied only where something in it is escaped.
pub(crate) fn string(raw: &RawValue) -> Option<Cow<'_, str>> {
    let inner = raw.get().strip_prefix('"')?.strip_suffix('"')?;
    if memchr(b'\\', inner.as_bytes()).is_none() {
        return Some(Cow::Borrowed(inner));
    }
    serde_json::from_str::<String>(raw.get())
        .ok()
        .map(Cow::Owned)
}

/// The beginning of a tool's answer: a text or blocks. What is cut off later is not decoded first.
pub(crate) fn text_prefixes(raw: &RawValue) -> Vec<Cow<'_, str>> {
    if !raw.get().starts_with('"') || raw.get().len() <= MAX_DECODED_BYTES {
        return texts(raw);
    }
    // An escape takes up to twelve bytes, and must not be cut in two.
    let ends = (MAX_DECODED_BYTES - 12..=MAX_DECODED_BYTES)
        .rev()
        .filter(|end| raw.get().is_char_boundary(*end));
    let whole =
        |end: usize| serde_json::from_str::<String>(&format!("{}\"", &raw.get()[..end])).ok();
    ends.filter_map(whole).take(1).map(Cow::Owned).collect()
}

/// So many bytes of JSON hold what is searched of a tool's answer, unless nearly all of it is escaped.
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
