//! Examples of answers, made from their schemas, so that they can't become wrong.

use serde_json::{Map, Value, json};

use super::schemas::remove_unused;

/// Deeper lists are empty, and what may be missing is.
const DEPTH: usize = 2;
/// Where a schema that contains itself ends.
const MAX_DEPTH: usize = 24;

/// Adds an example to every answer with JSON, after removing schemas that nobody uses.
pub(super) fn add_examples(document: &mut Value) {
    remove_unused(document);
    let schemas = document["components"]["schemas"].clone();
    let add = |responses: &mut Value| {
        for (_, response) in responses.as_object_mut().into_iter().flatten() {
            if let Some(media) = response.pointer_mut("/content/application~1json") {
                media["example"] = example(&media["schema"], &schemas, 0);
            }
        }
    };
    add(&mut document["components"]["responses"]);
    let paths = document["paths"].as_object_mut();
    let operations = paths
        .into_iter()
        .flatten()
        .filter_map(|(_, methods)| methods.as_object_mut())
        .flatten();
    for (_, operation) in operations {
        add(&mut operation["responses"]);
    }
}

fn example(schema: &Value, all: &Value, depth: usize) -> Value {
    if depth > MAX_DEPTH {
        return Value::Null;
    }
    let deeper = |schema: &Value| example(schema, all, depth + 1);
    if let Some(given) = schema.get("const").or_else(|| schema["enum"].get(0)) {
        return given.clone();
    }
    let mut made = match schema["$ref"]
        .as_str()
        .and_then(|name| name.rsplit('/').next())
    {
        Some(name) => deeper(&all[name]),
        None => of_type(schema, all, depth),
    };
    for part in schema["allOf"].as_array().into_iter().flatten() {
        merge(&mut made, deeper(part));
    }
    for choices in ["oneOf", "anyOf"] {
        let Some(choices) = schema[choices].as_array() else {
            continue;
        };
        let nullable = choices.iter().any(|choice| choice["type"] == "null");
        if nullable && depth > DEPTH {
            return Value::Null;
        }
        let first = choices.iter().find(|choice| choice["type"] != "null");
        merge(&mut made, first.map_or(Value::Null, deeper));
    }
    // What an error's code is depends on the answer.
    if schema.get("allOf").is_some() {
        merge(&mut made, of_type(schema, all, depth));
    }
    made
}

fn merge(into: &mut Value, more: Value) {
    match (into, more) {
        (Value::Object(into), Value::Object(more)) => into.extend(more),
        (into, more) if into.is_null() || into.as_object().is_some_and(Map::is_empty) => {
            *into = more
        }
        _ => {}
    }
}

fn of_type(schema: &Value, all: &Value, depth: usize) -> Value {
    let kind = match &schema["type"] {
        Value::Array(kinds) if depth > DEPTH && kinds.iter().any(|kind| kind == "null") => "null",
        Value::Array(kinds) => kinds
            .iter()
            .find_map(|kind| kind.as_str().filter(|kind| *kind != "null"))
            .unwrap_or("null"),
        Value::String(kind) => kind,
        _ if schema.get("properties").is_some() => "object",
        _ => return Value::Null,
    };
    match kind {
        "object" => object(schema, all, depth),
        "array" => array(schema, all, depth),
        "string" => string(schema),
        "integer" => schema["minimum"].as_i64().unwrap_or(1).max(1).into(),
        "number" => json!(0.5),
        "boolean" => true.into(),
        _ => Value::Null,
    }
}

fn object(schema: &Value, all: &Value, depth: usize) -> Value {
    let required = schema["required"].as_array();
    let is_required =
        |name: &str| required.is_none_or(|required| required.iter().any(|other| other == name));
    let properties = schema["properties"].as_object();
    let made = properties
        .into_iter()
        .flatten()
        .filter(|(name, _)| is_required(name))
        .map(|(name, schema)| (name.clone(), example(schema, all, depth + 1)));
    made.collect::<Map<_, _>>().into()
}

fn array(schema: &Value, all: &Value, depth: usize) -> Value {
    if let Some(items) = schema["prefixItems"].as_array() {
        return items
            .iter()
            .map(|item| example(item, all, depth + 1))
            .collect();
    }
    match schema.get("items") {
        Some(item) if depth <= DEPTH => vec![example(item, all, depth + 1)].into(),
        _ => json!([]),
    }
}

fn string(schema: &Value) -> Value {
    match schema["format"].as_str() {
        Some("uuid") => "01990000-0000-7000-8000-000000000001",
        Some("date-time") => "2026-05-01T12:00:00Z",
        _ => "text",
    }
    .into()
}
