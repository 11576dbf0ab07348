//! Values of the plan's context in templates: `{{context.invoice.total}}` is the field `total` of
//! what a tool answered, as it is stored under `invoice`.

use std::collections::BTreeMap;

use baton_model::plan::ToolOutput;
use minijinja::Value;
use serde_json::Value as Json;

/// Why `context.<key>.<field>…` has no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum ContextValueError {
    #[error("the plan's context has {} but not '{key}'", .known.join(", "))]
    UnknownKey { key: String, known: Vec<String> },
    #[error("'{key}' in the plan's context has no '{field}'")]
    UnknownField { key: String, field: String },
}

/// The variable `context` of the expression language.
pub(super) fn root(context: &BTreeMap<String, ToolOutput>) -> Value {
    Value::from_pairs(
        context
            .iter()
            .map(|(key, output)| (key.as_str(), to_value(&output.data))),
    )
}

/// The value of `context.<key>.<field>…`, or why it has none. `None` for other expressions. Keys
/// may contain hyphens, which the expression language parses as minus.
pub(super) fn plain(
    expression: &str,
    context: &BTreeMap<String, ToolOutput>,
) -> Option<Result<String, ContextValueError>> {
    let mut path = expression.strip_prefix("context.")?.split('.');
    let is_plain = |name: &str| {
        !name.is_empty()
            && name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "_-".contains(c))
    };
    if !path.clone().all(is_plain) {
        return None;
    }
    let key = path.next()?;
    Some(value(key, path, context))
}

fn value<'p>(
    key: &str,
    path: impl Iterator<Item = &'p str>,
    context: &BTreeMap<String, ToolOutput>,
) -> Result<String, ContextValueError> {
    let output = context
        .get(key)
        .ok_or_else(|| ContextValueError::UnknownKey {
            key: key.to_owned(),
            known: context.keys().cloned().collect(),
        })?;
    let mut value = &output.data;
    for name in path {
        let found = match value {
            Json::Object(fields) => fields.get(name),
            Json::Array(items) => name.parse().ok().and_then(|at: usize| items.get(at)),
            _ => None,
        };
        value = found.ok_or_else(|| ContextValueError::UnknownField {
            key: key.to_owned(),
            field: name.to_owned(),
        })?;
    }
    Ok(text(value))
}

fn to_value(json: &Json) -> Value {
    match json {
        Json::Null => Value::from(()),
        Json::Bool(flag) => Value::from(*flag),
        Json::Number(number) => to_number(number),
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(items) => items.iter().map(to_value).collect(),
        Json::Object(fields) => Value::from_pairs(
            fields
                .iter()
                .map(|(key, value)| (key.as_str(), to_value(value))),
        ),
    }
}

fn to_number(number: &serde_json::Number) -> Value {
    let whole = number.as_i64().map(Value::from);
    whole
        .or_else(|| number.as_u64().map(Value::from))
        .or_else(|| number.as_f64().map(Value::from))
        .unwrap_or_default()
}

/// Texts as they are, other values as JSON.
fn text(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}
