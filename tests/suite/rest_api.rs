//! The REST API of `baton serve`, with real runs and with clients that nobody here wrote.

mod clients;
mod generating;
mod step_results;
mod waiting;

use baton_tests::served::Served;
use serde_json::{Value, json};

/// The status and the body of a POST request with more headers.
fn post(served: &Served, token: &str, path: &str, headers: &str, body: &Value) -> (u16, Value) {
    let headers = format!("authorization: Bearer {token}\r\n{headers}");
    served.request(&format!("POST {path}"), &headers, body)
}

/// Makes a plan, approves it and returns its path.
fn approved_plan(served: &Served, token: &str, body: &Value) -> String {
    let (status, made) = post(served, token, "/api/plans", "", body);
    assert_eq!(status, 201, "{made:#}");
    let id = made["data"]["plan"]["id"].as_str().expect("an id");
    let path = format!("/api/plans/{id}");
    let (status, approved) = post(served, token, &format!("{path}/approve"), "", &json!({}));
    assert_eq!(status, 200, "{approved:#}");
    path
}
