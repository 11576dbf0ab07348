//! Parses one line as JSON-RPC 2.0, without decoding the content.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::json_text::parse;
use crate::lenient_json;

/// A message from the agent.
#[derive(Debug)]
pub(crate) enum Message<'a> {
    /// An update of the session: its kind, and the whole update.
    Update {
        kind: Cow<'a, str>,
        update: &'a RawValue,
    },
    /// A notification of any other kind.
    Notification { method: Cow<'a, str> },
    /// A request to Baton. `id` is JSON, because it may be a number or a string.
    Request {
        id: &'a str,
        method: Cow<'a, str>,
        params: Option<&'a RawValue>,
    },
    /// The answer to a request of Baton. `None` for an empty one.
    Answer {
        id: u64,
        result: Result<Option<&'a RawValue>, RpcError>,
    },
}

/// The error with which an agent answers a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RpcError {
    /// The error code of the protocol. Some agents put an HTTP status here.
    pub(crate) code: i64,
    /// The agent's message, with the details in its data.
    pub(crate) message: String,
    /// The HTTP status of the model's service, if the error contains one.
    pub(crate) status: Option<u16>,
}

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "lenient_json::field")]
    method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct UpdateParams<'a> {
    #[serde(borrow)]
    update: &'a RawValue,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct UpdateHead<'a> {
    #[serde(borrow)]
    session_update: Cow<'a, str>,
}

#[derive(Deserialize)]
struct ErrorBody<'a> {
    #[serde(default, deserialize_with = "lenient_json::field")]
    code: Option<i64>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    message: Option<String>,
    #[serde(borrow)]
    data: Option<&'a RawValue>,
}

/// Parses a line; `None` when it is not a message of the protocol.
pub(crate) fn read(line: &[u8]) -> Option<Message<'_>> {
    let line: Line<'_> = serde_json::from_slice(line).ok()?;
    match (line.method, line.id) {
        (Some(method), Some(id)) => Some(Message::Request {
            id: id.get(),
            method,
            params: line.params,
        }),
        (Some(method), None) if method == "session/update" => {
            let params: UpdateParams<'_> = parse(line.params?)?;
            let head: UpdateHead<'_> = parse(params.update)?;
            Some(Message::Update {
                kind: head.session_update,
                update: params.update,
            })
        }
        (Some(method), None) => Some(Message::Notification { method }),
        (None, Some(id)) => {
            let result = match line.error {
                Some(error) => Err(rpc_error(error)),
                None => Ok(line.result),
            };
            Some(Message::Answer {
                id: id.get().trim_matches('"').parse().ok()?,
                result,
            })
        }
        // Per JSON-RPC, an error about an unparsable request has no id.
        (None, None) => line.error.map(|error| Message::Answer {
            id: 0,
            result: Err(rpc_error(error)),
        }),
    }
}

fn rpc_error(raw: &RawValue) -> RpcError {
    let body: ErrorBody<'_> = parse(raw).unwrap_or(ErrorBody {
        code: None,
        message: None,
        data: None,
    });
    let message = body
        .message
        .map(unwrapped)
        .unwrap_or_else(|| raw.get().to_owned());
    let data: serde_json::Value = body.data.and_then(parse).unwrap_or_default();
    let detail = ["details", "message", "error"]
        .iter()
        .find_map(|key| data.get(key)?.as_str());
    let more = detail
        .or_else(|| data.as_str())
        .filter(|more| !message.contains(more));
    let code = body.code.unwrap_or_default();
    let numbers = ["status", "statusCode", "httpStatus"]
        .iter()
        .find_map(|key| data.get(key)?.as_u64());
    let status = numbers
        .and_then(|status| u16::try_from(status).ok())
        .or_else(|| u16::try_from(code).ok());
    RpcError {
        code,
        message: more.map_or_else(|| message.clone(), |more| format!("{message}: {more}")),
        status: status.filter(|status| (400..600).contains(status)),
    }
}

/// Gemini embeds the service's error in the message, as JSON.
fn unwrapped(message: String) -> String {
    let inner: Option<serde_json::Value> = serde_json::from_str(&message).ok();
    let inner_message = inner
        .as_ref()
        .and_then(|inner| inner.pointer("/error/message")?.as_str());
    inner_message.map(str::to_owned).unwrap_or(message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classifies_messages_by_keys() {
        let kind = |line: &str| match read(line.as_bytes()) {
            Some(Message::Update { kind, .. }) => format!("update {kind}"),
            Some(Message::Notification { method }) => format!("notification {method}"),
            Some(Message::Request { id, method, .. }) => format!("request {id} {method}"),
            Some(Message::Answer { id, result }) => format!("answer {id} {}", result.is_ok()),
            None => "-".to_owned(),
        };
        for (line, expected) in [
            (
                r#"{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"plan"}}}"#,
                "update plan",
            ),
            (r#"{"method":"_x/y","params":{}}"#, "notification _x/y"),
            (
                r#"{"id":"a\"b","method":"fs/read_text_file"}"#,
                r#"request "a\"b" fs/read_text_file"#,
            ),
            (r#"{"id":3,"result":null}"#, "answer 3 true"),
            (r#"{"id":"3","result":{}}"#, "answer 3 true"),
            (
                r#"{"id":3,"error":{"code":-32000,"message":"x"}}"#,
                "answer 3 false",
            ),
            (
                r#"{"id":null,"error":{"code":-32700,"message":"x"}}"#,
                "answer 0 false",
            ),
            (r#"{"id":"not ours","result":{}}"#, "-"),
            (r#"{"method":"session/update","params":{}}"#, "-"),
            (r#"{"hello":1}"#, "-"),
            ("ready.", "-"),
        ] {
            assert_eq!(kind(line), expected, "{line}");
        }
    }

    #[test]
    fn error_message_includes_data() {
        let error = |body: &str| match read(format!(r#"{{"id":1,"error":{body}}}"#).as_bytes()) {
            Some(Message::Answer {
                result: Err(error), ..
            }) => (error.message, error.status),
            other => panic!("an error: {other:?}"),
        };
        for (body, expected, status) in [
            (
                r#"{"code":-32603,"message":"Internal error","data":{"details":"no key"}}"#,
                "Internal error: no key",
                None,
            ),
            (
                r#"{"code":-32603,"message":"Internal error","data":"no key"}"#,
                "Internal error: no key",
                None,
            ),
            (
                r#"{"code":429,"message":"slow down"}"#,
                "slow down",
                Some(429),
            ),
            (
                r#"{"code":400,"message":"{\"error\":{\"message\":\"too long\"}}"}"#,
                "too long",
                Some(400),
            ),
            (
                r#"{"code":-1,"message":"x","data":{"message":"x","statusCode":503}}"#,
                "x",
                Some(503),
            ),
            (r#""odd""#, "\"odd\"", None),
        ] {
            assert_eq!(error(body), (expected.to_owned(), status), "{body}");
        }
    }
}
