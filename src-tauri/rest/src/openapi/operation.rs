//! One route as an operation of the document.

use std::collections::BTreeMap;

use baton_api::AccessLevel;
use serde_json::{Map, Value, json};

use super::schemas::Schemas;
use crate::route::USER;
use crate::{ErrorCode, Method, Route};

const STREAM: &str = "The answer is a stream of server-sent events (`text/event-stream`). `event:` \
is the name of an event, such as `step:completed`, `data:` is JSON (`x-event-data`), and `id:` is its \
number, which is stored: reconnect with `Last-Event-ID` or `?since=` to miss nothing, also after a \
restart. An event `stale` says that events were deleted in between: read the plans again; the \
stream continues after its `id`.";

/// Codes that every route can answer.
const COMMON_ERRORS: [ErrorCode; 6] = [
    ErrorCode::InvalidRequest,
    ErrorCode::Unauthorized,
    ErrorCode::Forbidden,
    ErrorCode::Busy,
    ErrorCode::Unavailable,
    ErrorCode::Internal,
];

pub(super) fn describe(route: &Route, schemas: &mut Schemas) -> Value {
    let mut operation = json!({
        "operationId": route.id,
        "summary": capitalized(route.summary),
        "description": description(route),
        "tags": [tag(route)],
        "parameters": parameters(route, schemas),
        "responses": responses(route, schemas),
    });
    if route.takes_body {
        let mut media = json!({ "schema": schemas.request(route.schemas.body) });
        let example = route
            .example
            .and_then(|text| serde_json::from_str::<Value>(text).ok());
        if let Some(example) = example {
            media["example"] = example;
        }
        operation["requestBody"] = json!({ "content": { "application/json": media } });
    }
    operation
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}

fn description(route: &Route) -> String {
    let right = format!("Needs a token with `{}`.", route.right.as_str());
    if route.traits.streams {
        return format!("{right} {STREAM}");
    }
    match route.traits.waits {
        true => format!(
            "{right} After its checks, the answer begins with status 200, and a space is sent every 15 \
             seconds until the run has ended or waits for a person. Closing the connection doesn't stop \
             the run."
        ),
        false => right,
    }
}

fn tag(route: &Route) -> &str {
    route.path.split('/').nth(2).unwrap_or_default()
}

fn parameters(route: &Route, schemas: &mut Schemas) -> Vec<Value> {
    let mut parameters = Vec::new();
    let parts = route.path.split('/');
    for part in parts.filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')) {
        parameters.push(json!({
            "name": part, "in": "path", "required": true, "schema": { "type": "string" },
            "description": path_part(part),
        }));
    }
    for (name, mut schema) in schemas.request_properties(route.schemas.query) {
        let mut parameter = json!({ "name": name, "in": "query" });
        if let Some(description) = schema
            .as_object_mut()
            .and_then(|all| all.remove("description"))
        {
            parameter["description"] = description;
        }
        if let Some(all) = schema.as_object_mut() {
            all.remove("default");
        }
        parameter["schema"] = without_null(schema);
        parameters.push(parameter);
    }
    if route.has_users() {
        parameters.push(json!({
            "name": USER, "in": "query", "schema": { "type": "string" },
            "description": "Only plans of this user, or for this user. Plans that say nothing belong to `default`. Protects nothing.",
        }));
    }
    if route.traits.conditional {
        parameters.push(json!({
            "name": "If-Match", "in": "header", "schema": { "type": "string" }, "example": "\"7\"",
            "description": "The `ETag` that the change is based on. Without it, the change is made to what is current.",
        }));
    }
    if route.method == Method::Post {
        parameters.push(json!({
            "name": "Idempotency-Key", "in": "header", "schema": { "type": "string", "maxLength": 255 },
            "description": "A name for this request, such as a UUID. If it is repeated with the same key within 24 hours, it has its effect once, and the same answer; a repeated execution waits for the same run.",
        }));
    }
    if route.traits.streams {
        parameters.push(json!({
            "name": "Last-Event-ID", "in": "header", "schema": { "type": "string" }, "example": "42",
            "description": "The `id` of the last event that was received. The stream continues after it.",
        }));
    }
    if route.traits.waits {
        parameters.push(json!({
            "name": "Prefer", "in": "header", "schema": { "type": "string" }, "example": "respond-async",
            "description": "`respond-async` doesn't wait; `wait=n` waits at most n seconds. Both answer 202 if the run is still in progress.",
        }));
    }
    parameters
}

fn path_part(part: &str) -> &'static str {
    match part {
        "node" => "The node's id, or its name in the plan file.",
        "version" => "A number from 1.",
        "transcript" => "`<agent>:<the agent's own id>`.",
        _ => "The id.",
    }
}

