//! JSON schemas of arguments and results, without what only costs tokens.

use std::sync::Arc;

use rmcp::model::JsonObject;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value};

/// The schema of `T`.
pub(crate) fn schema_of<T: JsonSchema>() -> Arc<JsonObject> {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let schema = settings.into_generator().into_root_schema_for::<T>();
    match compact(schema.to_value()) {
        Value::Object(object) => Arc::new(object),
        _ => Arc::default(),
    }
}

/// The schema of the answer `T`: names and types. Nothing is required, because a call that waits for
/// a person has another answer, and clients check that against this schema as well.
pub(crate) fn answer_schema_of<T: JsonSchema>() -> Arc<JsonObject> {
    let schema = Arc::unwrap_or_clone(schema_of::<T>());
    match names_and_types(Value::Object(schema)) {
        Value::Object(object) => Arc::new(object),
        _ => Arc::default(),
    }
}

/// An object without properties, for a part of an answer whose text says the rest.
pub(crate) fn any_object(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "object"})
}

/// A list without a schema of its rows.
pub(crate) fn any_list(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "array"})
}

fn names_and_types(value: Value) -> Value {
    match value {
        Value::Object(object) => {
            let is_kept = |(key, value): &(String, Value)| match key.as_str() {
                "required" => !value.is_array(),
                // Also the name of a property.
                "description" => !value.is_string(),
                _ => true,
            };
            let kept = object.into_iter().filter(is_kept);
            let kept = kept.map(|(key, value)| (key, names_and_types(value)));
            Value::Object(kept.collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(names_and_types).collect()),
        other => other,
    }
}

/// Removes titles, formats, what is the default, and the alternative `null`: a missing value means the same.
fn compact(value: Value) -> Value {
    match value {
        Value::Object(object) => Value::Object(compact_object(object)),
        Value::Array(items) => Value::Array(items.into_iter().map(compact).collect()),
        other => other,
    }
}

fn compact_object(object: Map<String, Value>) -> Map<String, Value> {
    let mut kept = Map::new();
    for (key, value) in object {
        match (key.as_str(), value) {
            // A property may have one of these names; its value is an object.
            ("title" | "format", Value::String(_)) | ("minimum", Value::Number(_)) => {}
            ("default", Value::Null) | ("additionalProperties", Value::Bool(true)) => {}
            ("description", Value::String(text)) if text.is_empty() => {}
            ("type", Value::Array(kinds)) => {
                let mut kinds = kinds.into_iter().filter(|kind| kind != "null");
                kept.extend(kinds.next().map(|kind| (key, kind)));
            }
            ("enum", Value::Array(values)) => {
                let values = values.into_iter().filter(|value| !value.is_null());
                kept.insert(key, values.collect());
            }
            ("anyOf", Value::Array(kinds)) => {
                let mut kinds: Vec<_> = kinds
                    .into_iter()
                    .filter(|kind| kind.get("type").is_none_or(|kind| kind != "null"))
                    .map(compact)
                    .collect();
                match (kinds.len(), kinds.pop()) {
                    (1, Some(Value::Object(only))) => kept.extend(only),
                    (_, last) => {
                        kinds.extend(last);
                        kept.insert(key, Value::Array(kinds));
                    }
                }
            }
            (_, value) => {
                kept.insert(key, compact(value));
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn schema_names_types_and_refuses_unknown_fields() {
        #[derive(JsonSchema)]
        #[serde(rename_all = "snake_case")]
        #[expect(dead_code, reason = "only its schema is used")]
        enum Word {
            OneWord,
            Other,
        }
        #[derive(JsonSchema)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        #[expect(dead_code, reason = "only its schema is used")]
        struct Arguments {
            /// A count.
            some_count: u32,
            title: Option<String>,
            word: Option<Word>,
            words: Option<Vec<String>>,
        }
        assert_eq!(
            Value::Object(schema_of::<Arguments>().as_ref().clone()),
            json!({
                "type": "object",
                "properties": {
                    "someCount": {"description": "A count.", "type": "integer"},
                    "title": {"type": "string"},
                    "word": {"type": "string", "enum": ["one_word", "other"]},
                    "words": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["someCount"],
                "additionalProperties": false,
            })
        );
    }
}
