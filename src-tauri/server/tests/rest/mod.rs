//! Tests the REST API over HTTP: every route against the document, and what programs rely on.

mod client;
mod every_route;
mod exports;
mod idempotency;
mod life;
mod lists;
mod mutated_bodies;
mod node_runs;
mod plan_events;
mod review;
mod waiting;

use std::error::Error;
use std::sync::Barrier;
use std::thread;

use serde_json::{Value, json};

use crate::wire::TestServer;
use client::{Client, made_plan};

type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

#[test]
fn plan_is_made_changed_and_deleted() -> Result {
    let served = TestServer::start()?;
    let client = Client::new(&served);
    let made = client.post(
        "/api/plans",
        &json!({
            "name": "Ship it", "goal": "It is out.", "priority": 8, "userId": "ann",
            "maxRetries": 2, "timeoutMs": 60000, "metadata": { "at": 5 },
            "steps": [
                { "orderNum": 1, "type": "user_input", "name": "Ask", "config": { "question": "Ready?" } },
                { "orderNum": 2, "type": "command", "name": "Ship", "config": { "command": "true" } },
            ],
        }),
    )?;
    assert_eq!(made.status, 201, "{:?}", made.body);
    let plan = &made.body["data"]["plan"];
    for (field, value) in [
        ("name", json!("Ship it")),
        ("title", json!("Ship it")),
        ("goal", json!("It is out.")),
        ("priority", json!(8)),
        ("userId", json!("ann")),
        ("maxRetries", json!(2)),
        ("timeoutMs", json!(60000)),
        ("status", json!("pending")),
        ("review", json!("draft")),
        ("metadata", json!({ "at": 5 })),
        ("totalSteps", json!(2)),
    ] {
        assert_eq!(plan[field], value, "{field}");
    }
    let time = plan["createdAt"].as_str().unwrap_or_default();
    assert!(time.ends_with('Z') && time.contains('T'), "{time}");
    let path = format!("/api/plans/{}", plan["id"].as_str().ok_or("an id")?);
    assert_eq!(made.header("location"), Some(path.as_str()));

    let shown = client.get(&path)?;
    let etag = shown.header("etag").ok_or("a tag")?.to_owned();
    assert_eq!(etag, format!("\"{}\"", shown.body["data"]["revision"]));
    let steps = &shown.body["data"]["steps"];
    assert_eq!(
        steps[1]["dependencies"],
        json!([steps[0]["id"]]),
        "by their numbers"
    );
    assert_eq!(steps[0]["config"]["question"], "Ready?");
    assert_eq!(
        shown.body["data"]["nodes"][1]["dependsOn"],
        steps[1]["dependencies"]
    );

    let changed = client.patch(&path, &json!({ "name": "Ship it soon", "tags": ["x"] }))?;
    assert_eq!(changed.body["data"]["plan"]["title"], "Ship it soon");
    assert_eq!(changed.body["data"]["plan"]["version"], 2);
    let document = client.with("GET", &path, "accept: text/markdown", None)?;
    assert_eq!(
        document.header("content-type"),
        Some("text/markdown; charset=utf-8")
    );
    assert!(document.text.contains("Ship it soon"), "{}", document.text);

    for (user, status) in [("ann", 200), ("default", 404)] {
        let shown = client.get(&format!("{path}/versions?userId={user}"))?;
        assert_eq!(shown.status, status, "{user}: {}", shown.text);
    }
    let stale = client.with("DELETE", &path, &format!("if-match: {etag}"), None)?;
    assert_eq!((stale.status, stale.code()), (412, "CONFLICT"));
    assert_eq!(
        client.delete(&path)?.body,
        json!({ "success": true, "data": { "deleted": true } })
    );
    let gone = client.get(&path)?;
    assert_eq!(
        (gone.status, gone.code()),
        (404, "NOT_FOUND"),
        "deleted plans vanish"
    );
    Ok(())
}

