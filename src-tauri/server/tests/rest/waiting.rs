//! Requests that wait for a run: they keep nobody else out, and end with their clients.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use baton_server::Limits;
use serde_json::{Value, json};

use super::Result;
use super::client::Client;
use crate::wire::TestServer;

/// Starts a run that fails and is retried again and again, so that it isn't at rest for minutes: no
/// keeper is installed here. Returns its plan and its id.
fn long_run(client: &Client<'_>) -> Result<(String, String)> {
    let body = json!({
        "title": "Long", "description": "Takes long.", "cwd": std::env::temp_dir(), "maxRetries": 10,
        "nodes": [{ "id": "work", "title": "Work", "kind": "command", "command": "true" }],
    });
    let made = client.post("/api/plans", &body)?;
    let id = made.body["data"]["plan"]["id"]
        .as_str()
        .ok_or(made.text.clone())?;
    let path = format!("/api/plans/{id}");
    let approved = client.post(&format!("{path}/approve"), &Value::Null)?;
    assert_eq!(approved.status, 200, "{}", approved.text);
    let started = client.post(&format!("{path}/run-all"), &Value::Null)?;
    let run = started.body["data"]["run"]
        .as_str()
        .ok_or(started.text.clone())?;
    Ok((path, run.to_owned()))
}

fn with_places(waiting: usize) -> Result<TestServer> {
    TestServer::with_limits(Limits {
        waiting,
        // The requests come faster than their tokens are read.
        unauthenticated: 2_000,
        ..Limits::default()
    })
}

/// Sends a request that waits for `run`, without reading its answer.
fn wait(served: &TestServer, run: &str) -> Result<TcpStream> {
    let body = json!({ "run": run, "timeoutMs": 60_000 }).to_string();
    let head = format!(
        "POST /api/operations/run_wait HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\ncontent-length: {}\r\n\r\n",
        served.host(),
        served.token,
        body.len()
    );
    let mut stream = served.connect(&head)?;
    stream.write_all(body.as_bytes())?;
    Ok(stream)
}

#[test]
fn hundreds_of_waiting_requests_keep_nobody_out() -> Result {
    let served = with_places(1_000)?;
    let client = Client::new(&served);
    let (path, run) = long_run(&client)?;
    let mut waiting = Vec::new();
    for _ in 0..600 {
        waiting.push(wait(&served, &run)?);
        if waiting.len() % 100 == 0 {
            assert_eq!(client.get(&path)?.status, 200, "{}", waiting.len());
        }
    }
    let canceled = client.post(&format!("{path}/abort"), &Value::Null)?;
    assert_eq!(canceled.status, 200, "{}", canceled.text);
    for mut stream in waiting {
        let mut begin = [0; 15];
        stream.read_exact(&mut begin)?;
        assert_eq!(&begin, b"HTTP/1.1 200 OK");
    }
    Ok(())
}

#[test]
fn client_that_leaves_frees_its_place() -> Result {
    let served = with_places(2)?;
    let client = Client::new(&served);
    let (path, run) = long_run(&client)?;
    let short = json!({ "run": run, "timeoutMs": 1 }).to_string();
    let mut places = Vec::new();
    // Some of them may arrive while the short one has a place, and are refused.
    let busy = until(|| {
        let reply = served.call("run_wait", &short)?;
        if reply.status == 503 {
            return Ok(Some(reply));
        }
        places.push(wait(&served, &run)?);
        Ok(None)
    })?;
    let busy: Value = serde_json::from_str(&busy.body)?;
    assert_eq!(
        (&busy["code"], &busy["retryable"]),
        (&json!("busy"), &json!(true))
    );
    let resumed = client.with("POST", &format!("{path}/execute"), "prefer: wait=5", None)?;
    assert_eq!((resumed.status, resumed.code()), (503, "BUSY"));
    let answered = client.with("POST", &format!("{path}/execute"), "prefer: wait=0", None)?;
    assert_eq!(answered.code(), "BUSY", "it doesn't say that it won't wait");
    let declined = client.post(&format!("{path}/execute?wait=false"), &Value::Null)?;
    assert_eq!(declined.code(), "ALREADY_RUNNING");

    drop(places);
    until(|| Ok((served.call("run_wait", &short)?.status == 200).then_some(())))?;
    assert_eq!(
        client.post(&format!("{path}/abort"), &Value::Null)?.status,
        200
    );
    Ok(())
}

/// Tries until there is a result.
fn until<T>(mut attempt: impl FnMut() -> Result<Option<T>>) -> Result<T> {
    for _ in 0..2_000 {
        if let Some(found) = attempt()? {
            return Ok(found);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Err("it didn't happen".into())
}

#[test]
fn waiting_ends_with_the_run_and_at_the_limit() -> Result {
    let served = TestServer::start()?;
    let client = Client::new(&served);
    let (path, run) = long_run(&client)?;
    let short = json!({ "run": run, "timeoutMs": 5 }).to_string();
    let waited: Value = serde_json::from_str(&served.call("run_wait", &short)?.body)?;
    assert_eq!(
        (&waited["ended"], &waited["waitsForPerson"]),
        (&json!(false), &json!(false)),
        "{waited}"
    );
    let mut stream = wait(&served, &run)?;
    assert_eq!(
        client.post(&format!("{path}/abort"), &Value::Null)?.status,
        200
    );
    let mut answer = String::new();
    let mut chunk = [0; 4096];
    while !answer.contains("\"ended\":true") {
        let count = stream.read(&mut chunk)?;
        assert!(count > 0, "{answer}");
        answer.push_str(&String::from_utf8_lossy(&chunk[..count]));
    }
    Ok(())
}

#[test]
fn tool_that_waits_takes_a_place_like_a_request() -> Result {
    let served = with_places(1)?;
    let client = Client::new(&served);
    let (path, run) = long_run(&client)?;
    let call = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": "run_get", "arguments": { "run": run, "waitMs": 1 } },
    });
    let headers = "content-type: application/json\r\naccept: application/json, text/event-stream\r\n\
        mcp-protocol-version: 2025-11-25";
    let is_refused = || {
        let reply = client.raw("POST", "/mcp", headers, &call.to_string())?;
        assert_eq!(reply.status, 200, "{}", reply.text);
        Result::Ok(reply.body["result"]["isError"] == true)
    };
    assert!(!is_refused()?, "a free place");
    let mut places = Vec::new();
    // A request that arrives while the tool has the place is refused.
    until(|| {
        if is_refused()? {
            return Ok(Some(()));
        }
        places.push(wait(&served, &run)?);
        Ok(None)
    })?;
    drop(places);
    until(|| Ok((!is_refused()?).then_some(())))?;
    let canceled = client.post(&format!("{path}/abort"), &Value::Null)?;
    assert_eq!(canceled.status, 200, "{}", canceled.text);
    Ok(())
}
