//! The lines that Baton writes to an agent. Each is one line of JSON.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::json_text::parse;
use crate::lenient_json;
use crate::quoted_value::{ValueLocation, input_with_quoted_value};
use crate::task::Input;

/// The protocol version that Baton supports.
pub(super) const VERSION: u64 = 1;
/// The id of the first request. Later ones count up from it.
pub(super) const INITIALIZE: u64 = 1;
/// The JSON-RPC code for an unknown method.
const NO_SUCH_METHOD: i64 = -32601;

/// The first request. Baton offers neither files nor terminals.
pub(super) fn initialize() -> Input {
    let params = json!({
        "protocolVersion": VERSION,
        "clientCapabilities": {"fs": {"readTextFile": false, "writeTextFile": false}, "terminal": false},
        "clientInfo": {"name": "baton", "title": "Baton", "version": env!("CARGO_PKG_VERSION")},
    });
    request("initialize", INITIALIZE, "initialize", &params)
}

/// Starts a session in `cwd`.
pub(super) fn new_session(id: u64, cwd: &str, servers: &[Value]) -> Input {
    request(
        "session",
        id,
        "session/new",
        &json!({"cwd": cwd, "mcpServers": servers}),
    )
}

/// Resumes a session with `method`, one that the agent supports.
pub(super) fn resume_session(
    id: u64,
    method: &str,
    session: &str,
    cwd: &str,
    servers: &[Value],
) -> Input {
    request(
        "session",
        id,
        method,
        &json!({"sessionId": session, "cwd": cwd, "mcpServers": servers}),
    )
}

/// Selects the model, with `option` or in the older form.
pub(super) fn set_model(id: u64, session: &str, option: Option<&str>, model: &str) -> Input {
    match option {
        Some(option) => {
            let params = json!({"sessionId": session, "configId": option, "value": model});
            request("model", id, "session/set_config_option", &params)
        }
        None => request(
            "model",
            id,
            "session/set_model",
            &json!({"sessionId": session, "modelId": model}),
        ),
    }
}

/// Sends `text` as the person.
pub(super) fn prompt(key: &str, id: u64, session: &str, text: &str) -> Input {
    let params = json!({"sessionId": session, "prompt": [{"type": "text", "text": text}]});
    request(key, id, "session/prompt", &params)
}

/// Asks the agent to stop its turn. The protocol requires an answer to open permission requests
/// with it.
pub(super) fn cancel(count: u32, session: &str, open: &[String]) -> Input {
    let answers = open
        .iter()
        .map(|request| answer_line(request, &cancelled()));
    let cancel =
        json!({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": session}});
    let lines: String = answers.chain([format!("{cancel}\n")]).collect();
    Input::text(format!("interrupt:{count}"), lines)
}

/// An option of a permission request.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PermissionOption {
    option_id: Box<RawValue>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    kind: Option<String>,
}

#[derive(Deserialize)]
struct PermissionOptions {
    options: Vec<PermissionOption>,
}

/// The options of a permission request.
pub(super) fn permission_options(params: Option<&RawValue>) -> Vec<PermissionOption> {
    params
        .and_then(parse::<PermissionOptions>)
        .map(|choices| choices.options)
        .unwrap_or_default()
}

/// Allows or denies a request once. Option ids are the agent's own; their kind says what they
/// mean.
///
/// `at` is the byte offset of the request's line. A request without a matching option is answered
/// as cancelled, which denies it.
pub(super) fn permission_answer(
    request: &str,
    choices: &[PermissionOption],
    allowed: bool,
    at: u64,
) -> Input {
    let kinds = if allowed {
        ["allow_once", "allow_always"]
    } else {
        ["reject_once", "reject_always"]
    };
    let of_kind = |kind: &str| {
        choices
            .iter()
            .position(|choice| choice.kind.as_deref() == Some(kind))
    };
    let refusal = answer_line(request, &cancelled());
    let Some(index) = kinds.into_iter().find_map(of_kind) else {
        return Input::text(answer_key(request), refusal);
    };
    let before = format!(
        r#"{{"jsonrpc":"2.0","id":{request},"result":{{"_meta":{{"baton":{{"allowed":{allowed}}}}},"outcome":{{"outcome":"selected","optionId":"#
    );
    let place = ValueLocation {
        line: at,
        pointer: format!("/params/options/{index}/optionId"),
    };
    input_with_quoted_value(
        answer_key(request),
        (&before, "}}}\n"),
        choices[index].option_id.get(),
        &place,
        refusal,
    )
}

/// Answers that Baton does not support a request, so that the agent does not wait.
///
/// This is also the answer to `fs/*`. opencode reports written files that way although Baton
/// declares no such ability, and continues after any answer. An agent that leaves the writing to
/// Baton must not assume that it happened.
pub(super) fn unsupported(request: &str, method: &str) -> Input {
    let error = json!({"code": NO_SUCH_METHOD, "message": format!("method not found: Baton doesn't support {method}")});
    Input::text(
        answer_key(request),
        format!(
            r#"{{"jsonrpc":"2.0","id":{request},"error":{error}}}{}"#,
            '\n'
        ),
    )
}

fn cancelled() -> Value {
    json!({"outcome": {"outcome": "cancelled"}})
}

fn answer_line(request: &str, result: &Value) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{request},"result":{result}}}{}"#,
        '\n'
    )
}

fn answer_key(request: &str) -> String {
    format!("answer:{request}")
}

fn request(key: &str, id: u64, method: &str, params: &Value) -> Input {
    let line = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
    Input::text(key, format!("{line}\n"))
}
