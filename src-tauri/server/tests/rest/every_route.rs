//! Calls every route with a good and a bad request, and holds the answers against the document.

use std::collections::BTreeSet;

use baton_rest::{Method, OPENAPI, Route, routes};
use serde_json::{Map, Value, json};

use super::Result;
use super::client::{Client, Reply, made_plan};
use crate::wire::TestServer;

/// An identifier that nothing has.
const NOTHING: &str = "00000000-0000-0000-0000-000000000000";

/// The identifiers of what exists.
struct Subjects {
    /// A plan whose run has completed.
    plan: String,
    run: String,
    artifact: String,
}

/// The plan of a good request.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    /// The one whose run has completed.
    Completed,
    /// A new one.
    Draft,
    /// A new one that is approved.
    Approved,
}

/// A good request for a route: its plan, its status, and its body. Where no agent works there are no
/// proposals and sessions, so that 404 is right.
fn good(id: &str) -> (Of, u16, Value) {
    let none = Value::Null;
    match id {
        "createPlan" => (Of::Completed, 201, json!({ "title": "Another" })),
        "importPlan" => (
            Of::Completed,
            201,
            json!({ "text": "baton: 1\ntitle: x\nnodes:\n  - {id: a, title: A, kind: command, command: ls}\n" }),
        ),
        "replacePlan" | "updatePlan" => (Of::Draft, 200, json!({ "title": "Other" })),
        "deletePlan" | "approvePlan" => (Of::Draft, 200, none),
        "proposePlan" => (Of::Draft, 200, none),
        // Refused before an agent is asked: one may be installed here.
        "generateNodes" => (Of::Draft, 400, json!({ "memories": vec!["x"; 51] })),
        "withdrawPlan" | "rejectPlan" => (Of::Draft, 409, none),
        "submitProposal" => {
            let nodes = json!([{ "id": "a", "title": "A", "kind": "command", "command": "ls" }]);
            let cwd = std::env::temp_dir();
            (
                Of::Completed,
                201,
                json!({ "title": "New", "nodes": nodes, "cwd": cwd }),
            )
        }
        "reviseProposal" => {
            let body = json!({ "round": 1, "text": "baton: 1\ntitle: x\n" });
            (Of::Completed, 404, body)
        }
        "commentOnProposal" => (Of::Completed, 404, json!({ "text": "Why?" })),
        "acceptProposal" | "rejectProposal" => (Of::Completed, 404, json!({ "round": 1 })),
        "pausePlan" | "abortPlan" | "cancelPlan" | "createCheckpoint" => (Of::Draft, 409, none),
        "executePlan" | "startPlan" => (Of::Approved, 200, none),
        "resumePlan" | "rollBackPlan" => (Of::Draft, 400, none),
        "runNextNode" | "runAllNodes" => (Of::Approved, 202, none),
        "addStep" | "addNode" => {
            let keys = json!({ "name": "List", "type": "command", "config": { "command": "ls" } });
            (Of::Draft, 201, keys)
        }
        "reorderSteps" | "reorderNodes" => (Of::Draft, 200, json!([{ "id": "ask", "seq": 1 }])),
        "replaceStep" | "replaceNode" | "updateStep" | "updateNode" => {
            (Of::Draft, 200, json!({ "description": "More" }))
        }
        "deleteStep" | "deleteNode" => (Of::Draft, 200, none),
        "runStep" | "runNode" => (Of::Approved, 202, none),
        "retryStep" | "retryNode" | "pauseRun" | "resumeRun" | "cancelRun" | "approveNode"
        | "refuseNode" | "skipRunNode" | "markRunNodeDone" | "replanRun" => {
            (Of::Completed, 409, none)
        }
        "giveNodeInput" => (Of::Completed, 409, json!({ "value": "no" })),
        "answerNode" => {
            let answer = json!({ "request": "x", "answer": { "kind": "allow_once" } });
            (Of::Completed, 409, answer)
        }
        "getProposal"
        | "retryProposal"
        | "cancelProposal"
        | "getSession"
        | "getSessionTimeline"
        | "getTranscript"
        | "getTranscriptTimeline" => (Of::Completed, 404, none),
        _ => (Of::Completed, 200, none),
    }
}

fn subjects(client: &Client<'_>) -> Result<Subjects> {
    let path = made_plan(client)?;
    client.post(&format!("{path}/approve"), &Value::Null)?;
    client.post(&format!("{path}/execute"), &Value::Null)?;
    client.post(&format!("{path}/resume"), &json!({ "input": "yes" }))?;
    let plan = client.get(&path)?.body["data"].clone();
    assert_eq!(plan["status"], "completed", "{plan}");
    let text = |value: &Value| value.as_str().map(str::to_owned).ok_or("an id");
    Ok(Subjects {
        plan: path.trim_start_matches("/api/plans/").to_owned(),
        run: text(&plan["run"])?,
        artifact: text(&plan["nodes"][0]["artifactId"])?,
    })
}

fn filled(route: &Route, plan: &str, subjects: &Subjects) -> String {
    route
        .path
        .replace("{plan}", plan)
        .replace("{run}", &subjects.run)
        .replace("{artifact}", &subjects.artifact)
        .replace("{node}", "ask")
        .replace("{version}", "1")
        .replace("{transcript}", "claude:none")
        .replace("{proposal}", NOTHING)
        .replace("{id}", NOTHING)
}