#[test]
fn steps_and_nodes_are_the_same_in_two_vocabularies() -> Result {
    let served = TestServer::start()?;
    let client = Client::new(&served);
    let path = made_plan(&client)?;
    let step = client.post(
        &format!("{path}/steps"),
        &json!({ "type": "command", "name": "Build", "config": { "command": "make" }, "dependencies": ["ask"] }),
    )?;
    assert_eq!(step.status, 201, "{:?}", step.body);
    assert_eq!(step.body["data"]["maxRetries"], 3, "as steps have it");
    let id = step.body["data"]["id"].as_str().ok_or("an id")?;
    let node = client.post(
        &format!("{path}/nodes"),
        &json!({ "title": "Test", "kind": "agent", "prompt": "Test it.", "dependsOn": [id] }),
    )?;
    assert_eq!(node.status, 201, "{:?}", node.body);
    assert_eq!(node.body["data"]["maxRetries"], 0, "as nodes have it");
    assert_eq!(node.body["data"]["dependsOn"], json!([id]));
    assert_eq!(node.body["data"]["prompt"], "Test it.");
    let nodes = client.get(&format!("{path}/nodes"))?.body["data"].clone();
    let steps = client.get(&format!("{path}/steps"))?.body["data"].clone();
    assert_eq!(steps[2]["name"], nodes[2]["title"]);

    let by_name = client.put(
        &format!("{path}/nodes/test"),
        &json!({ "title": "Test all" }),
    )?;
    assert_eq!(
        by_name.body["data"]["title"], "Test all",
        "{:?}",
        by_name.body
    );
    let order =
        json!([{ "id": "test", "seq": 1 }, { "id": id, "seq": 2 }, { "id": "ask", "seq": 3 }]);
    let reordered = client.post(&format!("{path}/nodes/reorder"), &order)?;
    assert_eq!(
        reordered.body["data"][0]["slug"], "test",
        "{:?}",
        reordered.body
    );
    for wrong in [
        json!([{ "id": "test", "seq": 1 }]),
        json!([{ "id": "test", "seq": 1 }, { "id": id, "seq": 2 }, { "id": "ask", "seq": 4 }]),
        json!([{ "id": "test", "seq": 1 }, { "id": id, "seq": 2 }, { "id": "none", "seq": 3 }]),
    ] {
        let refused = client.post(&format!("{path}/nodes/reorder"), &wrong)?;
        assert_eq!(
            (refused.status, refused.code()),
            (422, "INVALID"),
            "{wrong}"
        );
    }
    let removed = client.delete(&format!("{path}/nodes/{id}?heal=true"))?;
    assert_eq!(removed.status, 200, "{:?}", removed.body);
    let nodes = client.get(&format!("{path}/nodes"))?.body["data"].clone();
    let healed = nodes
        .as_array()
        .and_then(|all| all.iter().find(|node| node["slug"] == "test"));
    let ask = nodes
        .as_array()
        .and_then(|all| all.iter().find(|node| node["slug"] == "ask"));
    assert_eq!(
        healed.ok_or("test")?["dependsOn"],
        json!([ask.ok_or("ask")?["id"]])
    );
    Ok(())
}

