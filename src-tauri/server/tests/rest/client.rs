//! A client of the REST API that sees every byte.

use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

use super::Result;
use crate::wire::TestServer;

/// Sends requests with a token.
pub(super) struct Client<'s> {
    served: &'s TestServer,
    token: String,
}

/// An answer, read.
pub(super) struct Reply {
    pub(super) status: u16,
    /// The body as JSON; null if it is none.
    pub(super) body: Value,
    pub(super) text: String,
    headers: crate::wire::HttpResponse,
}

impl Reply {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.header(name)
    }

    /// The error's code.
    pub(super) fn code(&self) -> &str {
        self.body["error"]["code"].as_str().unwrap_or("none")
    }
}

impl<'s> Client<'s> {
    /// A client with the browser's token.
    pub(super) fn new(served: &'s TestServer) -> Self {
        Self::with_token(served, &served.token)
    }

    pub(super) fn with_token(served: &'s TestServer, token: &str) -> Self {
        Self {
            served,
            token: token.to_owned(),
        }
    }

    pub(super) fn get(&self, path: &str) -> Result<Reply> {
        self.with("GET", path, "", None)
    }

    pub(super) fn post(&self, path: &str, body: &Value) -> Result<Reply> {
        self.with("POST", path, "", Some(body).filter(|body| !body.is_null()))
    }

    pub(super) fn put(&self, path: &str, body: &Value) -> Result<Reply> {
        self.with("PUT", path, "", Some(body))
    }

    pub(super) fn patch(&self, path: &str, body: &Value) -> Result<Reply> {
        self.with("PATCH", path, "", Some(body))
    }

    pub(super) fn delete(&self, path: &str) -> Result<Reply> {
        self.with("DELETE", path, "", None)
    }

    /// Sends a request with more headers.
    pub(super) fn with(
        &self,
        method: &str,
        path: &str,
        headers: &str,
        body: Option<&Value>,
    ) -> Result<Reply> {
        let headers = match (headers, body) {
            (headers, None) => headers.to_owned(),
            ("", Some(_)) => "content-type: application/json".to_owned(),
            (headers, Some(_)) => format!("content-type: application/json\r\n{headers}"),
        };
        let body = body.map(Value::to_string).unwrap_or_default();
        self.raw(method, path, &headers, &body)
    }

    /// Sends a body that needn't be JSON.
    pub(super) fn raw(&self, method: &str, path: &str, headers: &str, body: &str) -> Result<Reply> {
        let mut all = format!(
            "host: {}\r\nauthorization: Bearer {}\r\ncontent-length: {}",
            self.served.host(),
            self.token,
            body.len()
        );
        if !headers.is_empty() {
            all.push_str("\r\n");
            all.push_str(headers);
        }
        let answer = self.served.send(&format!("{method} {path}"), &all, body)?;
        let text = match answer.header("transfer-encoding") {
            Some("chunked") => joined_chunks(&answer.body)?,
            _ => answer.body.clone(),
        };
        Ok(Reply {
            status: answer.status,
            body: serde_json::from_str(&text).unwrap_or(Value::Null),
            text,
            headers: answer,
        })
    }
}

/// The content of a chunked body of ASCII text.
fn joined_chunks(mut body: &str) -> Result<String> {
    let mut text = String::new();
    while let Some((length, rest)) = body.split_once("\r\n") {
        let length = usize::from_str_radix(length.trim(), 16)?;
        if length == 0 {
            break;
        }
        text.push_str(rest.get(..length).ok_or("a chunk")?);
        body = rest
            .get(length..)
            .ok_or("more chunks")?
            .trim_start_matches("\r\n");
    }
    Ok(text)
}

/// Makes a plan with one question, which needs no process, and returns its path. Each has a goal of
/// its own, because plans with the same goal don't run at the same time.
pub(super) fn made_plan(client: &Client<'_>) -> Result<String> {
    static MADE: AtomicU32 = AtomicU32::new(0);
    let goal = format!("Ask person {}.", MADE.fetch_add(1, Ordering::Relaxed));
    let body = json!({
        "title": "Ask", "description": goal, "cwd": std::env::temp_dir(),
        "nodes": [{ "id": "ask", "title": "Ask", "kind": "user_input", "question": "Ready?" }],
    });
    let made = client.post("/api/plans", &body)?;
    let id = made.body["data"]["plan"]["id"].as_str();
    let id = id.ok_or_else(|| format!("{}: {}", made.status, made.text))?;
    Ok(format!("/api/plans/{id}"))
}
