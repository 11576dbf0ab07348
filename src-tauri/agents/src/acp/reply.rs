//! The lines that Baton writes to an agent. Each is one line of JSON.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::acp::message::parse;
use crate::odd;
use crate::original::{Place, with_original};
use crate::task::Input;

/// The version of the protocol that Baton speaks.
pub(super) const VERSION: u64 = 1;
/// The number of the first question. Those that follow count on.
pub(super) const INITIALIZE: u64 = 1;
/// JSON-RPC's number for a method that is not there.
const NO_SUCH_METHOD: i64 = -32601;

/// Opens the conversation. Files and terminals are the agent's own business.
pub(super) fn initialize() -> Input {
    let params = json!({
        "protocolVersion": VERSION,
        "clientCapabilities": {"fs": {"readTextFile": false, "writeTextFile": false}, "terminal": false},
        "clientInfo": {"name": "baton", "title": "Baton", "version": env!("CARGO_PKG_VERSION")},
    });
    request("initialize", INITIALIZE, "initialize", &params)
}

/// Begins a session in `cwd`.
pub(super) fn new_session(id: u64, cwd: &str) -> Input {
    request(
        "session",
        id,
        "session/new",
        &json!({"cwd": cwd, "mcpServers": []}),
    )
}

/// Goes on with a session. `method` is what the agent offers for that.
pub(super) fn old_session(id: u64, method: &str, session: &str, cwd: &str) -> Input {
    request(
        "session",
        id,
        method,
        &json!({"sessionId": session, "cwd": cwd, "mcpServers": []}),
    )
}

/// Chooses the model: by `option`, or in the older way.
pub(super) fn model(id: u64, session: &str, option: Option<&str>, model: &str) -> Input {
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

/// Says `text` as the person.
pub(super) fn prompt(key: &str, id: u64, session: &str, text: &str) -> Input {
    let params = json!({"sessionId": session, "prompt": [{"type": "text", "text": text}]});
    request(key, id, "session/prompt", &params)
}

/// Asks the agent to stop its turn. The protocol wants open questions answered along with it.
pub(super) fn cancel(count: u32, session: &str, open: &[String]) -> Input {
    let answers = open
        .iter()
        .map(|request| answer_line(request, &cancelled()));
    let cancel =
        json!({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": session}});
    let lines: String = answers.chain([format!("{cancel}\n")]).collect();
    Input::text(format!("interrupt:{count}"), lines)
}

/// An answer that the agent offers to its question.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Choice {
    option_id: Box<RawValue>,
    #[serde(default, deserialize_with = "odd::field")]
    kind: Option<String>,
}

#[derive(Deserialize)]
struct Choices {
    options: Vec<Choice>,
}

/// The answers that a question offers.
pub(super) fn choices(params: Option<&RawValue>) -> Vec<Choice> {
    params
        .and_then(parse::<Choices>)
        .map(|choices| choices.options)
        .unwrap_or_default()
}

/// Gives or refuses leave, once. Agents name their options as they like; the kind tells.
///
/// `at`: where the line of the question begins. A question without a fitting option is answered as cancelled, which refuses it.
pub(super) fn leave(request: &str, choices: &[Choice], allowed: bool, at: u64) -> Input {
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
    let place = Place {
        line: at,
        pointer: format!("/params/options/{index}/optionId"),
    };
    with_original(
        answer_key(request),
        (&before, "}}}\n"),
        choices[index].option_id.get(),
        &place,
        refusal,
    )
}

/// Tells the agent that Baton does not do what it asks, so that it does not wait.
///
/// Also the answer to `fs/*`: opencode tells of a file it has written that way although Baton declared no such
/// ability, and goes on whatever it hears; an agent that leaves the writing to Baton must not believe it happened.
pub(super) fn unsupported(request: &str, method: &str) -> Input {
    let error = json!({"code": NO_SUCH_METHOD, "message": format!("method not found: Baton does not offer {method}")});
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
