//! The REST API of `baton serve`, with real runs and with clients that nobody here wrote.

mod clients;
mod generating;
mod step_results;
mod waiting;

use baton_tests::served::Served;
use serde_json::Value;

/// The status and the body of a POST request with more headers.
fn post(served: &Served, token: &str, path: &str, headers: &str, body: &Value) -> (u16, Value) {
    let headers = format!("authorization: Bearer {token}\r\n{headers}");
    served.request(&format!("POST {path}"), &headers, body)
}
