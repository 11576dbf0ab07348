//! The values that a condition is evaluated with, and how text is converted.

use std::collections::BTreeMap;

use crate::count::format_quantity;
use minijinja::Value;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::reference::{Key, Reference, ReferenceSpan};

/// What is known when a condition is evaluated.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Values {
    /// The nodes of the run, by slug.
    pub nodes: BTreeMap<String, NodeValues>,
    /// The progress of a loop; `None` outside of loops.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<Round>,
}

/// What is known about one node.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct NodeValues {
    /// The serialized name of its state.
    pub state: String,
    /// What it wrote to `BATON_OUTPUT`.
    pub outputs: BTreeMap<String, String>,
    /// Whether `BATON_OUTPUT` has more names than were read.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_cut: bool,
}

/// The progress of a loop when its condition is evaluated.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Round {
    /// The iteration that just ended, from 1.
    pub iteration: u32,
    /// The result of that iteration.
    pub result: Json,
    /// The results of all iterations so far.
    pub results: Vec<Json>,
}

/// Why a reference has no value, as a fragment for people.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(super) struct MissingValue(String);

impl From<String> for MissingValue {
    fn from(reason: String) -> Self {
        Self(reason)
    }
}

impl From<&str> for MissingValue {
    fn from(reason: &str) -> Self {
        Self(reason.to_owned())
    }
}

/// The outputs that hold a node's result, by precedence.
const RESULT_KEYS: [&str; 4] = ["result", "answer", "decision", "taken"];
/// The state of a node that has succeeded.
const DONE: &str = "done";

impl NodeValues {
    /// The output that holds the node's result.
    #[must_use]
    pub fn result(&self) -> Option<&str> {
        RESULT_KEYS
            .into_iter()
            .find_map(|key| self.outputs.get(key))
            .map(String::as_str)
    }

    /// Whether the node is done and its result is truthy.
    #[must_use]
    pub fn is_truthy(&self) -> bool {
        self.state == DONE && self.result().is_none_or(is_yes)
    }

    fn missing(&self, slug: &str, key: &str) -> String {
        match self.outputs.len() {
            0 if self.state != DONE => format!("node '{slug}' is {}, not done", self.state),
            _ => missing_output(slug, key, &self.outputs, self.is_cut),
        }
    }
}

/// Returns why the node `slug` has no output `key`, as a fragment for people. `is_cut` means that
/// not all names were read.
#[must_use]
pub fn missing_output(
    slug: &str,
    key: &str,
    outputs: &BTreeMap<String, String>,
    is_cut: bool,
) -> String {
    let names: Vec<&str> = outputs.keys().map(String::as_str).collect();
    match (names.is_empty(), is_cut) {
        (true, false) => format!("node '{slug}' wrote no outputs to $BATON_OUTPUT"),
        (false, false) => format!("node '{slug}' wrote {} but not '{key}'", names.join(", ")),
        (_, true) => format!(
            "node '{slug}' has no '{key}' in the first 1 MiB of $BATON_OUTPUT, which is all that Baton reads; \
             write long results to a file and its path to $BATON_OUTPUT"
        ),
    }
}

impl Values {
    /// The value of a reference, or why it has none.
    pub(super) fn look_up(&self, place: &ReferenceSpan) -> Result<Value, MissingValue> {
        let node = |slug: &str| {
            self.nodes
                .get(slug)
                .ok_or_else(|| format!("there is no node '{slug}' in this plan"))
        };
        match &place.reference {
            Reference::Truthy { slug } => Ok(self
                .nodes
                .get(slug)
                .is_some_and(NodeValues::is_truthy)
                .into()),
            Reference::State { slug } => Ok(node(slug)?.state.as_str().into()),
            Reference::Result { slug, path } => {
                let node = node(slug)?;
                let result = node.result().ok_or_else(|| node.missing(slug, "result"))?;
                within_text(result, path, place.as_text)
            }
            Reference::Output { slug, path } => output(node(slug)?, slug, path, place.as_text),
            Reference::Round { path } => {
                let round = self
                    .round
                    .as_ref()
                    .ok_or("only the condition of a loop has a result")?;
                within(&round.result, path, place.as_text)
            }
        }
    }

    /// The loop variables that `expression` may use.
    pub(super) fn round_variables(&self, expression: &str) -> Vec<(String, Value)> {
        let Some(round) = &self.round else {
            return Vec::new();
        };
        let mut variables = vec![("iteration".to_owned(), round.iteration.into())];
        // A long loop has many results, and few conditions use them.
        if expression.contains("results") {
            let results = round.results.iter().map(plain).collect::<Vec<_>>();
            variables.push(("results".to_owned(), results.into()));
        }
        variables
    }
}

