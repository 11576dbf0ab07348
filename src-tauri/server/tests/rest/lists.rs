//! Lists of plans, their number, and the history of one.

use serde_json::{Value, json};

use super::Result;
use super::client::{Client, made_plan};
use crate::wire::TestServer;

fn titles(body: &Value) -> Vec<&str> {
    let plans = body["data"]["plans"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    plans
        .iter()
        .filter_map(|plan| plan["title"].as_str())
        .collect()
}

/// Deletes the examples, which are there from the first start.
fn delete_examples(client: &Client<'_>) -> Result {
    let all = client.get("/api/plans?limit=1000")?;
    for plan in all.body["data"]["plans"].as_array().ok_or("a list")? {
        let id = plan["id"].as_str().ok_or("an id")?;
        assert_eq!(client.delete(&format!("/api/plans/{id}"))?.status, 200);
    }
    Ok(())
}

/// A plan without nodes, made by a program.
fn make(client: &Client<'_>, body: &Value) -> Result<String> {
    let made = client.post("/api/plans", body)?;
    let id = made.body["data"]["plan"]["id"].as_str();
    Ok(format!("/api/plans/{}", id.ok_or(made.text.clone())?))
}

#[test]
fn plans_are_listed_by_priority_filtered_and_paged() -> Result {
    let served = TestServer::start()?;
    let client = Client::new(&served);
    delete_examples(&client)?;
    for (title, priority, user, goal) in [
        ("first", 5, "ann", "g1"),
        ("second", 5, "bob", "g2"),
        ("urgent", 9, "ann", "g1"),
    ] {
        make(
            &client,
            &json!({ "title": title, "priority": priority, "userId": user, "goalId": goal,
                "triggerId": "nightly" }),
        )?;
    }
    make(&client, &json!({ "title": "low", "priority": 1 }))?;

    let all = client.get("/api/plans")?;
    assert_eq!(titles(&all.body), ["urgent", "second", "first", "low"]);
    let data = &all.body["data"];
    assert_eq!(
        (
            &data["total"],
            &data["limit"],
            &data["offset"],
            &data["nextCursor"]
        ),
        (&json!(4), &json!(20), &json!(0), &Value::Null)
    );
    let urgent = &data["plans"][0];
    for (field, value) in [
        ("userId", json!("ann")),
        ("status", json!("pending")),
        ("goalId", json!("g1")),
        ("progress", json!(0)),
        ("priority", json!(9)),
    ] {
        assert_eq!(urgent[field], value, "{field}");
    }
    for (query, expected) in [
        ("userId=ann", &["urgent", "first"][..]),
        ("userId=default", &["low"]),
        ("goalId=g2", &["second"]),
        ("triggerId=nightly&userId=bob", &["second"]),
        ("status=running", &[]),
        ("status=pending&limit=1&offset=1", &["second"]),
        ("search=urg", &["urgent"]),
        ("sort=title", &["first", "low", "second", "urgent"]),
    ] {
        let page = client.get(&format!("/api/plans?{query}"))?;
        assert_eq!(titles(&page.body), expected, "{query}");
    }

    let mut seen = Vec::new();
    let mut next = "/api/plans?limit=3".to_owned();
    loop {
        let page = client.get(&next)?;
        seen.extend(titles(&page.body).into_iter().map(str::to_owned));
        let Some(cursor) = page.body["data"]["nextCursor"].as_str() else {
            break;
        };
        next = format!("/api/plans?limit=3&cursor={cursor}");
    }
    assert_eq!(seen, ["urgent", "second", "first", "low"]);
    for wrong in [
        "limit=0",
        "limit=1001",
        "cursor=7",
        "status=draft",
        "sort=size",
    ] {
        let refused = client.get(&format!("/api/plans?{wrong}"))?;
        assert_eq!(
            (refused.status, refused.code()),
            (400, "INVALID_REQUEST"),
            "{wrong}"
        );
    }
    Ok(())
}

#[test]
fn active_and_pending_plans_are_counted() -> Result {
    let served = TestServer::start()?;
    let client = Client::new(&served);
    delete_examples(&client)?;
    for (title, priority) in [("later", 5), ("latest", 5), ("soon", 8)] {
        make(&client, &json!({ "title": title, "priority": priority }))?;
    }
    let asking = made_plan(&client)?;
    client.post(&format!("{asking}/approve"), &Value::Null)?;
    client.post(&format!("{asking}/execute"), &Value::Null)?;

    let pending = client.get("/api/plans/pending")?;
    assert_eq!(
        titles(&pending.body),
        ["soon", "later", "latest"],
        "oldest first"
    );
    assert_eq!(pending.body["data"]["count"], 3);
    let active = client.get("/api/plans/active")?;
    assert_eq!(titles(&active.body), ["Ask"]);
    let plan = &active.body["data"]["plans"][0];
    assert_eq!(
        (&plan["status"], &plan["waitingFor"]),
        (&json!("paused"), &json!("person"))
    );

    client.post(&format!("{asking}/resume"), &json!({ "input": "yes" }))?;
    let stats = client.get("/api/plans/stats")?;
    let data = &stats.body["data"];
    assert_eq!(
        data["byStatus"],
        json!({ "pending": 3, "running": 0, "paused": 0, "completed": 1, "failed": 0, "cancelled": 0 })
    );
    assert_eq!(
        (
            &data["total"],
            &data["completionRate"],
            &data["avgStepsPerPlan"]
        ),
        (&json!(4), &json!(25.0), &json!(0.25))
    );
    assert!(data["avgDurationMs"].is_u64(), "{data}");
    let none = client.get("/api/plans/stats?userId=nobody")?;
    assert_eq!(none.body["data"]["completionRate"], 0.0);
    assert_eq!(none.body["data"]["avgDurationMs"], Value::Null);
    Ok(())
}

#[test]
fn history_of_a_plan_covers_its_runs_latest_first() -> Result {
    let served = TestServer::start()?;
    let client = Client::new(&served);
    let path = made_plan(&client)?;
    client.post(&format!("{path}/approve"), &Value::Null)?;
    client.post(&format!("{path}/execute"), &Value::Null)?;
    client.post(&format!("{path}/resume"), &json!({ "input": "yes" }))?;
    let plan = client.get(&path)?.body["data"].clone();
    let all = client.get(&format!("{path}/history"))?;
    let rows = all.body["data"]["history"]
        .as_array()
        .ok_or("rows")?
        .clone();
    let types: Vec<&str> = rows
        .iter()
        .filter_map(|row| row["eventType"].as_str())
        .collect();
    assert_eq!(types.first(), Some(&"completed"), "{}", all.text);
    assert!(
        types.ends_with(&["started", "approved", "created"]),
        "{}",
        all.text
    );
    assert_eq!(all.body["data"]["limit"], 50);
    assert_eq!(plan["recentHistory"], json!(rows));
    let answered = rows
        .iter()
        .find(|row| row["eventType"] == "step_completed")
        .ok_or("the step")?;
    assert_eq!(answered["stepId"], plan["nodes"][0]["id"]);
    assert_eq!(answered["details"]["stepName"], "Ask");
    let run = plan["run"].as_str().ok_or("a run")?;
    let id = answered["id"].as_str().ok_or("an id")?;
    assert!(id.starts_with(&format!("{run}:")), "{id}");

    let mut seen = Vec::new();
    let mut query = "limit=4".to_owned();
    loop {
        let page = client.get(&format!("{path}/history?{query}"))?.body["data"].clone();
        seen.extend(page["history"].as_array().cloned().unwrap_or_default());
        let Some(cursor) = page["nextCursor"].as_str() else {
            break;
        };
        query = format!("limit=4&cursor={cursor}");
    }
    assert_eq!(seen, rows);
    let wrong = client.get(&format!("{path}/history?limit=0"))?;
    assert_eq!((wrong.status, wrong.code()), (400, "INVALID_REQUEST"));
    Ok(())
}
