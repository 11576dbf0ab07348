//! What steps came to, after a real run.

use baton_api::AccessLevel;
use baton_tests::TestEnvironment;
use baton_tests::served::{Served, token};
use serde_json::{Value, json};

use super::{approved_plan, post};

/// Runs a plan to its end and returns its path.
fn executed(env: &TestEnvironment, served: &Served, token: &str) -> String {
    let body = json!({
        "name": "Results", "goal": "See what steps come to", "cwd": env.work_dir.path(), "autonomyLevel": 4,
        "steps": [
            { "id": "write", "type": "tool_call", "name": "Write",
              "config": { "toolName": "write", "toolArgs": { "path": "a.txt", "content": "hello" } } },
            { "id": "read", "type": "tool_call", "name": "Read", "dependencies": ["write"],
              "config": { "toolName": "read", "toolArgs": { "path": "a.txt" } } },
            { "id": "both", "type": "parallel", "name": "Both", "dependencies": ["read"],
              "config": { "steps": [
                  { "toolName": "read", "toolArgs": { "path": "a.txt" } },
                  { "toolName": "glob", "toolArgs": { "pattern": "*.txt" } } ] } },
            { "id": "again", "type": "loop", "name": "Again", "dependencies": ["read"],
              "config": { "toolName": "glob", "toolArgs": { "pattern": "*.txt" }, "maxIterations": 2 } },
            { "id": "branch", "type": "condition", "name": "Branch", "dependencies": ["read"],
              "config": { "condition": "true", "trueStep": "last" } },
            { "id": "last", "type": "command", "name": "Last", "config": { "command": "echo n=1 >> $BATON_OUTPUT" } },
        ],
    });
    let path = approved_plan(served, token, &body);
    let (status, done) = post(served, token, &format!("{path}/execute"), "", &json!({}));
    assert_eq!(status, 200, "{done:#}");
    path
}

#[test]
fn steps_show_values_calls_and_branches() {
    let env = TestEnvironment::new();
    let served = Served::start(&env);
    let token = token(&env, AccessLevel::Decide);
    let path = executed(&env, &served, &token);
    let headers = format!("authorization: Bearer {token}\r\n");
    let step = |name: &str| -> Value {
        let what = format!("GET {path}/steps/{name}");
        served.request(&what, &headers, &Value::Null).1["data"].clone()
    };
    let read = step("read")["result"].clone();
    assert_eq!(
        (&read["type"], &read["toolName"], &read["result"]),
        (&json!("tool_call"), &json!("read"), &json!("hello")),
        "{read:#}"
    );
    assert_eq!(read["toolCalls"][0]["toolName"], "read", "{read:#}");
    assert_eq!(read["toolCalls"][0]["ok"], true, "{read:#}");
    let both = step("both")["result"].clone();
    assert_eq!(both["result"][0], "hello", "{both:#}");
    assert_eq!(both["toolCalls"].as_array().map(Vec::len), Some(2));
    let again = step("again")["result"].clone();
    assert_eq!(
        again["result"].as_array().map(Vec::len),
        Some(2),
        "{again:#}"
    );
    assert_eq!(again["toolName"], "glob");
    let branch = step("branch")["result"].clone();
    assert_eq!(branch["nextStep"], step("last")["id"], "{branch:#}");
    let last = step("last")["result"].clone();
    assert_eq!(
        (&last["outputs"]["n"], &last["result"]),
        (&json!("1"), &Value::Null)
    );
    let list = served
        .request(&format!("GET {path}/steps"), &headers, &Value::Null)
        .1;
    assert_eq!(list["data"][0]["result"], Value::Null, "lists are short");
}
