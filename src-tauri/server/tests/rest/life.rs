//! What starts and changes runs: for which content, and what it answers.

use serde_json::{Value, json};

use super::Result;
use super::client::{Client, made_plan};
use crate::wire::TestServer;

#[test]
fn condition_holds_for_what_runs_a_plan() -> Result {
    let served = TestServer::start()?;
    let client = Client::new(&served);
    let path = made_plan(&client)?;
    let etag = |reply: &super::client::Reply| reply.header("etag").map(str::to_owned);
    let old = etag(&client.get(&path)?).ok_or("a tag")?;
    let approved = client.post(&format!("{path}/approve"), &Value::Null)?;
    let current = etag(&approved).ok_or("a tag")?;
    assert_ne!(old, current);
    let post = |act: &str, tag: &str| {
        client.with(
            "POST",
            &format!("{path}/{act}"),
            &format!("if-match: {tag}"),
            None,
        )
    };
    for act in [
        "execute",
        "start",
        "run",
        "run-all",
        "rollback",
        "nodes/ask/run",
        "nodes/ask/retry",
        "steps/ask/run",
        "steps/ask/retry",
    ] {
        let refused = post(act, &old)?;
        assert_eq!(
            (refused.status, refused.code()),
            (412, "CONFLICT"),
            "{act}: {}",
            refused.text
        );
    }
    assert_eq!(
        client.get(&path)?.body["data"]["run"],
        Value::Null,
        "nothing ran"
    );
    let executed = post("execute", &current)?;
    assert_eq!(
        executed.body["data"]["result"]["status"], "paused",
        "{}",
        executed.text
    );
    Ok(())
}

/// The plan got another approved version while the request waited for the run of the first.
#[test]
fn result_is_that_of_the_run_that_the_request_waited_for() -> Result {
    let served = TestServer::start()?;
    let client = Client::new(&served);
    let path = made_plan(&client)?;
    client.post(&format!("{path}/approve"), &Value::Null)?;
    let executed = client.post(&format!("{path}/execute"), &Value::Null)?;
    let run = &executed.body["data"]["result"]["run"];
    client.patch(&path, &json!({ "title": "Ask again" }))?;
    let approved = client.post(&format!("{path}/approve"), &Value::Null)?;
    assert_eq!(
        approved.body["data"]["plan"]["review"], "approved",
        "{}",
        approved.text
    );

    let resumed = client.post(&format!("{path}/resume"), &json!({ "input": "yes" }))?;
    let result = &resumed.body["data"]["result"];
    assert_eq!(
        (&result["run"], &result["status"], &result["completedSteps"]),
        (run, &json!("completed"), &json!(1)),
        "{}",
        resumed.text
    );
    assert_eq!(
        client.get(&path)?.body["data"]["status"],
        "pending",
        "the new version"
    );
    Ok(())
}

#[test]
fn documents_have_no_control_characters_for_terminals() -> Result {
    let served = TestServer::start()?;
    let client = Client::new(&served);
    let hostile = "Red \u{1b}[31m, \u{9b}2J, \u{7}, \u{202e}turned";
    let body = json!({
        "title": "Ask", "description": hostile, "cwd": std::env::temp_dir(),
        "nodes": [{ "id": "ask", "title": hostile, "kind": "user_input", "question": hostile }],
    });
    let made = client.post("/api/plans", &body)?;
    let id = made.body["data"]["plan"]["id"]
        .as_str()
        .ok_or(made.text.clone())?;
    let path = format!("/api/plans/{id}");
    client.post(&format!("{path}/approve"), &Value::Null)?;
    let executed = client.post(&format!("{path}/execute"), &Value::Null)?;
    let run = executed.body["data"]["result"]["run"]
        .as_str()
        .ok_or("a run")?;
    client.post(&format!("{path}/resume"), &json!({ "input": hostile }))?;
    for target in [
        path.clone(),
        format!("{path}/nodes/ask"),
        format!("{path}/nodes/ask/artifact"),
        format!("/api/runs/{run}"),
        format!("/api/runs/{run}/handoffs"),
    ] {
        let document = client.with("GET", &target, "accept: text/markdown", None)?;
        assert_eq!(document.status, 200, "{target}: {}", document.text);
        assert!(
            document.text.contains("turned"),
            "{target}: {}",
            document.text
        );
        let control = document
            .text
            .chars()
            .find(|c| (c.is_control() && *c != '\n' && *c != '\t') || *c == '\u{202e}');
        assert_eq!(control, None, "{target}: {:?}", document.text);
    }
    Ok(())
}
