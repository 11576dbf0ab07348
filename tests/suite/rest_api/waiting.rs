//! How long requests wait for a run that doesn't end by itself.

use std::fs;

use baton_api::AccessLevel;
use baton_tests::TestEnvironment;
use baton_tests::served::{Served, token};
use serde_json::json;

use super::{approved_plan, post};

/// A node that ends when the file `go` exists.
const WAITS: &str = "until test -e go; do sleep 0.1; done";

/// Makes an approved plan whose only node waits for the file, and returns its path.
fn waiting_plan(env: &TestEnvironment, served: &Served, token: &str, goal: &str) -> String {
    let body = json!({
        "name": "Wait", "goal": goal, "cwd": env.work_dir.path(),
        "steps": [{ "type": "command", "name": "Wait", "config": { "command": WAITS } }],
    });
    approved_plan(served, token, &body)
}

#[test]
fn prefer_and_query_say_how_long_to_wait() {
    let env = TestEnvironment::new();
    let served = Served::start(&env);
    let token = token(&env, AccessLevel::Decide);
    for (query, headers) in [
        ("", "prefer: respond-async\r\n"),
        ("?wait=false", ""),
        ("", "prefer: wait=0\r\n"),
        ("", "prefer: wait=1\r\n"),
    ] {
        let path = waiting_plan(&env, &served, &token, &format!("{query} {headers}"));
        let execute = format!("{path}/execute{query}");
        let (status, started) = post(&served, &token, &execute, headers, &json!({}));
        let result = &started["data"]["result"];
        assert_eq!(
            status, 202,
            "{headers}: the run can't have ended: {started:#}"
        );
        assert_eq!(
            (&result["status"], &result["completedSteps"]),
            (&json!("running"), &json!(0))
        );
        let (status, again) = post(&served, &token, &execute, headers, &json!({}));
        assert_eq!(
            (status, &again["error"]["code"]),
            (400, &json!("ALREADY_RUNNING")),
            "{again:#}"
        );
        let (status, canceled) = post(&served, &token, &format!("{path}/abort"), "", &json!({}));
        assert_eq!(status, 200, "{canceled:#}");
    }
    let path = waiting_plan(&env, &served, &token, "Wait until the end.");
    fs::write(env.work_dir.path().join("go"), "").expect("a file");
    let execute = format!("{path}/execute");
    for headers in ["", "prefer: wait=600\r\n"] {
        let (status, ended) = post(&served, &token, &execute, headers, &json!({}));
        assert_eq!(status, 200, "{ended:#}");
        assert_eq!(ended["data"]["result"]["status"], "completed", "{ended:#}");
    }
}
