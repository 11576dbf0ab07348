//! Typed access to the fields of a mapping. Wrong types are reported as faults without stopping.
//!
//! A field without a value (`title:`) counts as absent.

use std::ops::RangeInclusive;

use serde_json::Number;

use super::core_schema;
use super::fault::{FaultKind, Faults};
use super::tree::{Entry, Located, ScalarKind, SourceLocation, Value};
use baton_model::spelling_suggestion::closest_match;

/// The fields of a mapping, and the owner for messages.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields<'t> {
    /// The owner in messages: `the plan`, `node "draft"`.
    pub(super) owner: &'t str,
    pub(super) entries: &'t [Entry],
}

impl<'t> Fields<'t> {
    /// The located value of `key`.
    pub(super) fn get(&self, key: &str) -> Option<&'t Located> {
        self.entries
            .iter()
            .find(|entry| entry.key == key)
            .map(|entry| &entry.value)
            .filter(|value| !value.is_null())
    }

    /// The located value of a required key; `fix` says what to write.
    pub(super) fn required(
        &self,
        key: &'static str,
        fix: &'static str,
        faults: &mut Faults,
    ) -> Option<&'t Located> {
        let found = self.get(key);
        if found.is_none() {
            faults.add(
                self.start(),
                FaultKind::MissingKey {
                    key,
                    owner: self.owner.to_owned(),
                    fix,
                },
            );
        }
        found
    }

    /// The location of the mapping.
    pub(super) fn start(&self) -> SourceLocation {
        self.entries
            .iter()
            .map(|entry| entry.at)
            .min()
            .unwrap_or(SourceLocation::START)
    }

    pub(super) fn text(&self, key: &str, faults: &mut Faults) -> Option<String> {
        text(self.get(key)?, &self.describe_key(key), faults)
    }

    pub(super) fn texts(&self, key: &str, faults: &mut Faults) -> Vec<String> {
        let name = self.describe_key(key);
        let items = self.list(key, faults);
        items
            .iter()
            .filter_map(|item| text(item, &format!("an item of {name}"), faults))
            .collect()
    }

    pub(super) fn list(&self, key: &str, faults: &mut Faults) -> &'t [Located] {
        match self.get(key) {
            None => &[],
            Some(Located {
                value: Value::List(items),
                ..
            }) => items,
            Some(other) => {
                wrong_type(other, &self.describe_key(key), "a list", faults);
                &[]
            }
        }
    }

    pub(super) fn map(&self, key: &str, faults: &mut Faults) -> Option<&'t [Entry]> {
        match self.get(key)? {
            Located {
                value: Value::Map(entries),
                ..
            } => Some(entries),
            other => {
                wrong_type(other, &self.describe_key(key), "a mapping", faults);
                None
            }
        }
    }

    pub(super) fn whole_number<T: TryFrom<u64>>(
        &self,
        key: &'static str,
        range: RangeInclusive<u64>,
        faults: &mut Faults,
    ) -> Option<T> {
        whole_number(self.get(key)?, key, self.owner, range, faults)
    }

    pub(super) fn number(&self, key: &str, faults: &mut Faults) -> Option<f64> {
        let located = self.get(key)?;
        let number = match &located.value {
            Value::Scalar(text, ScalarKind::Integer | ScalarKind::Float) => {
                core_schema::number(text)
            }
            _ => None,
        };
        if number.is_none() {
            wrong_type(located, &self.describe_key(key), "a number", faults);
        }
        number
    }

    pub(super) fn flag(&self, key: &str, faults: &mut Faults) -> Option<bool> {
        match self.get(key)? {
            Located {
                value: Value::Scalar(_, ScalarKind::Bool(flag)),
                ..
            } => Some(*flag),
            other => {
                wrong_type(other, &self.describe_key(key), "true or false", faults);
                None
            }
        }
    }

    pub(super) fn keyword<T: Copy>(
        &self,
        key: &'static str,
        words: &[(&'static str, T)],
        faults: &mut Faults,
    ) -> Option<T> {
        let found = self.text(key, faults)?;
        if let Some((_, value)) = words.iter().find(|(word, _)| *word == found) {
            return Some(*value);
        }
        let known: Vec<_> = words.iter().map(|(word, _)| *word).collect();
        let nearest = closest_match(&found, known.iter().copied());
        let at = self
            .get(key)
            .map_or(SourceLocation::START, |value| value.at);
        faults.add(
            at,
            FaultKind::UnknownWord {
                key,
                owner: self.owner.to_owned(),
                found,
                nearest,
                known,
            },
        );
        None
    }

    pub(super) fn json(
        &self,
        key: &str,
        faults: &mut Faults,
    ) -> serde_json::Map<String, serde_json::Value> {
        let entries = self.map(key, faults).unwrap_or_default();
        json_map(
            entries,
            &format!("a value in {}", self.describe_key(key)),
            faults,
        )
    }

    /// Reports all keys that are not among `known`.
    pub(super) fn refuse_unknown(&self, known: &[&str], faults: &mut Faults) {
        for entry in self
            .entries
            .iter()
            .filter(|entry| !known.contains(&entry.key.as_str()))
        {
            let nearest = closest_match(&entry.key, known.iter().copied()).map(str::to_owned);
            let kind = FaultKind::UnknownKey {
                key: entry.key.clone(),
                owner: self.owner.to_owned(),
                nearest,
            };
            faults.add(entry.at, kind);
        }
    }

    /// The field in messages.
    pub(super) fn describe_key(&self, key: &str) -> String {
        format!("\"{key}\" of {}", self.owner)
    }
}

/// The text at `located`. Numbers and booleans are accepted as they are spelled: `title: 2024`
/// means text.
pub(super) fn text(located: &Located, name: &str, faults: &mut Faults) -> Option<String> {
    match &located.value {
        Value::Scalar(text, kind) if *kind != ScalarKind::Null => Some(text.clone()),
        _ => {
            wrong_type(located, name, "text", faults);
            None
        }
    }
}

/// The whole number at `located`, which is the value of `key` or an item in it.
pub(super) fn whole_number<T: TryFrom<u64>>(
    located: &Located,
    key: &'static str,
    owner: &str,
    range: RangeInclusive<u64>,
    faults: &mut Faults,
) -> Option<T> {
    let Value::Scalar(text, ScalarKind::Integer) = &located.value else {
        wrong_type(
            located,
            &format!("\"{key}\" of {owner}"),
            "a whole number",
            faults,
        );
        return None;
    };
    let number = core_schema::integer(text).and_then(|number| u64::try_from(number).ok());
    let fitting = number
        .filter(|number| range.contains(number))
        .and_then(|number| T::try_from(number).ok());
    if fitting.is_none() {
        let (least, most) = (*range.start(), *range.end());
        let kind = FaultKind::OutOfRange {
            key,
            owner: owner.to_owned(),
            least,
            most,
            found: text.clone(),
        };
        faults.add(located.at, kind);
    }
    fitting
}

pub(super) fn wrong_type(
    located: &Located,
    name: &str,
    expected: &'static str,
    faults: &mut Faults,
) {
    let kind = FaultKind::WrongType {
        what: name.to_owned(),
        expected,
        found: located.description(),
    };
    faults.add(located.at, kind);
}

fn json_map(
    entries: &[Entry],
    name: &str,
    faults: &mut Faults,
) -> serde_json::Map<String, serde_json::Value> {
    entries
        .iter()
        .map(|entry| (entry.key.clone(), json(&entry.value, name, faults)))
        .collect()
}

/// The value at `located` as JSON.
pub(super) fn json(located: &Located, name: &str, faults: &mut Faults) -> serde_json::Value {
    match &located.value {
        Value::Scalar(text, ScalarKind::Text) => text.clone().into(),
        Value::Scalar(_, ScalarKind::Null) => serde_json::Value::Null,
        Value::Scalar(_, ScalarKind::Bool(flag)) => (*flag).into(),
        Value::Scalar(text, ScalarKind::Integer | ScalarKind::Float) => json_number(text)
            .unwrap_or_else(|| {
                wrong_type(located, name, "a finite number", faults);
                serde_json::Value::Null
            }),
        Value::List(items) => items.iter().map(|item| json(item, name, faults)).collect(),
        Value::Map(entries) => json_map(entries, name, faults).into(),
    }
}

/// Whole numbers stay exact within JSON's 64 bits.
fn json_number(text: &str) -> Option<serde_json::Value> {
    let whole = core_schema::integer(text).and_then(Number::from_i128);
    whole
        .or_else(|| Number::from_f64(core_schema::number(text)?))
        .map(serde_json::Value::Number)
}