#[test]
fn wrong_requests_are_refused_by_name() -> Result {
    let served = TestServer::start()?;
    let client = Client::new(&served);
    let path = made_plan(&client)?;
    let ask = format!("{path}/steps/ask");
    let steps = format!("{path}/steps");
    let import = "/api/plans/import";
    let circle = json!({ "name": "Again", "type": "command", "config": { "command": "true" },
        "dependencies": ["ask"], "onSuccess": "ask" });
    let table = [
        (
            "POST",
            "/api/plans",
            json!({}),
            400,
            "INVALID_REQUEST",
            "name",
        ),
        (
            "POST",
            "/api/plans",
            json!({ "name": "x" }),
            400,
            "INVALID_REQUEST",
            "goal",
        ),
        (
            "POST",
            "/api/plans",
            json!({ "title": "x", "nodez": [] }),
            422,
            "INVALID",
            "nodez",
        ),
        (
            "POST",
            "/api/plans",
            json!({ "title": 7 }),
            400,
            "INVALID_REQUEST",
            "string",
        ),
        (
            "POST",
            "/api/plans",
            json!({ "title": "x", "progress": 7 }),
            422,
            "DERIVED_FIELD",
            "progress",
        ),
        (
            "POST",
            "/api/plans",
            json!([]),
            400,
            "INVALID_REQUEST",
            "body",
        ),
        (
            "POST",
            import,
            json!({ "fileName": "x.yaml", "text": "baton: 1\ntitel: x" }),
            422,
            "INVALID",
            "titel",
        ),
        (
            "POST",
            import,
            json!({ "txt": "" }),
            400,
            "INVALID_REQUEST",
            "txt",
        ),
        (
            "PATCH",
            &path,
            json!({ "currentStep": 2 }),
            422,
            "DERIVED_FIELD",
            "currentStep",
        ),
        (
            "PATCH",
            &path,
            json!({ "error": "x" }),
            422,
            "DERIVED_FIELD",
            "error",
        ),
        (
            "PATCH",
            &path,
            json!({ "status": "completed" }),
            400,
            "INVALID_REQUEST",
            "completed",
        ),
        (
            "PATCH",
            &path,
            json!({ "status": "paused", "name": "x" }),
            422,
            "INVALID",
            "status",
        ),
        (
            "PATCH",
            &path,
            json!({ "priority": 99 }),
            422,
            "INVALID",
            "priority",
        ),
        (
            "PATCH",
            &ask,
            json!({ "retryCount": 2 }),
            422,
            "DERIVED_FIELD",
            "retryCount",
        ),
        (
            "PATCH",
            &ask,
            json!({ "error": "x" }),
            422,
            "DERIVED_FIELD",
            "error",
        ),
        (
            "PATCH",
            &ask,
            json!({ "result": "x" }),
            422,
            "DERIVED_FIELD",
            "result",
        ),
        (
            "PATCH",
            &ask,
            json!({ "status": "skipped" }),
            409,
            "REFUSED",
            "run",
        ),
        (
            "POST",
            &steps,
            json!({ "type": "command" }),
            400,
            "INVALID_REQUEST",
            "name",
        ),
        ("POST", &steps, circle, 422, "ADD_STEP_ERROR", "earlier"),
        ("GET", "/api/plans/7", Value::Null, 404, "NOT_FOUND", "7"),
        (
            "GET",
            "/api/plans/none/steps",
            Value::Null,
            404,
            "NOT_FOUND",
            "none",
        ),
        (
            "GET",
            "/api/plans/stats/none/none",
            Value::Null,
            404,
            "NOT_FOUND",
            "unknown",
        ),
        (
            "GET",
            "/api/runs?limit=many",
            Value::Null,
            400,
            "INVALID_REQUEST",
            "many",
        ),
        (
            "GET",
            "/api/runs?page=2",
            Value::Null,
            400,
            "INVALID_REQUEST",
            "page",
        ),
        (
            "GET",
            "/api/proposals?limit=1001",
            Value::Null,
            400,
            "INVALID_REQUEST",
            "1,000",
        ),
        (
            "GET",
            "/api/sessions?limit=0",
            Value::Null,
            400,
            "INVALID_REQUEST",
            "limit",
        ),
    ];
    for (method, target, body, status, code, named) in table {
        let body = Some(&body).filter(|body| !body.is_null());
        let answer = client.with(method, target, "", body)?;
        assert_eq!(
            (answer.status, answer.code()),
            (status, code),
            "{method} {target}: {}",
            answer.text
        );
        let error = answer.body["error"].to_string().to_lowercase();
        assert!(
            error.contains(&named.to_lowercase()),
            "{method} {target} names {named}: {error}"
        );
    }
    assert_eq!(
        client.get(&path)?.body["data"]["version"],
        1,
        "nothing was changed"
    );
    Ok(())
}

