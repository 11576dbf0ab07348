//! Repeated requests: one effect, and the same answer.

use std::thread;

use baton_server::Options;
use serde_json::{Value, json};

use super::Result;
use super::client::{Client, Reply, made_plan};
use crate::wire::TestServer;

fn post(client: &Client<'_>, path: &str, key: &str, body: &Value) -> Result<Reply> {
    let header = format!("idempotency-key: {key}");
    client.with(
        "POST",
        path,
        &header,
        Some(body).filter(|body| !body.is_null()),
    )
}

fn plan_count(served: &TestServer) -> Result<usize> {
    let plans: Value = serde_json::from_str(&served.call("plans_list", "")?.body)?;
    Ok(plans.as_array().ok_or("a list")?.len())
}

#[test]
fn repeated_request_is_answered_as_the_first_one_also_after_a_restart() -> Result {
    let mut served = TestServer::start()?;
    let body = json!({ "title": "Once" });
    let client = Client::new(&served);
    let first = post(&client, "/api/plans", "a", &body)?;
    assert_eq!(first.status, 201, "{}", first.text);
    let count = plan_count(&served)?;
    let again = post(&client, "/api/plans", "a", &body)?;
    assert_eq!((again.status, &again.body), (201, &first.body));
    assert_eq!(again.header("location"), first.header("location"));
    assert_eq!(again.header("etag"), first.header("etag"));
    let other = post(&client, "/api/plans", "a", &json!({ "title": "Twice" }))?;
    assert_eq!((other.status, other.code()), (422, "KEY_REUSED"));
    let bad = post(&client, "/api/plans", &"x".repeat(300), &body)?;
    assert_eq!((bad.status, bad.code()), (400, "INVALID_REQUEST"));

    let node = json!({ "title": "List", "kind": "command", "command": "ls" });
    let path = first.header("location").ok_or("a location")?.to_owned();
    for _ in 0..2 {
        let added = post(&client, &format!("{path}/nodes"), "node", &node)?;
        assert_eq!(added.status, 201, "{}", added.text);
    }
    served.restart(Options::default())?;
    let client = Client::new(&served);
    let again = post(&client, "/api/plans", "a", &body)?;
    assert_eq!((again.status, &again.body), (201, &first.body));
    assert_eq!(plan_count(&served)?, count);
    let nodes = client.get(&format!("{path}/nodes"))?;
    assert_eq!(nodes.body["data"].as_array().map(Vec::len), Some(1));
    Ok(())
}

#[test]
fn refused_request_leaves_its_key_free() -> Result {
    let served = TestServer::start()?;
    let client = Client::new(&served);
    let refused = post(&client, "/api/plans", "a", &json!({}))?;
    assert_eq!(refused.status, 400);
    let made = post(&client, "/api/plans", "a", &json!({ "title": "Once" }))?;
    assert_eq!(made.status, 201, "{}", made.text);
    Ok(())
}

#[test]
fn two_writers_with_one_key_make_one_plan() -> Result {
    let served = TestServer::start()?;
    let count = plan_count(&served)?;
    let writer = || {
        let body = json!({ "title": "Once" });
        loop {
            let reply = post(&Client::new(&served), "/api/plans", "a", &body).expect("an answer");
            match reply.status {
                201 => return reply.body["data"]["plan"]["id"].clone(),
                409 | 503 => {}
                status => panic!("{status}: {}", reply.text),
            }
        }
    };
    let ids: Vec<Value> = thread::scope(|scope| {
        let writers: Vec<_> = (0..4).map(|_| scope.spawn(writer)).collect();
        writers
            .into_iter()
            .map(|writer| writer.join().expect("no panic"))
            .collect()
    });
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!(plan_count(&served)?, count + 1);
    Ok(())
}

#[test]
fn repeated_execution_attaches_to_its_run() -> Result {
    let served = TestServer::start()?;
    let client = Client::new(&served);
    let path = made_plan(&client)?;
    let execute = format!("{path}/execute");
    let early = post(&client, &execute, "run", &Value::Null)?;
    assert_eq!(early.code(), "NOT_APPROVED");
    client.post(&format!("{path}/approve"), &Value::Null)?;
    let runs: Vec<Value> = (0..3)
        .map(|_| {
            let reply = post(&client, &execute, "run", &Value::Null)?;
            assert_eq!(reply.status, 200, "{}", reply.text);
            Ok(reply.body["data"]["result"]["run"].clone())
        })
        .collect::<Result<_>>()?;
    assert!(
        runs[0].is_string() && runs.iter().all(|run| *run == runs[0]),
        "{runs:?}"
    );
    let other = post(&client, &execute, "another", &Value::Null)?;
    assert_eq!(other.code(), "ALREADY_RUNNING");
    let resumed = client.post(&format!("{path}/resume"), &json!({ "input": "yes" }))?;
    assert_eq!(resumed.status, 200);
    let ended = post(&client, &execute, "run", &Value::Null)?;
    assert_eq!(ended.body["data"]["result"]["status"], "completed");
    assert_eq!(
        ended.body["data"]["result"]["run"], runs[0],
        "no second run"
    );
    Ok(())
}
