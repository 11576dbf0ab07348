//! JSON schemas of arguments and results, without what only costs tokens.

use std::sync::Arc;

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
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

/// Removes titles, formats and the alternative `null`: a missing value means the same.
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
            ("default", Value::Null) => {}
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
