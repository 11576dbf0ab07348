//! The tool `http`.

use std::collections::BTreeMap;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Method, Response, Url};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::call_error::CallError;
use crate::captured::Captured;
use crate::network::Network;
use crate::stop::Stop;

/// How much of an answer is given back.
const LIMIT: usize = 1024 * 1024;
/// How many characters of an answer explain a failure.
const LAST_WORDS: usize = 500;
const DEFAULT_TIMEOUT_MS: u64 = 30_000;

/// What `http` is asked.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Asked {
    url: String,
    method: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    body: Option<String>,
    json: Option<Value>,
    timeout_ms: Option<u64>,
}

/// Sends a request and waits for the whole answer.
pub(crate) fn send(asked: Asked, network: &Network, stop: &Stop) -> Result<Value, CallError> {
    let means = network.means()?;
    means.runtime.block_on(async {
        tokio::select! {
            answer = exchange(asked, &means.client) => answer,
            () = stop.stopped() => Err(CallError::Stopped),
        }
    })
}

async fn exchange(asked: Asked, client: &Client) -> Result<Value, CallError> {
    let url = Url::parse(&asked.url)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https"));
    let url = url.ok_or_else(|| CallError::Address(asked.url.clone()))?;
    let method = asked.method.as_deref().unwrap_or("GET").to_owned();
    let failed = |source| CallError::Request {
        method: method.clone(),
        url: asked.url.clone(),
        source,
    };
    let timeout = Duration::from_millis(asked.timeout_ms.unwrap_or(DEFAULT_TIMEOUT_MS));
    let known = Method::from_bytes(method.as_bytes()).unwrap_or(Method::GET);
    let mut headers = headers(&asked.headers)?;
    let body = match asked.json {
        Some(value) => {
            headers
                .entry(CONTENT_TYPE)
                .or_insert(HeaderValue::from_static("application/json"));
            Some(value.to_string())
        }
        None => asked.body,
    };
    let mut request = client.request(known, url).timeout(timeout).headers(headers);
    if let Some(body) = body {
        request = request.body(body);
    }
    let mut answer = request.send().await.map_err(failed)?;
    let status = answer.status();
    let said = said(&answer);
    if let Some(to) = said
        .get("location")
        .and_then(Value::as_str)
        .filter(|_| status.is_redirection())
    {
        return Err(CallError::Elsewhere {
            method,
            url: asked.url,
            to: to.to_owned(),
        });
    }
    let mut body = Captured::default();
    while let Some(piece) = answer.chunk().await.map_err(failed)? {
        body.add(&piece, LIMIT);
        if body.left_out() > 0 {
            break;
        }
    }
    if status.is_client_error() || status.is_server_error() {
        let told: String = body.text().trim().chars().take(LAST_WORDS).collect();
        return Err(CallError::Status {
            method,
            url: asked.url,
            status,
            told,
        });
    }
    let is_json = said
        .get("content-type")
        .and_then(Value::as_str)
        .is_some_and(|kind| kind.contains("json"));
    let text = body.text();
    let mut value = json!({ "status": status.as_u16(), "headers": said, "body": text });
    if let Some(read) = is_json
        .then(|| serde_json::from_str::<Value>(&text).ok())
        .flatten()
    {
        value["json"] = read;
    }
    if body.left_out() > 0 {
        value["truncated"] = true.into();
    }
    Ok(value)
}

/// The headers of an answer; of one that comes twice the last.
fn said(answer: &Response) -> Map<String, Value> {
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    answer
        .headers()
        .iter()
        .map(|(name, value)| (name.to_string(), text(value).into()))
        .collect()
}

/// Headers as they are sent.
pub(crate) fn headers(asked: &BTreeMap<String, String>) -> Result<HeaderMap, CallError> {
    let header = |(name, value): (&String, &String)| {
        let header = HeaderName::try_from(name)
            .ok()
            .zip(HeaderValue::try_from(value).ok());
        header.ok_or_else(|| CallError::Header(name.clone()))
    };
    asked.iter().map(header).collect()
}
