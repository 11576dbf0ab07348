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
fn plan_shows_its_last_checkpoint_and_retries() -> Result {
    let served = TestServer::start()?;
    let client = Client::new(&served);
    let path = made_plan(&client)?;
    client.patch(&path, &json!({ "toolsRequired": ["Read"] }))?;
    let plan = client.get(&path)?.body["data"].clone();
    assert_eq!(plan["toolsRequired"], json!(["Read"]), "{plan}");
    assert_eq!(
        (&plan["checkpoint"], &plan["retryCount"]),
        (&Value::Null, &json!(0))
    );

    client.post(&format!("{path}/approve"), &Value::Null)?;
    client.post(&format!("{path}/execute"), &Value::Null)?;
    let checkpoint = format!("{path}/checkpoint");
    client.post(&checkpoint, &json!({ "data": { "step": 1 } }))?;
    let made = client.post(&checkpoint, &json!({ "data": { "step": 2 } }))?;
    let plan = client.get(&path)?.body["data"].clone();
    let text = plan["checkpoint"].as_str().ok_or("text")?;
    let shown: Value = serde_json::from_str(text)?;
    assert_eq!(shown, made.body["data"]["checkpoint"], "{}", made.text);
    assert_eq!(shown["data"]["step"], 2);
    Ok(())
}

/// What a terminal would obey, and what turns the text around. In a JSON string, the first of them
/// is escaped anyway.
const HOSTILE: &str = "Red \u{1b}[31m, \u{9b}2J, \u{7f}, \u{202e}turned";

/// Runs a plan with hostile texts, and returns its path and its run.
fn hostile_plan(client: &Client<'_>) -> Result<(String, String)> {
    let body = json!({
        "title": "Ask", "description": HOSTILE, "cwd": std::env::temp_dir(),
        "nodes": [{ "id": "ask", "title": HOSTILE, "kind": "user_input", "question": HOSTILE }],
    });
    let made = client.post("/api/plans", &body)?;
    let id = made.body["data"]["plan"]["id"].as_str();
    let path = format!("/api/plans/{}", id.ok_or(made.text.clone())?);
    client.post(&format!("{path}/approve"), &Value::Null)?;
    let executed = client.post(&format!("{path}/execute"), &Value::Null)?;
    let run = executed.body["data"]["result"]["run"].as_str();
    let run = run.ok_or("a run")?.to_owned();
    client.post(&format!("{path}/resume"), &json!({ "input": HOSTILE }))?;
    Ok((path, run))
}

/// The first character that a terminal would obey.
fn control_in(text: &str) -> Option<char> {
    let is_control = |c: &char| c.is_control() && !matches!(c, '\n' | '\t');
    text.chars().find(|c| is_control(c) || *c == '\u{202e}')
}

#[test]
fn json_has_no_control_characters_for_terminals() -> Result {
    let served = TestServer::start()?;
    let client = Client::new(&served);
    let mut events = served.stream("/api/plans/events", &served.token, None)?;
    let (path, run) = hostile_plan(&client)?;
    for target in [
        path.clone(),
        "/api/plans".to_owned(),
        format!("{path}/history"),
        format!("{path}/nodes/ask/artifact"),
        format!("/api/runs/{run}/handoffs"),
    ] {
        let answer = client.get(&target)?;
        let said = answer.body.to_string();
        assert!(
            said.contains(HOSTILE.trim_start_matches("Red \u{1b}")),
            "{target}: {said}"
        );
        assert_eq!(control_in(&answer.text), None, "{target}");
    }
    let refused = client.patch(&path, &json!({ "\u{9b}31m": HOSTILE }))?;
    assert!(refused.status >= 400, "{}", refused.text);
    assert_eq!(control_in(&refused.text), None, "{:?}", refused.text);
    let executed = client.post(&format!("{path}/execute"), &Value::Null)?;
    assert_eq!(control_in(&executed.text), None, "{:?}", executed.text);
    loop {
        let event = events.next()?;
        assert_eq!(control_in(&event.data), None, "{:?}", event.data);
        if event.event == "step:completed" {
            let data: Value = serde_json::from_str(&event.data)?;
            assert_eq!(data["step"]["title"], HOSTILE);
            return Ok(());
        }
    }
}

#[test]
fn documents_have_no_control_characters_for_terminals() -> Result {
    let served = TestServer::start()?;
    let client = Client::new(&served);
    let (path, run) = hostile_plan(&client)?;
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
        assert_eq!(
            control_in(&document.text),
            None,
            "{target}: {:?}",
            document.text
        );
    }
    Ok(())
}