/// The output that `path` refers to. Keys may contain dots, so the longest existing key wins.
fn output(
    node: &NodeValues,
    slug: &str,
    path: &[Key],
    as_text: bool,
) -> Result<Value, MissingValue> {
    if path.is_empty() {
        return Ok(Value::from_pairs(
            node.outputs
                .iter()
                .map(|(key, text)| (key.as_str(), typed(text, as_text))),
        ));
    }
    let names: Vec<&str> = path
        .iter()
        .map_while(|key| {
            if let Key::Name(name) = key {
                Some(&**name)
            } else {
                None
            }
        })
        .collect();
    let found = (1..=names.len())
        .rev()
        .find_map(|count| Some((node.outputs.get(&names[..count].join("."))?, count)));
    let (text, count) = found.ok_or_else(|| node.missing(slug, &names.join(".")))?;
    within_text(text, &path[count..], as_text)
}

/// The value at `path` within text that may be JSON.
fn within_text(text: &str, path: &[Key], as_text: bool) -> Result<Value, MissingValue> {
    let is_structure = text.starts_with(['{', '[']);
    match serde_json::from_str::<Json>(text) {
        Ok(json) if is_structure && !(as_text && path.is_empty()) => within(&json, path, as_text),
        _ if path.is_empty() => Ok(typed(text, as_text)),
        _ => Err("it is text, which has no fields".into()),
    }
}

fn within(json: &Json, path: &[Key], as_text: bool) -> Result<Value, MissingValue> {
    let mut json = json;
    for key in path {
        json = match (key, json) {
            (Key::Name(name), Json::Object(fields)) => fields
                .get(name)
                .ok_or_else(|| format!("it has no '{name}'"))?,
            (Key::Index(index), Json::Array(items)) => {
                let place = if *index < 0 {
                    items.len() as i64 + index
                } else {
                    *index
                };
                let item = usize::try_from(place)
                    .ok()
                    .and_then(|place| items.get(place));
                item.ok_or_else(|| {
                    let items = format_quantity(items.len(), "item", "items");
                    format!("it has {items}, but none at index {index}")
                })?
            }
            (Key::Name(name), _) => {
                return Err(format!("'{name}' needs an object").into());
            }
            (Key::Index(index), _) => {
                return Err(format!("index {index} needs a list").into());
            }
        };
    }
    Ok(match json {
        Json::String(text) => typed(text.trim_end_matches(['\n', '\r']), as_text),
        json => plain(json),
    })
}

/// Converts text to the type it looks like, unless it is used as text.
fn typed(text: &str, as_text: bool) -> Value {
    if as_text {
        return text.into();
    }
    if let Some(number) = number(text) {
        return number;
    }
    match text.to_ascii_lowercase().as_str() {
        "true" => true.into(),
        "false" | "no" => false.into(),
        "null" => ().into(),
        _ => text.into(),
    }
}

/// The number that a text is, in JSON notation. Text with a leading zero is a code or a date.
pub(super) fn number(text: &str) -> Option<Value> {
    let is_number = text.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    let is_code = text
        .trim_start_matches('-')
        .strip_prefix('0')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if !is_number || is_code {
        return None;
    }
    let whole = text.parse::<i64>().ok().map(Value::from);
    whole.or_else(|| {
        text.parse::<f64>()
            .ok()
            .filter(|number| number.is_finite())
            .map(Value::from)
    })
}

fn plain(json: &Json) -> Value {
    match json {
        Json::Null => ().into(),
        Json::Bool(flag) => (*flag).into(),
        Json::Number(number) => match number.as_i64() {
            Some(whole) => whole.into(),
            None => number.as_f64().unwrap_or_default().into(),
        },
        Json::String(text) => text.as_str().into(),
        Json::Array(items) => items.iter().map(plain).collect::<Vec<_>>().into(),
        Json::Object(fields) => Value::from_pairs(
            fields
                .iter()
                .map(|(name, value)| (name.as_str(), plain(value))),
        ),
    }
}

/// Whether a value counts as true.
pub(super) fn is_truthy(value: &Value) -> bool {
    value.as_str().map_or_else(|| value.is_true(), is_yes)
}

fn is_yes(text: &str) -> bool {
    let text = text.trim();
    !["", "false", "0", "no", "null"]
        .iter()
        .any(|no| text.eq_ignore_ascii_case(no))
}
