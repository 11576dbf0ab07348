//! One line of a history, whatever its bytes.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

/// A line holds no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unreadable;

/// Reads the records of a line: usually one, two when two writers met and a newline went missing.
///
/// Bytes that are no UTF-8 are replaced. An error says that the line, or a part of it, holds no record.
pub(crate) fn each(
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
        drop(read(repaired.as_bytes()[start..stream.byte_offset()].trim_ascii()));
        start = stream.byte_offset();
    }
    Err(Unreadable)
}

/// A record, with everything that does not fit left out.
pub(crate) fn parse<'a, T: Deserialize<'a>>(record: &'a [u8]) -> Result<T, serde_json::Error> {
    serde_json::from_slice(record)
}

/// The texts of a JSON value: a string is one, blocks have one each as `text`; anything else has none.
pub(crate) fn texts(raw: &RawValue) -> Vec<Cow<'_, str>> {
    match raw.get().as_bytes().first() {
        Some(b'"') => string(raw).into_iter().collect(),
        Some(b'[') => {
            let blocks = serde_json::from_str::<Vec<Block<'_>>>(raw.get()).unwrap_or_default();
            blocks.into_iter().filter_map(|block| block.text).collect()
        }
        Some(b'{') => serde_json::from_str::<Older<'_>>(raw.get()).map(|older| vec![older.content]).unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// The text of a JSON string, copied only where something in it is escaped.
pub(crate) fn string(raw: &RawValue) -> Option<Cow<'_, str>> {
    match serde_json::from_str::<&str>(raw.get()) {
        Ok(text) => Some(Cow::Borrowed(text)),
        Err(_) => serde_json::from_str::<String>(raw.get()).ok().map(Cow::Owned),
    }
}

#[derive(Deserialize)]
struct Block<'a> {
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Older<'a> {
    #[serde(borrow)]
    content: Cow<'a, str>,
}
