//! The tool `http`.

use std::collections::BTreeMap;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Method, Response, Url};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::call_error::CallError;
use crate::captured::CapturedOutput;
use crate::network::HttpClient;
use crate::stop::Stop;

/// The limit on the returned body, in bytes.
const BODY_LIMIT: usize = 1024 * 1024;
/// How many characters of an error response are reported.
const ERROR_TAIL_CHARS: usize = 500;
const DEFAULT_TIMEOUT_MS: u64 = 30_000;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HttpArguments {
    url: String,
    method: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    body: Option<String>,
    json: Option<Value>,
    timeout_ms: Option<u64>,
}

/// Sends a request and waits for the whole response.
pub(crate) fn send(
    arguments: HttpArguments,
    network: &HttpClient,
    stop: &Stop,
) -> Result<Value, CallError> {
    let http = network.http()?;
    http.runtime.block_on(async {
        tokio::select! {
            answer = exchange(arguments, &http.client) => answer,
            () = stop.stopped() => Err(CallError::Stopped),
        }
    })
}

async fn exchange(arguments: HttpArguments, client: &Client) -> Result<Value, CallError> {
    let url = Url::parse(&arguments.url)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https"));
    let url = url.ok_or_else(|| CallError::Address(arguments.url.clone()))?;
    let method = arguments.method.as_deref().unwrap_or("GET").to_owned();
    let failed = |source| CallError::Request {
        method: method.clone(),
        url: arguments.url.clone(),
        source,
    };
    let timeout = Duration::from_millis(arguments.timeout_ms.unwrap_or(DEFAULT_TIMEOUT_MS));
    let known = Method::from_bytes(method.as_bytes()).unwrap_or(Method::GET);
    let mut headers = headers(&arguments.headers)?;
    let body = match arguments.json {
        Some(value) => {
            headers
                .entry(CONTENT_TYPE)
                .or_insert(HeaderValue::from_static("application/json"));
            Some(value.to_string())
        }
        None => arguments.body,
    };
    let mut request = client.request(known, url).timeout(timeout).headers(headers);
    if let Some(body) = body {
        request = request.body(body);
    }
    let mut answer = request.send().await.map_err(failed)?;
    let status = answer.status();
    let response_headers = headers_to_json(&answer);
    if let Some(to) = response_headers
        .get("location")
        .and_then(Value::as_str)
        .filter(|_| status.is_redirection())
    {
        return Err(CallError::CrossOriginRedirect {
            method,
            url: arguments.url,
            to: to.to_owned(),
        });
    }
    let mut body = CapturedOutput::default();
    while let Some(piece) = answer.chunk().await.map_err(failed)? {
        body.add(&piece, BODY_LIMIT);
        if body.left_out() > 0 {
            break;
        }
    }
    if status.is_client_error() || status.is_server_error() {
        let output: String = body.text().trim().chars().take(ERROR_TAIL_CHARS).collect();
        return Err(CallError::Status {
            method,
            url: arguments.url,
            status,
            output,
        });
    }
    let is_json = response_headers
        .get("content-type")
        .and_then(Value::as_str)
        .is_some_and(|kind| kind.contains("json"));
    let text = body.text();
    let mut value = json!({ "status": status.as_u16(), "headers": response_headers, "body": text });
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

/// Returns the response's headers. Of a repeated header, the last value counts.
fn headers_to_json(answer: &Response) -> Map<String, Value> {
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    answer
        .headers()
        .iter()
        .map(|(name, value)| (name.to_string(), text(value).into()))
        .collect()
}

/// Converts the arguments to headers.
pub(crate) fn headers(arguments: &BTreeMap<String, String>) -> Result<HeaderMap, CallError> {
    let header = |(name, value): (&String, &String)| {
        let header = HeaderName::try_from(name)
            .ok()
            .zip(HeaderValue::try_from(value).ok());
        header.ok_or_else(|| CallError::Header(name.clone()))
    };
    arguments.iter().map(header).collect()
}
