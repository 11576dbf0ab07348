//! One line of an agent as JSON-RPC 2.0. What it carries stays undecoded.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::odd;

/// A message of the agent.
#[derive(Debug)]
pub(crate) enum Message<'a> {
    /// News about the session: the kind, and the update whole.
    Update {
        kind: Cow<'a, str>,
        update: &'a RawValue,
    },
    /// News about anything else.
    Notification { method: Cow<'a, str> },
    /// A question to Baton. `id` is its name as JSON, since it may be a number or a string.
    Request {
        id: &'a str,
        method: Cow<'a, str>,
        params: Option<&'a RawValue>,
    },
    /// The answer to a question of Baton's; `None` for an empty one.
    Answer {
        id: u64,
        result: Result<Option<&'a RawValue>, RpcError>,
    },
}

/// What JSON-RPC says of an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RpcError {
    /// The protocol's number, in which some agents put the HTTP status.
    pub(crate) code: i64,
    /// The agent's words, with what its data adds to them.
    pub(crate) words: String,
    /// The HTTP status of the model's service, where the error tells one.
    pub(crate) status: Option<u16>,
}

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "odd::field")]
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
    #[serde(default, deserialize_with = "odd::field")]
    code: Option<i64>,
    #[serde(default, deserialize_with = "odd::field")]
    message: Option<String>,
    #[serde(borrow)]
    data: Option<&'a RawValue>,
}

/// Reads a line; `None` when it is no message of the protocol.
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
        // JSON-RPC answers what it could not read at all without a name.
        (None, None) => line.error.map(|error| Message::Answer {
            id: 0,
            result: Err(rpc_error(error)),
        }),
    }
}

/// Decodes `raw` as `T`, or not.
pub(crate) fn parse<'a, T: Deserialize<'a>>(raw: &'a RawValue) -> Option<T> {
    serde_json::from_str(raw.get()).ok()
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
    let told = ["details", "message", "error"]
        .iter()
        .find_map(|key| data.get(key)?.as_str());
    let more = told
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
        words: more.map_or_else(|| message.clone(), |more| format!("{message}: {more}")),
        status: status.filter(|status| (400..600).contains(status)),
    }
}

/// Gemini passes on what its service said, as JSON within the message.
fn unwrapped(message: String) -> String {
    let inner: Option<serde_json::Value> = serde_json::from_str(&message).ok();
    let words = inner
        .as_ref()
        .and_then(|inner| inner.pointer("/error/message")?.as_str());
    words.map(str::to_owned).unwrap_or(message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_apart_by_their_keys() {
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
    fn an_error_says_what_its_data_adds() {
        let error = |body: &str| match read(format!(r#"{{"id":1,"error":{body}}}"#).as_bytes()) {
            Some(Message::Answer {
                result: Err(error), ..
            }) => (error.words, error.status),
            other => panic!("an error: {other:?}"),
        };
        for (body, words, status) in [
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
            assert_eq!(error(body), (words.to_owned(), status), "{body}");
        }
    }
}