/// A parameter that is left out instead of being null.
fn without_null(mut schema: Value) -> Value {
    if let Some(Value::Array(kinds)) = schema.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            schema["type"] = only.clone();
        }
    }
    let Some(Value::Array(choices)) = schema.get_mut("anyOf") else {
        return schema;
    };
    choices.retain(|choice| choice["type"] != "null");
    match choices.as_slice() {
        [only] => only.clone(),
        _ => schema,
    }
}

fn responses(route: &Route, schemas: &mut Schemas) -> Map<String, Value> {
    let mut responses = Map::new();
    let data = schemas.answer(route.schemas.data);
    let success = envelope(route, data);
    responses.insert(route.success.to_string(), success.clone());
    if route.traits.waits || (route.success == 201 && route.id == "createPlan") {
        responses.insert("202".to_owned(), success);
    }
    if route.right != AccessLevel::Read && !responses.contains_key("202") {
        responses.insert("202".to_owned(), schemas.response("WaitsForPerson", held));
    }
    let mut by_status: BTreeMap<u16, Vec<ErrorCode>> = BTreeMap::new();
    for code in COMMON_ERRORS.iter().chain(&route.errors) {
        let status = match (code, route.traits.conditional) {
            (ErrorCode::Conflict, true) => 412,
            _ => code.status(),
        };
        by_status.entry(status).or_default().push(*code);
        if status == 412 {
            by_status.entry(409).or_default().push(*code);
        }
    }
    if route.method == Method::Post {
        for code in [ErrorCode::KeyReused, ErrorCode::KeyInUse] {
            by_status.entry(code.status()).or_default().push(code);
        }
    }
    if route.takes_body {
        for code in [ErrorCode::TooLarge, ErrorCode::UnsupportedMediaType] {
            by_status.entry(code.status()).or_default().push(code);
        }
    }
    // A failed run is a part of the success.
    by_status.remove(&200);
    for (status, codes) in by_status {
        let name: String = codes.iter().map(|code| format!("{code:?}")).collect();
        responses.insert(
            status.to_string(),
            schemas.response(&name, || error(&codes)),
        );
    }
    responses
}

/// A stream of server-sent events. JSON Schema can't describe their framing, so an extension names
/// the schema of `data:`.
fn stream(data: &Value) -> Value {
    json!({
        "description": "Events, until the client closes the connection.",
        "content": { "text/event-stream": {
            "schema": { "type": "string" },
            "x-event-data": data,
        } },
    })
}

fn envelope(route: &Route, data: Value) -> Value {
    if route.traits.streams {
        return stream(&data);
    }
    let mut schema = json!({
        "type": "object",
        "required": ["success", "data"],
        "properties": { "success": { "const": true }, "data": data },
    });
    if route.errors.contains(&ErrorCode::ExecutionError) {
        schema["properties"]["success"] = json!({ "type": "boolean" });
        schema["properties"]["error"] = json!({ "$ref": "#/components/schemas/Error" });
    }
    let mut answer = json!({
        "description": if route.success == 202 { "It was accepted and is in progress." } else { "It worked." },
        "content": { "application/json": { "schema": schema } },
    });
    if route.traits.markdown {
        answer["content"]["text/markdown"] = json!({ "schema": { "type": "string" } });
    }
    let mut headers = Map::new();
    if route.traits.etag {
        headers.insert("ETag".to_owned(), header("The plan's revision."));
    }
    if route.success == 201 && route.method == Method::Post {
        headers.insert(
            "Location".to_owned(),
            header("The path of what was created."),
        );
    }
    if !headers.is_empty() {
        answer["headers"] = headers.into();
    }
    answer
}

fn header(description: &str) -> Value {
    json!({ "description": description, "schema": { "type": "string" } })
}

/// A call that waits for a person.
fn held() -> Value {
    json!({
        "description": "Only a person may do this for an agent: the call waits in the Inbox.",
        "content": { "application/json": { "schema": {
            "type": "object",
            "required": ["success", "data"],
            "properties": {
                "success": { "const": true },
                "data": {
                    "type": "object",
                    "required": ["state", "request", "url"],
                    "properties": {
                        "state": { "const": "waits_for_person" },
                        "request": { "type": "string" },
                        "url": { "type": "string" },
                    },
                },
            },
        } } },
    })
}

fn error(codes: &[ErrorCode]) -> Value {
    let names: Vec<Value> = codes.iter().map(|code| json!(code)).collect();
    let listed: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
    json!({
        "description": listed.join(", "),
        "content": { "application/json": { "schema": {
            "type": "object",
            "required": ["success", "error"],
            "properties": {
                "success": { "const": false },
                "error": {
                    "allOf": [{ "$ref": "#/components/schemas/Error" }],
                    "properties": { "code": { "enum": names } },
                },
            },
        } } },
    })
}
