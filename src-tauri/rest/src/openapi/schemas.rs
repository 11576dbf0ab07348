//! The schemas of requests and answers, which differ: an answer always has fields that a request may
//! leave out.

use std::collections::{BTreeMap, BTreeSet};

use baton_model::TIMESTAMP_NAME;
use schemars::generate::SchemaSettings;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::generators;
use crate::error::ErrorBody;

const PREFIX: &str = "#/components/schemas/";
/// Appended to the names of request schemas that answers have under the same name.
const INPUT: &str = "Input";

pub(super) struct Schemas {
    requests: SchemaGenerator,
    answers: SchemaGenerator,
    /// Answers that several routes have, by their names.
    responses: BTreeMap<String, Value>,
}

impl Schemas {
    pub(super) fn new() -> Self {
        let mut settings = SchemaSettings::draft2020_12();
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
        let mut answers = settings.clone().for_serialize().into_generator();
        answers.subschema_for::<ErrorBody>();
        Self {
            requests: settings.for_deserialize().into_generator(),
            answers,
            responses: BTreeMap::new(),
        }
    }

    /// A schema of a request. All its references are to names with [`INPUT`].
    pub(super) fn request(&mut self, of: fn(&mut SchemaGenerator) -> Schema) -> Value {
        let mut schema = of(&mut self.requests).to_value();
        rename_references(&mut schema);
        schema
    }

    /// A schema of a request, with its properties instead of a reference.
    pub(super) fn request_properties(
        &mut self,
        of: fn(&mut SchemaGenerator) -> Schema,
    ) -> Map<String, Value> {
        let mut schema = of(&mut self.requests).to_value();
        let name = schema["$ref"]
            .as_str()
            .and_then(|name| name.strip_prefix(PREFIX));
        if let Some(found) = name.and_then(|name| self.requests.definitions().get(name)) {
            schema = found.clone();
        }
        rename_references(&mut schema);
        match schema.get_mut("properties").map(Value::take) {
            Some(Value::Object(properties)) => properties,
            _ => Map::new(),
        }
    }

    pub(super) fn answer(&mut self, of: fn(&mut SchemaGenerator) -> Schema) -> Value {
        of(&mut self.answers).to_value()
    }

    /// A reference to an answer that several routes have.
    pub(super) fn response(&mut self, name: &str, make: impl FnOnce() -> Value) -> Value {
        if !self.responses.contains_key(name) {
            self.responses.insert(name.to_owned(), make());
        }
        json!({ "$ref": format!("#/components/responses/{name}") })
    }

    /// All schemas and answers that others refer to.
    pub(super) fn into_components(mut self) -> Value {
        let mut components: Map<String, Value> = self.answers.take_definitions(true);
        for (name, mut schema) in self.requests.take_definitions(true) {
            rename_references(&mut schema);
            generators::remove_empty_defaults(&mut schema);
            components.insert(format!("{name}{INPUT}"), schema);
        }
        components.insert(
            TIMESTAMP_NAME.to_owned(),
            json!({ "type": "string", "format": "date-time", "description": "ISO 8601, in UTC." }),
        );
        json!({ "schemas": components, "responses": self.responses })
    }
}

fn rename_references(schema: &mut Value) {
    match schema {
        Value::Object(entries) => {
            for (key, value) in entries {
                match value {
                    Value::String(reference) if key == "$ref" => reference.push_str(INPUT),
                    value => rename_references(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(rename_references),
        _ => {}
    }
}

/// Removes schemas that nothing refers to.
pub(super) fn remove_unused(document: &mut Value) {
    let mut used = BTreeSet::new();
    let mut open = vec![
        document["paths"].clone(),
        document["components"]["responses"].clone(),
    ];
    while let Some(part) = open.pop() {
        let mut names = BTreeSet::new();
        collect_references(&part, &mut names);
        for name in names {
            if let Some(schema) = document["components"]["schemas"].get(&name)
                && used.insert(name)
            {
                open.push(schema.clone());
            }
        }
    }
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        schemas.retain(|name, _| used.contains(name));
    }
}

fn collect_references(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                match value.as_str().and_then(|text| text.strip_prefix(PREFIX)) {
                    Some(name) if key == "$ref" => drop(names.insert(name.to_owned())),
                    _ => collect_references(value, names),
                }
            }
        }
        Value::Array(items) => items
            .iter()
            .for_each(|item| collect_references(item, names)),
        _ => {}
    }
}
