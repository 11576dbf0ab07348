//! The review of plans and of proposals.

use serde_json::{Value, json};

use super::Result;
use super::client::{Client, made_plan};
use crate::wire::TestServer;

#[test]
fn plan_is_proposed_withdrawn_and_rejected() -> Result {
    let served = TestServer::start()?;
    let client = Client::new(&served);
    let path = made_plan(&client)?;
    let review = |act: &str, body: &Value| client.post(&format!("{path}/{act}"), body);
    let proposed = review("propose", &Value::Null)?;
    assert_eq!(
        proposed.body["data"]["plan"]["review"], "proposed",
        "{}",
        proposed.text
    );
    let tag = proposed.header("etag").ok_or("a tag")?.to_owned();
    let withdrawn = review("withdraw", &Value::Null)?;
    assert_eq!(withdrawn.body["data"]["plan"]["review"], "draft");
    let stale = client.with(
        "POST",
        &format!("{path}/propose"),
        &format!("if-match: {tag}"),
        None,
    )?;
    assert_eq!(
        (stale.status, stale.code()),
        (412, "CONFLICT"),
        "{}",
        stale.text
    );
    let stale = review("propose", &json!({ "revision": 1 }))?;
    assert_eq!(
        (stale.status, stale.code()),
        (409, "CONFLICT"),
        "{}",
        stale.text
    );

    for after in ["rejected", "rejected", "needs_review"] {
        review("propose", &Value::Null)?;
        let words = json!({ "feedback": "Nothing tests it.", "reason": "missing_check" });
        let rejected = review("reject", &words)?;
        assert_eq!(
            rejected.body["data"]["plan"]["review"], after,
            "{}",
            rejected.text
        );
    }
    let unknown = review("reject", &json!({ "reason": "ugly" }))?;
    assert_eq!((unknown.status, unknown.code()), (400, "INVALID_REQUEST"));
    let again = review("reject", &json!({ "feedback": "No." }))?;
    assert_eq!(
        again.body["data"]["plan"]["status"], "cancelled",
        "{}",
        again.text
    );
    Ok(())
}

/// Submits a new plan with one node and returns the path of the proposal.
fn submitted(client: &Client<'_>) -> Result<String> {
    let submitted = client.post(
        "/api/proposals",
        &json!({
            "title": "List", "reason": "To see them.", "requestId": "list-1",
            "cwd": std::env::temp_dir(),
            "nodes": [{ "id": "list", "title": "List", "kind": "command", "command": "ls" }],
        }),
    )?;
    assert_eq!(submitted.status, 201, "{}", submitted.text);
    let path = submitted.header("location").ok_or("a location")?;
    assert!(path.starts_with("/api/proposals/"), "{path}");
    Ok(path.to_owned())
}

#[test]
fn person_decides_on_the_draft_that_they_saw() -> Result {
    let served = TestServer::start()?;
    let client = Client::new(&served);
    let path = submitted(&client)?;
    assert_eq!(submitted(&client)?, path, "the same request once more");
    let shown = client.get(&path)?.body["data"].clone();
    assert_eq!(shown["summary"]["rounds"], 1);

    let node = &shown["draft"]["nodes"][0]["id"];
    let comment =
        json!({ "round": 1, "place": { "on": "node", "node": node }, "text": "Hidden files?" });
    let commented = client.post(&format!("{path}/comments"), &comment)?;
    assert_eq!(commented.status, 200, "{}", commented.text);
    let revision = json!({
        "round": 1, "answers": { "1": "Now as well." },
        "nodes": [{ "id": "list", "title": "List", "kind": "command", "command": "ls -a" }],
    });
    let revised = client.post(&format!("{path}/revise"), &revision)?;
    let data = &revised.body["data"];
    assert_eq!(data["summary"]["rounds"], 2, "{}", revised.text);
    assert_eq!(data["comments"][0]["answer"]["text"], "Now as well.");

    for act in ["accept", "reject"] {
        let unseen = client.post(&format!("{path}/{act}"), &json!({}))?;
        assert_eq!(
            (unseen.status, unseen.code()),
            (400, "INVALID_REQUEST"),
            "{act}"
        );
        assert!(unseen.text.contains("round"), "{}", unseen.text);
        let changed = client.post(&format!("{path}/{act}"), &json!({ "round": 1 }))?;
        assert_eq!(
            (changed.status, changed.code()),
            (409, "CONFLICT"),
            "{act}: {}",
            changed.text
        );
    }
    for (act, body) in [("revise", &revision), ("comments", &comment)] {
        let changed = client.post(&format!("{path}/{act}"), body)?;
        assert_eq!(
            (changed.status, changed.code()),
            (409, "CONFLICT"),
            "{act}: {}",
            changed.text
        );
    }
    let rejection = json!({ "round": 2, "reason": "wrong_order", "feedback": "Not now." });
    let rejected = client.post(&format!("{path}/reject"), &rejection)?;
    let data = &rejected.body["data"];
    assert_eq!(data["summary"]["rejections"], 1, "{}", rejected.text);
    assert!(rejected.text.contains("wrong_order"), "{}", rejected.text);
    Ok(())
}

#[test]
fn accepted_proposal_is_a_plan() -> Result {
    let served = TestServer::start()?;
    let client = Client::new(&served);
    let path = submitted(&client)?;
    let accepted = client.post(&format!("{path}/accept"), &json!({ "round": 1 }))?;
    assert_eq!(accepted.status, 200, "{}", accepted.text);
    let plan = accepted.body["data"]["plan"]["id"]
        .as_str()
        .ok_or("a plan")?;
    let shown = client.get(&format!("/api/plans/{plan}"))?;
    assert_eq!(shown.body["data"]["title"], "List");

    let change = json!({
        "plan": plan, "baseVersion": shown.body["data"]["version"],
        "changes": [{ "op": "edit", "node": "list", "changes": { "title": "List all" } }],
    });
    let proposed = client.post("/api/proposals", &change)?;
    assert_eq!(
        proposed.body["data"]["summary"]["target"]["plan"], plan,
        "{}",
        proposed.text
    );
    let both = json!({ "text": "baton: 1\ntitle: x\n", "nodes": [] });
    let refused = client.post("/api/proposals", &both)?;
    assert_eq!(
        (refused.status, refused.code()),
        (400, "INVALID_REQUEST"),
        "{}",
        refused.text
    );
    Ok(())
}
