//! The values of a file to be written, and how plan values become them.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Number;

/// A value to be written.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Document {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Document>),
    /// A list whose mappings always use one line per key, however short they are.
    Blocks(Vec<Document>),
    Map(Vec<(String, Document)>),
}

pub(super) fn json(document: &Document) -> String {
    let mut text = serde_json::to_string_pretty(document).unwrap_or_default();
    text.push('\n');
    text
}

impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(flag) => flag.serialize(serializer),
            Self::Number(number) => number.serialize(serializer),
            Self::Text(text) => text.serialize(serializer),
            Self::List(items) | Self::Blocks(items) => items.serialize(serializer),
            Self::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

/// The entries of a mapping so far. Methods leave out values that equal the default.
#[derive(Default)]
pub(super) struct Entries(pub(super) Vec<(String, Document)>);

impl Entries {
    pub(super) fn put(&mut self, key: &str, value: impl Into<Document>) {
        self.0.push((key.to_owned(), value.into()));
    }

    pub(super) fn put_unless<T: PartialEq + Into<Document>>(
        &mut self,
        key: &str,
        value: T,
        default: T,
    ) {
        if value != default {
            self.put(key, value);
        }
    }

    pub(super) fn text(&mut self, key: &str, text: &str) {
        self.put_unless(key, text, "");
    }

    pub(super) fn some(&mut self, key: &str, value: Option<impl Into<Document>>) {
        if let Some(value) = value {
            self.put(key, value);
        }
    }

    pub(super) fn texts(&mut self, key: &str, texts: &[String]) {
        if !texts.is_empty() {
            self.put(key, texts);
        }
    }

    pub(super) fn json(&mut self, key: &str, map: &serde_json::Map<String, serde_json::Value>) {
        if !map.is_empty() {
            self.put(key, map);
        }
    }
}

impl Document {
    /// Whole numbers, which is nearly all of them, are written without a fraction; `None` if
    /// `value` is not a number.
    pub(super) fn number(value: f64) -> Option<Self> {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        let is_whole = value.fract() == 0.0
            && value.abs() < EXACT
            && !(value == 0.0 && value.is_sign_negative());
        let number = if is_whole {
            Some(Number::from(value as i64))
        } else {
            Number::from_f64(value)
        };
        number.map(Self::Number)
    }
}

impl From<bool> for Document {
    fn from(flag: bool) -> Self {
        Self::Bool(flag)
    }
}

impl From<&str> for Document {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<u8> for Document {
    fn from(number: u8) -> Self {
        Self::Number(number.into())
    }
}

impl From<u32> for Document {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<u64> for Document {
    fn from(number: u64) -> Self {
        Self::Number(number.into())
    }
}

impl From<&[String]> for Document {
    fn from(texts: &[String]) -> Self {
        Self::List(texts.iter().map(|text| text.as_str().into()).collect())
    }
}

impl From<&serde_json::Map<String, serde_json::Value>> for Document {
    /// Sorted by key, because the order of a serde_json map depends on its features.
    fn from(map: &serde_json::Map<String, serde_json::Value>) -> Self {
        let mut entries: Vec<_> = map
            .iter()
            .map(|(key, value)| (key.clone(), value.into()))
            .collect();
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        Self::Map(entries)
    }
}

impl From<&serde_json::Value> for Document {
    fn from(value: &serde_json::Value) -> Self {
        match value {
            serde_json::Value::Null => Self::Null,
            serde_json::Value::Bool(flag) => Self::Bool(*flag),
            serde_json::Value::Number(number) => Self::Number(number.clone()),
            serde_json::Value::String(text) => text.as_str().into(),
            serde_json::Value::Array(items) => Self::List(items.iter().map(Self::from).collect()),
            serde_json::Value::Object(map) => map.into(),
        }
    }
}
