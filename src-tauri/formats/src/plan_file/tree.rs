//! The values of a file with their locations, before they are interpreted.
//!
//! YAML and JSON both become this tree, so that one reader serves both.

use std::fmt;

/// A location in a file. Both numbers count from 1; columns are in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub struct SourceLocation {
    pub line: usize,
    pub column: usize,
}

impl SourceLocation {
    /// The first character of a file.
    pub const START: Self = Self { line: 1, column: 1 };

    /// The location in the file, of a location in a part that begins on line `first`.
    pub(super) const fn shifted_to(self, first: usize) -> Self {
        Self {
            line: self.line + first - 1,
            column: self.column,
        }
    }
}

impl fmt::Display for SourceLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// How deep lists and mappings may be nested. serde_json has the same limit.
pub(crate) const DEPTH_LIMIT: usize = 128;

/// A value and the location of its first character.
#[derive(Debug, Clone)]
pub(crate) struct Located {
    pub(crate) at: SourceLocation,
    pub(crate) value: Value,
}

#[derive(Debug, Clone)]
pub(crate) enum Value {
    /// The text of a scalar, without quotes and escapes.
    Scalar(String, ScalarKind),
    List(Vec<Located>),
    /// In the order of the file, each key once.
    Map(Vec<Entry>),
}

/// The type of a scalar according to the syntax. [`Value::Scalar`] keeps its text too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScalarKind {
    Text,
    Null,
    Bool(bool),
    Integer,
    Float,
}

#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) at: SourceLocation,
    pub(crate) value: Located,
}

impl Located {
    /// The value with its locations in the file, where it is in a part that begins on line `first`.
    pub(super) fn shifted_to(self, first: usize) -> Self {
        let value = match self.value {
            Value::List(items) => Value::List(
                items
                    .into_iter()
                    .map(|item| item.shifted_to(first))
                    .collect(),
            ),
            Value::Map(entries) => Value::Map(
                entries
                    .into_iter()
                    .map(|entry| Entry {
                        at: entry.at.shifted_to(first),
                        value: entry.value.shifted_to(first),
                        key: entry.key,
                    })
                    .collect(),
            ),
            scalar => scalar,
        };
        let at = self.at.shifted_to(first);
        Self { at, value }
    }

    pub(crate) fn is_null(&self) -> bool {
        matches!(self.value, Value::Scalar(_, ScalarKind::Null))
    }

    /// The value in a sentence: `text "yes"`, `a list`.
    pub(crate) fn description(&self) -> String {
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

/// `text` in quotes on one line, shortened to fit into a sentence.
pub(crate) fn quoted(text: &str) -> String {
    format!("{:?}", shortened(text))
}

fn shortened(text: &str) -> String {
    const LIMIT: usize = 60;
    match text.char_indices().nth(LIMIT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