#[test]
fn errors_before_a_route_have_the_same_shape() -> Result {
    let served = TestServer::start()?;
    let client = Client::new(&served);
    let path = made_plan(&client)?;
    let not_allowed = client.with("PUT", "/api/plans", "", Some(&json!({})))?;
    assert_eq!(
        (not_allowed.status, not_allowed.code()),
        (405, "METHOD_NOT_ALLOWED")
    );
    let allow = not_allowed.header("allow").unwrap_or_default();
    let mut allow: Vec<&str> = allow.split(',').collect();
    allow.sort_unstable();
    assert_eq!(allow, ["GET", "HEAD", "POST"]);
    let allowed = client.with("POST", &path, "", None)?;
    let allow = allowed.header("allow").unwrap_or_default();
    assert!(
        ["GET", "PUT", "PATCH", "DELETE"]
            .iter()
            .all(|method| allow.contains(method)),
        "{allow}"
    );

    let text = client.raw("POST", "/api/plans", "content-type: text/plain", "name: x")?;
    assert_eq!((text.status, text.code()), (415, "UNSUPPORTED_MEDIA_TYPE"));
    let cut = client.raw("POST", "/api/plans", "content-type: application/json", "{")?;
    assert_eq!((cut.status, cut.code()), (400, "INVALID_REQUEST"));
    let deep = "[".repeat(5000) + &"]".repeat(5000);
    let deep = client.raw(
        "POST",
        "/api/plans",
        "content-type: application/json",
        &deep,
    )?;
    assert_eq!(
        (deep.status, deep.code()),
        (400, "INVALID_REQUEST"),
        "{}",
        deep.text
    );
    let large = client.raw(
        "POST",
        "/api/plans",
        "",
        &" ".repeat(baton_server::BODY_LIMIT + 1),
    )?;
    assert_eq!((large.status, large.code()), (413, "TOO_LARGE"));

    let stranger = Client::with_token(&served, "0");
    let refused = stranger.get(&path)?;
    assert_eq!((refused.status, refused.code()), (401, "UNAUTHORIZED"));
    assert_eq!(
        client.get("/api/nothing")?.body["code"],
        "not_found",
        "not a part of this API"
    );
    Ok(())
}

#[test]
fn one_of_two_writers_with_the_same_tag_wins() -> Result {
    let served = TestServer::start()?;
    let client = Client::new(&served);
    let path = made_plan(&client)?;
    let etag = client.get(&path)?.header("etag").ok_or("a tag")?.to_owned();
    let statuses = |headers: &str| -> Vec<u16> {
        thread::scope(|scope| {
            let writers: Vec<_> = (0..8)
                .map(|number| {
                    let (client, path) = (&client, &path);
                    scope.spawn(move || {
                        let body = json!({ "description": format!("Writer {number} {headers}") });
                        let answer = client.with("PATCH", path, headers, Some(&body));
                        answer.map(|answer| answer.status).unwrap_or(0)
                    })
                })
                .collect();
            writers
                .into_iter()
                .map(|writer| writer.join().unwrap_or(0))
                .collect()
        })
    };
    let body = json!({ "tags": ["first"] });
    let several = client.with(
        "PATCH",
        &path,
        &format!("if-match: \"99\", {etag}"),
        Some(&body),
    )?;
    assert_eq!(
        several.status, 200,
        "one of the tags is current: {}",
        several.text
    );
    let etag = several.header("etag").ok_or("a tag")?.to_owned();
    let mut conditional = statuses(&format!("if-match: {etag}"));
    conditional.sort_unstable();
    assert_eq!(conditional, [200, 412, 412, 412, 412, 412, 412, 412]);
    assert_eq!(
        statuses(""),
        [200; 8],
        "without a tag, each change is made to what is current"
    );
    assert_eq!(client.get(&path)?.body["data"]["version"], 11);
    Ok(())
}

