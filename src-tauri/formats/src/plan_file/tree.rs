//! What a file says, before anybody asks what it means: values with their places.
//!
//! YAML and JSON both become this, so that one reader serves both.

use std::collections::HashMap;
use std::fmt;

use super::fault::{FaultKind, Faults};

/// Where something stands in a file. Both numbers count from 1; columns are characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The character within the line.
    pub column: usize,
}

impl Place {
    /// The beginning of a file.
    pub const START: Self = Self { line: 1, column: 1 };
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// How deep lists and mappings may stand in one another. serde_json stops at the same depth.
pub(super) const DEPTH_LIMIT: usize = 128;

/// A value and where it begins.
#[derive(Debug, Clone)]
pub(super) struct Located {
    pub(super) at: Place,
    pub(super) value: Value,
}

/// A value of a file.
#[derive(Debug, Clone)]
pub(super) enum Value {
    /// A text as the file holds it, after its quotes and escapes are undone.
    Scalar(String, ScalarKind),
    /// Values in order.
    List(Vec<Located>),
    /// Keys and values in order, each key once.
    Map(Vec<Entry>),
}

/// What the syntax takes a scalar for; its text is kept beside this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScalarKind {
    Text,
    Null,
    Bool(bool),
    Integer,
    Float,
}

/// A key of a mapping, with its value.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) at: Place,
    pub(super) value: Located,
}

impl Located {
    pub(super) fn is_null(&self) -> bool {
        matches!(self.value, Value::Scalar(_, ScalarKind::Null))
    }

    /// What stands here, for a sentence: `text "yes"`, `a list`.
    pub(super) fn description(&self) -> String {
        match &self.value {
            Value::Scalar(text, ScalarKind::Text) => format!("text {}", quoted(text)),
            Value::Scalar(_, ScalarKind::Null) => "nothing".to_owned(),
            Value::Scalar(text, ScalarKind::Bool(_) | ScalarKind::Integer | ScalarKind::Float) => {
                shortened(text)
            }
            Value::List(_) => "a list".to_owned(),
            Value::Map(_) => "a mapping".to_owned(),
        }
    }
}

/// `text` in quotes on one line, cut to a length that a sentence bears.
pub(super) fn quoted(text: &str) -> String {
    format!("{:?}", shortened(text))
}

fn shortened(text: &str) -> String {
    const LIMIT: usize = 60;
    match text.char_indices().nth(LIMIT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// `entries` with the first of each key; the others become faults.
pub(super) fn without_duplicates(mut entries: Vec<Entry>, faults: &mut Faults) -> Vec<Entry> {
    let mut seen: HashMap<String, Place> = HashMap::with_capacity(entries.len());
    entries.retain(|entry| match seen.get(&entry.key) {
        Some(&first) => {
            faults.add(
                entry.at,
                FaultKind::DuplicateKey {
                    key: entry.key.clone(),
                    first,
                },
            );
            false
        }
        None => {
            seen.insert(entry.key.clone(), entry.at);
            true
        }
    });
    entries
}