/// Fails unless the document has this answer, with its schema.
fn hold_against_document(document: &Value, route: &Route, reply: &Reply) {
    let method = route.method.as_str().to_ascii_lowercase();
    let operation = &document["paths"][&route.path][&method];
    let status = reply.status.to_string();
    let response = resolved(document, &operation["responses"][&status]);
    assert!(
        response.is_object(),
        "{} has no {status}: {}",
        route.id,
        reply.text
    );
    let media = &response["content"]["application/json"];
    let schema = with_components(document, &media["schema"]);
    let validator = jsonschema::validator_for(&schema).expect("the schema is valid");
    let problems: Vec<String> = validator
        .iter_errors(&reply.body)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(
        problems.is_empty(),
        "{} {status}: {problems:#?}\n{}",
        route.id,
        reply.text
    );
}

/// The answer itself, if it is one that several routes have.
fn resolved<'d>(document: &'d Value, response: &'d Value) -> &'d Value {
    let reference = response["$ref"]
        .as_str()
        .and_then(|name| name.strip_prefix('#'));
    reference
        .and_then(|path| document.pointer(path))
        .unwrap_or(response)
}

/// A schema that can be used alone.
fn with_components(document: &Value, schema: &Value) -> Value {
    let mut alone = schema.as_object().cloned().unwrap_or_else(Map::new);
    alone.insert("components".to_owned(), document["components"].clone());
    alone.into()
}

#[test]
fn every_route_answers_as_the_document_says() -> Result {
    let served = TestServer::start()?;
    let client = Client::new(&served);
    let document: Value = serde_json::from_str(OPENAPI)?;
    let subjects = subjects(&client)?;
    let mut called = BTreeSet::new();
    for route in routes() {
        let (of, status, body) = good(&route.id);
        let own = made_plan(&client)?;
        if of == Of::Approved {
            client.post(&format!("{own}/approve"), &Value::Null)?;
        }
        let plan = match of {
            Of::Completed => &subjects.plan,
            Of::Draft | Of::Approved => own.trim_start_matches("/api/plans/"),
        };
        let mut path = filled(route, plan, &subjects);
        let bad = client.with(
            route.method.as_str(),
            &format!("{path}?nonsense=1"),
            "",
            None,
        )?;
        assert_eq!(
            (bad.status, bad.code()),
            (400, "INVALID_REQUEST"),
            "{}",
            route.id
        );
        assert!(
            bad.text.contains("nonsense"),
            "{} names it: {}",
            route.id,
            bad.text
        );
        hold_against_document(&document, route, &bad);
        called.insert((&route.path, route.method));
        if route.traits.streams {
            // They have no end; `plan_events.rs` reads them.
            continue;
        }
        if route.id == "searchTranscripts" {
            path.push_str("?text=nothing");
        }
        let body = Some(&body).filter(|body| !body.is_null());
        let reply = client.with(route.method.as_str(), &path, "", body)?;
        let without_agents = route.id == "replanRun" && reply.code() == "NO_AGENT";
        assert!(
            reply.status == status || without_agents,
            "{}: {} {}",
            route.id,
            reply.status,
            reply.text
        );
        hold_against_document(&document, route, &reply);
        if route.takes_body {
            let wrong = client.with(route.method.as_str(), &path, "", Some(&json!("text")))?;
            assert_eq!(
                (wrong.status, wrong.code()),
                (400, "INVALID_REQUEST"),
                "{}",
                route.id
            );
        }
    }
    let described: usize = document["paths"]
        .as_object()
        .into_iter()
        .flatten()
        .filter_map(|(_, methods)| methods.as_object())
        .map(Map::len)
        .sum();
    assert_eq!(
        called.len(),
        described,
        "the document has exactly these routes"
    );
    assert!(called.iter().any(|(_, method)| *method == Method::Delete));
    Ok(())
}

#[test]
fn every_operation_has_what_a_reader_needs() -> Result {
    let document: Value = serde_json::from_str(OPENAPI)?;
    for route in routes() {
        let method = route.method.as_str().to_ascii_lowercase();
        let operation = &document["paths"][&route.path][&method];
        for part in ["summary", "description", "operationId"] {
            assert!(operation[part].is_string(), "{} has a {part}", route.id);
        }
        if route.takes_body {
            let media = &operation["requestBody"]["content"]["application/json"];
            let schema = with_components(&document, &media["schema"]);
            let validator = jsonschema::validator_for(&schema)?;
            assert!(
                validator.is_valid(&media["example"]),
                "{}: {}",
                route.id,
                media["example"]
            );
        }
        let responses = operation["responses"].as_object().ok_or("responses")?;
        assert!(
            responses.contains_key("401") && responses.contains_key("400"),
            "{}",
            route.id
        );
        for (status, response) in responses {
            let response = resolved(&document, response);
            let media = &response["content"]["application/json"];
            let schema = with_components(&document, &media["schema"]);
            let validator = jsonschema::validator_for(&schema)?;
            let problems: Vec<String> = validator
                .iter_errors(&media["example"])
                .map(|error| format!("{}: {error}", error.instance_path()))
                .collect();
            assert!(
                problems.is_empty(),
                "{} {status}: {problems:#?} {}",
                route.id,
                media["example"]
            );
        }
    }
    Ok(())
}

#[test]
fn document_is_served() -> Result {
    let served = TestServer::start()?;
    let served_text = Client::new(&served).get(baton_rest::OPENAPI_PATH)?;
    assert_eq!(served_text.header("content-type"), Some("application/json"));
    assert_eq!(served_text.text, OPENAPI);
    Ok(())
}