#[test]
fn changed_plan_is_never_deleted_with_the_tag_of_the_old_one() -> Result {
    let served = TestServer::start()?;
    let (editor, deleter) = (Client::new(&served), Client::new(&served));
    for round in 0..40 {
        let path = made_plan(&editor)?;
        let etag = editor.get(&path)?.header("etag").ok_or("a tag")?.to_owned();
        let both = Barrier::new(2);
        let (edited, deleted) = thread::scope(|scope| {
            let edit = scope.spawn(|| {
                both.wait();
                let change = json!({ "title": "Important now" });
                editor
                    .patch(&path, &change)
                    .map(|reply| reply.status)
                    .map_err(text)
            });
            both.wait();
            let condition = format!("if-match: {etag}");
            let deleted = deleter.with("DELETE", &path, &condition, None);
            (edit.join(), deleted.map(|reply| reply.status))
        });
        let edited = edited.map_err(|_| "a panic")??;
        let outcome = (edited, deleted?);
        let (gone, moved) = ((404, 200), (200, 412));
        assert!(
            outcome == gone || outcome == moved,
            "round {round}: {outcome:?}"
        );
    }
    Ok(())
}

#[test]
fn run_starts_with_the_revision_of_its_tag_or_not_at_all() -> Result {
    let served = TestServer::start()?;
    let (editor, starter) = (Client::new(&served), Client::new(&served));
    for round in 0..20 {
        let path = made_plan(&editor)?;
        editor.post(&format!("{path}/approve"), &Value::Null)?;
        let etag = editor.get(&path)?.header("etag").ok_or("a tag")?.to_owned();
        let both = Barrier::new(2);
        let (edited, started) = thread::scope(|scope| {
            let edit = scope.spawn(|| {
                both.wait();
                let change = json!({ "title": "Another plan now" });
                editor
                    .patch(&path, &change)
                    .map(|reply| reply.status)
                    .map_err(text)
            });
            both.wait();
            let headers = format!("if-match: {etag}\r\nprefer: respond-async");
            let started = starter.with("POST", &format!("{path}/execute"), &headers, None);
            (edit.join(), started)
        });
        assert_eq!(edited.map_err(|_| "a panic")??, 200);
        let started = started?;
        assert!(
            matches!(started.status, 202 | 412),
            "{round}: {}",
            started.text
        );
        let events = named_events(&served, &path)?;
        let place = |name: &str| events.iter().position(|event| event == name);
        let in_order = match place("plan:started") {
            Some(start) => started.status == 202 && Some(start) < place("plans:changed"),
            None => started.status == 412,
        };
        assert!(in_order, "round {round}: {} {events:?}", started.status);
    }
    Ok(())
}

/// The names of the events of a plan, in their order.
fn named_events(served: &TestServer, path: &str) -> Result<Vec<String>> {
    let plan = path.trim_start_matches("/api/plans/");
    let input = json!({ "plan": plan, "after": 0, "limit": 1000 }).to_string();
    let page: Value = serde_json::from_str(&served.call("plan_events", &input)?.body)?;
    let events = page["events"].as_array().ok_or("events")?.iter();
    let name = |event: &Value| event["event"].as_str().map(str::to_owned);
    Ok(events.filter_map(name).collect())
}

/// An error that may leave its thread.
fn text(error: Box<dyn Error>) -> String {
    error.to_string()
}

