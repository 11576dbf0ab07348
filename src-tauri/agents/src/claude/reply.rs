//! The lines that Baton writes to `claude`.
//!
//! Each is one line of JSON: a single line that is not ends the process.

use serde_json::{Value, json};

use crate::original::{Place, with_original};
use crate::task::Input;

/// The name under which Baton's hook on tool calls is registered.
pub(super) const HOOK: &str = "scope";

/// How the names of requests to stop begin.
pub(super) const INTERRUPT: &str = "interrupt:";

/// What the agent is told when what it wants to do is not known to the letter any more.
const FORGOTTEN: &str = "It was allowed, but part of the call is secret and Baton no longer holds it. Make the call again.";

/// Opens the conversation. With `guarded`, every tool call is announced before it runs, also those that the
/// person's own settings allow.
pub(super) fn initialize(guarded: bool) -> Input {
    let mut request = json!({"subtype": "initialize"});
    if guarded {
        request["hooks"] = json!({"PreToolUse": [{"matcher": "*", "hookCallbackIds": [HOOK]}]});
    }
    control("initialize", &request)
}

/// Says `text` as the person.
pub(super) fn user(key: &str, text: &str) -> Input {
    line(
        key,
        &json!({"type": "user", "message": {"role": "user", "content": text}}),
    )
}

/// Asks the agent to stop its turn.
pub(super) fn interrupt(count: u32) -> Input {
    control(
        &format!("{INTERRUPT}{count}"),
        &json!({"subtype": "interrupt"}),
    )
}

/// Refuses a request for permission; the agent is told why.
pub(super) fn refuse(request: &str, reason: &str) -> Input {
    Input::text(answer_key(request), refusal(request, reason))
}

/// Grants a request for permission. The client wants to hear what the tool is given, which is `input`, to the letter.
pub(super) fn allow(request: &str, input: &str, place: &Place) -> Input {
    let hole = response(request, &json!({"behavior": "allow", "updatedInput": null}));
    // No text in it can hold these quotation marks without backslashes.
    let (before, after) = hole
        .split_once(r#""updatedInput":null"#)
        .unwrap_or((&hole, ""));
    let before = format!(r#"{before}"updatedInput":"#);
    with_original(
        answer_key(request),
        (&before, after),
        input,
        place,
        refusal(request, FORGOTTEN),
    )
}

fn refusal(request: &str, reason: &str) -> String {
    response(request, &json!({"behavior": "deny", "message": reason}))
}

/// Answers the announcement of a tool call: refuse it, ask the person, or (`None`) go by the usual rules.
pub(super) fn hook(request: &str, decision: Option<(&str, &str)>) -> Input {
    let Some((decision, reason)) = decision else {
        return respond(request, &json!({}));
    };
    let output = json!({
        "hookEventName": "PreToolUse", "permissionDecision": decision, "permissionDecisionReason": reason,
    });
    respond(request, &json!({"hookSpecificOutput": output}))
}

/// Tells the agent that Baton does not do what it asks, so that it does not wait.
pub(super) fn unsupported(request: &str, subtype: &str) -> Input {
    let error = format!("Baton does not answer {subtype}");
    let response = json!({"subtype": "error", "request_id": request, "error": error});
    line(
        &answer_key(request),
        &json!({"type": "control_response", "response": response}),
    )
}

fn respond(request: &str, body: &Value) -> Input {
    Input::text(answer_key(request), response(request, body))
}

fn response(request: &str, body: &Value) -> String {
    let response = json!({"subtype": "success", "request_id": request, "response": body});
    format!(
        "{}\n",
        json!({"type": "control_response", "response": response})
    )
}

fn answer_key(request: &str) -> String {
    format!("answer:{request}")
}

fn control(key: &str, request: &Value) -> Input {
    line(
        key,
        &json!({"type": "control_request", "request_id": key, "request": request}),
    )
}

fn line(key: &str, message: &Value) -> Input {
    Input::text(key, format!("{message}\n"))
}
