//! Running one node never runs a finished one before it again.

use serde_json::{Value, json};

use super::Result;
use super::client::Client;
use crate::wire::TestServer;

/// A plan of questions, which need no process: the second and third wait for the one before.
fn questions(client: &Client<'_>) -> Result<String> {
    let ask = |id: &str, after: &[&str]| json!({ "id": id, "title": id, "kind": "user_input", "question": "Ready?", "dependsOn": after });
    let nodes = [ask("a", &[]), ask("b", &["a"]), ask("c", &["b"])];
    let body = json!({ "title": "Ask", "cwd": std::env::temp_dir(), "nodes": nodes });
    let made = client.post("/api/plans", &body)?;
    let id = made.body["data"]["plan"]["id"]
        .as_str()
        .ok_or(made.text.clone())?;
    let path = format!("/api/plans/{id}");
    let approved = client.post(&format!("{path}/approve"), &Value::Null)?;
    assert_eq!(approved.status, 200, "{}", approved.text);
    Ok(path)
}

/// Waits until the run continues only after a person did something, or has ended.
fn settle(served: &TestServer, run: &Value) -> Result {
    let input = json!({ "run": run, "timeoutMs": 20_000 }).to_string();
    let waited: Value = serde_json::from_str(&served.call("run_wait", &input)?.body)?;
    let is_settled = waited["ended"] == true || waited["waitsForPerson"] == true;
    assert!(is_settled, "{waited}");
    Ok(())
}

/// Answers the question of a node, once it is asked.
fn answer(served: &TestServer, client: &Client<'_>, run: &Value, node: &str) -> Result {
    settle(served, run)?;
    let run = run.as_str().ok_or("a run")?;
    let path = format!("/api/runs/{run}/nodes/{node}/input");
    let answered = client.post(&path, &json!({ "value": "yes" }))?;
    assert_eq!(answered.status, 200, "{}", answered.text);
    Ok(())
}

/// How often a node of the plan's run was started.
fn attempts(client: &Client<'_>, path: &str, node: &str) -> Result<Value> {
    let shown = client.get(&format!("{path}/nodes/{node}"))?;
    Ok(shown.body["data"]["attempt"].clone())
}

#[test]
fn missing_ancestors_are_named_and_finished_ones_stay() -> Result {
    let served = TestServer::start()?;
    let client = Client::new(&served);
    let path = questions(&client)?;
    let run = |node: &str, body: &Value| client.post(&format!("{path}/nodes/{node}/run"), body);

    let refused = run("c", &Value::Null)?;
    assert_eq!(
        (refused.status, refused.code()),
        (409, "REFUSED"),
        "{}",
        refused.text
    );
    let message = refused.body["error"]["message"]
        .as_str()
        .unwrap_or_default();
    assert!(
        message.contains("a, b"),
        "every ancestor is named: {message}"
    );

    let first = run("a", &Value::Null)?;
    assert_eq!(first.status, 202, "{}", first.text);
    let id = first.body["data"]["run"].clone();
    answer(&served, &client, &id, "a")?;
    let refused = run("c", &json!({}))?;
    let message = refused.body["error"]["message"]
        .as_str()
        .unwrap_or_default();
    assert!(
        refused.status == 409 && message.ends_with("waits for b."),
        "{message}"
    );

    let both = run("c", &json!({ "withAncestors": true }))?;
    assert_eq!(
        (both.status, &both.body["data"]["run"]),
        (202, &id),
        "{}",
        both.text
    );
    let started = attempts(&client, &path, "a")?;
    answer(&served, &client, &id, "b")?;
    answer(&served, &client, &id, "c")?;
    settle(&served, &id)?;
    assert_eq!(client.get(&path)?.body["data"]["status"], "completed");

    let again = run("c", &Value::Null)?;
    assert_eq!(
        (again.status, &again.body["data"]["run"]),
        (202, &id),
        "{}",
        again.text
    );
    settle(&served, &id)?;
    let nodes = client.get(&format!("{path}/nodes"))?.body["data"].clone();
    let states: Vec<&Value> = (0..3).map(|index| &nodes[index]["status"]).collect();
    assert_eq!(states, ["done", "done", "waiting"], "{nodes}");
    assert_eq!(attempts(&client, &path, "a")?, started);
    Ok(())
}

#[test]
fn ended_run_is_not_begun_again_for_one_node() -> Result {
    let served = TestServer::start()?;
    let client = Client::new(&served);
    let path = questions(&client)?;
    let executed = client.post(&format!("{path}/execute"), &Value::Null)?;
    let id = executed.body["data"]["result"]["run"].clone();
    answer(&served, &client, &id, "a")?;
    client.post(&format!("{path}/cancel"), &Value::Null)?;
    settle(&served, &id)?;
    let waited = client.get(&path)?;
    assert_eq!(
        waited.body["data"]["status"], "cancelled",
        "{}",
        waited.text
    );
    for body in [json!({}), json!({ "withAncestors": true })] {
        let refused = client.post(&format!("{path}/nodes/b/run"), &body)?;
        assert_eq!(
            (refused.status, refused.code()),
            (409, "REFUSED"),
            "{}",
            refused.text
        );
        assert!(refused.text.contains("run a again"), "{}", refused.text);
    }
    assert_eq!(
        client.get(&path)?.body["data"]["run"],
        id,
        "no run was started"
    );
    Ok(())
}

#[test]
fn next_node_ends_with_the_plan() -> Result {
    let served = TestServer::start()?;
    let client = Client::new(&served);
    let path = questions(&client)?;
    let next = || client.post(&format!("{path}/run"), &Value::Null);
    for node in ["a", "b", "c"] {
        let started = next()?;
        assert_eq!(started.status, 202, "{}", started.text);
        answer(&served, &client, &started.body["data"]["run"], node)?;
    }
    let run = client.get(&path)?.body["data"]["run"].clone();
    settle(&served, &run)?;
    let nothing = next()?;
    assert_eq!(
        (nothing.status, nothing.code()),
        (409, "REFUSED"),
        "{}",
        nothing.text
    );
    Ok(())
}