#[test]
fn token_decides_what_a_program_may_do() -> Result {
    let served = TestServer::start()?;
    let person = Client::new(&served);
    let path = made_plan(&person)?;
    for (surface, create, approve) in [
        ("read", 403, 403),
        ("write", 201, 403),
        ("decide", 201, 200),
    ] {
        let input = json!({ "name": surface, "surface": surface }).to_string();
        let token: Value = serde_json::from_str(&served.call("token_create", &input)?.body)?;
        let program = Client::with_token(&served, token["token"].as_str().ok_or("a token")?);
        assert_eq!(program.get(&path)?.status, 200, "{surface}");
        let made = program.post("/api/plans", &json!({ "title": surface }))?;
        assert_eq!(made.status, create, "{surface}: {:?}", made.body);
        let approved = program.post(&format!("{path}/approve"), &json!({}))?;
        assert_eq!(approved.status, approve, "{surface}: {:?}", approved.body);
        if approve == 403 {
            assert_eq!(approved.code(), "FORBIDDEN");
        }
    }
    assert_eq!(person.get(&path)?.body["data"]["review"], "approved");
    Ok(())
}

#[test]
fn execution_waits_for_the_person_and_for_the_end() -> Result {
    let served = TestServer::start()?;
    let client = Client::new(&served);
    let path = made_plan(&client)?;
    let execute = format!("{path}/execute");
    let unapproved = client.post(&execute, &Value::Null)?;
    assert_eq!(
        (unapproved.status, unapproved.code()),
        (409, "NOT_APPROVED")
    );
    let resume = format!("{path}/resume");
    let nothing = client.post(&resume, &Value::Null)?;
    assert_eq!((nothing.status, nothing.code()), (400, "NOT_PAUSED"));
    assert_eq!(
        client.post(&format!("{path}/approve"), &json!({}))?.status,
        200
    );

    let paused = client.post(&execute, &Value::Null)?;
    assert_eq!(paused.status, 200, "{}", paused.text);
    let result = &paused.body["data"]["result"];
    assert_eq!(
        (&result["status"], &result["completedSteps"]),
        (&json!("paused"), &json!(0))
    );
    let plan = client.get(&path)?.body["data"].clone();
    assert_eq!(
        (&plan["status"], &plan["waitingFor"]),
        (&json!("paused"), &json!("person"))
    );
    assert_eq!(plan["steps"][0]["status"], "waiting");
    let again = client.post(&execute, &Value::Null)?;
    assert_eq!(
        (again.status, again.code()),
        (400, "ALREADY_RUNNING"),
        "{}",
        again.text
    );

    let done = client.post(&resume, &json!({ "input": "yes" }))?;
    let result = &done.body["data"]["result"];
    assert_eq!(
        (&result["status"], &result["completedSteps"]),
        (&json!("completed"), &json!(1)),
        "{}",
        done.text
    );
    let plan = client.get(&path)?.body["data"].clone();
    assert_eq!(
        (&plan["status"], &plan["progress"]),
        (&json!("completed"), &json!(100))
    );
    let step = client.get(&format!("{path}/steps/ask"))?.body["data"].clone();
    let result = &step["result"];
    assert_eq!(
        (&result["type"], &result["answer"], &result["toolCalls"]),
        (&json!("user_input"), &json!("yes"), &json!([])),
        "{step}"
    );
    let handoff = client.with(
        "GET",
        &format!("{path}/nodes/ask/artifact"),
        "accept: text/markdown",
        None,
    )?;
    assert_eq!(Some(handoff.text.as_str()), result["text"].as_str());
    let whole = client.get(&format!("{path}/nodes/ask/artifact"))?.body["data"].clone();
    assert_eq!(whole["nodeId"], step["id"], "{whole}");
    assert!(
        whole["summary"]
            .as_str()
            .is_some_and(|text| text.contains("yes")),
        "{whole}"
    );
    assert_eq!(whole["keyOutputs"], json!(["answer: yes", "result: yes"]));
    assert_eq!(whole["decisions"], json!([]));
    let ended = client.post(&resume, &Value::Null)?;
    assert_eq!((ended.status, ended.code()), (400, "NOT_PAUSED"));
    Ok(())
}
