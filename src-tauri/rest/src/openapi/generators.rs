//! Writes schemas in the way that generators of clients understand. The meaning stays the same.

use serde_json::{Map, Value, json};

/// Simplifies all schemas in `value`.
pub(super) fn simplify(value: &mut Value) {
    match value {
        Value::Object(entries) => {
            replace_true(entries);
            merge_constants(entries);
            entries.values_mut().for_each(simplify);
        }
        Value::Array(items) => items.iter_mut().for_each(simplify),
        _ => {}
    }
}

/// Replaces the schema `true` of a property or an item by the empty one.
fn replace_true(schema: &mut Map<String, Value>) {
    let anything = |schema: &mut Value| {
        if *schema == true {
            *schema = json!({});
        }
    };
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.values_mut().for_each(anything);
    }
    schema.get_mut("items").into_iter().for_each(anything);
}

/// Replaces a choice of words, each with its description, by one list of words.
fn merge_constants(schema: &mut Map<String, Value>) {
    let Some(choices) = schema.get("oneOf").and_then(Value::as_array) else {
        return;
    };
    let mut words = Vec::new();
    let mut description: Vec<String> = schema
        .get("description")
        .and_then(Value::as_str)
        .map(|text| format!("{text}\n"))
        .into_iter()
        .collect();
    for choice in choices {
        let Some(more) = words_of(choice) else { return };
        if let ([word], Some(text)) = (&more[..], choice["description"].as_str()) {
            let word = word.as_str().unwrap_or_default();
            description.push(format!("- `{word}`: {text}"));
        }
        words.extend(more);
    }
    schema.remove("oneOf");
    schema.insert("type".to_owned(), "string".into());
    schema.insert("enum".to_owned(), words.into());
    if !description.is_empty() {
        let text = description.join("\n");
        schema.insert("description".to_owned(), text.trim_end().into());
    }
}

/// The words that a schema accepts, if it accepts nothing else.
fn words_of(schema: &Value) -> Option<Vec<Value>> {
    if schema["type"] != "string" {
        return None;
    }
    match schema.get("const") {
        Some(word) => Some(vec![word.clone()]),
        None => schema["enum"].as_array().cloned(),
    }
}

/// Removes defaults that say nothing. Generators of TypeScript require every property that has one.
pub(super) fn remove_empty_defaults(schema: &mut Value) {
    match schema {
        Value::Object(entries) => {
            entries.retain(|key, value| key != "default" || !is_empty(value));
            for (key, value) in entries {
                match value {
                    // Its keys are names, of which one may be `default`.
                    Value::Object(named) if key == "properties" => {
                        named.values_mut().for_each(remove_empty_defaults);
                    }
                    value => remove_empty_defaults(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(remove_empty_defaults),
        _ => {}
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(entries) => entries.is_empty(),
        Value::Bool(true) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_one_list_and_keep_their_descriptions() {
        let mut schema = json!({
            "description": "A state.",
            "oneOf": [
                { "type": "string", "enum": ["on", "off"] },
                { "type": "string", "const": "lost", "description": "Nobody knows." },
            ],
        });
        simplify(&mut schema);
        assert_eq!(
            schema,
            json!({
                "description": "A state.\n\n- `lost`: Nobody knows.",
                "type": "string", "enum": ["on", "off", "lost"],
            })
        );
        let mut other =
            json!({ "oneOf": [{ "type": "string", "const": "a" }, { "type": "object" }] });
        let before = other.clone();
        simplify(&mut other);
        assert_eq!(other, before);
    }

    #[test]
    fn anything_is_an_empty_schema_and_empty_defaults_are_gone() {
        let mut schema = json!({
            "properties": { "a": true, "default": true, "b": { "default": 3 } },
            "items": true, "additionalProperties": true,
        });
        simplify(&mut schema);
        remove_empty_defaults(&mut schema);
        assert_eq!(
            schema,
            json!({
                "properties": { "a": {}, "default": {}, "b": { "default": 3 } },
                "items": {}, "additionalProperties": true,
            })
        );
    }
}
