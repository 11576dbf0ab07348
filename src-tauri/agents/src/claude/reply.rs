//! The lines that Baton writes to `claude`.
//!
//! Each is one line of JSON. A single line that is not JSON ends the process.

use serde_json::{Value, json};

use crate::quoted_value::{ValueLocation, input_with_quoted_value};
use crate::task::Input;

/// The name of Baton's hook on tool calls.
pub(super) const HOOK: &str = "scope";

/// The prefix of the ids of interrupt requests.
pub(super) const INTERRUPT: &str = "interrupt:";

/// For the agent, when the exact input of its call is no longer available.
const INPUT_NO_LONGER_AVAILABLE: &str = "It was allowed, but part of the call is secret and Baton no longer holds it. Make the call again.";

/// Initializes the session. With `guarded`, every tool call is announced before it runs,
/// including calls that the person's own settings allow.
pub(super) fn initialize(guarded: bool) -> Input {
    let mut request = json!({"subtype": "initialize"});
    if guarded {
        request["hooks"] = json!({"PreToolUse": [{"matcher": "*", "hookCallbackIds": [HOOK]}]});
    }
    control("initialize", &request)
}

/// Sends `text` as the person.
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

/// Denies a permission request and gives the agent the reason.
pub(super) fn refuse(request: &str, reason: &str) -> Input {
    Input::text(answer_key(request), refusal(request, reason))
}

/// Allows a permission request. The client expects the tool's exact input back.
pub(super) fn allow(request: &str, input: &str, place: &ValueLocation) -> Input {
    let template = response(request, &json!({"behavior": "allow", "updatedInput": null}));
    // Inside JSON text, these quotation marks would be escaped.
    let (before, after) = template
        .split_once(r#""updatedInput":null"#)
        .unwrap_or((&template, ""));
    let before = format!(r#"{before}"updatedInput":"#);
    input_with_quoted_value(
        answer_key(request),
        (&before, after),
        input,
        place,
        refusal(request, INPUT_NO_LONGER_AVAILABLE),
    )
}

fn refusal(request: &str, reason: &str) -> String {
    response(request, &json!({"behavior": "deny", "message": reason}))
}

/// Answers the announcement of a tool call: deny it, ask the person, or (`None`) apply the usual
/// rules.
pub(super) fn hook(request: &str, decision: Option<(&str, &str)>) -> Input {
    let Some((decision, reason)) = decision else {
        return respond(request, &json!({}));
    };
    let output = json!({
        "hookEventName": "PreToolUse", "permissionDecision": decision, "permissionDecisionReason": reason,
    });
    respond(request, &json!({"hookSpecificOutput": output}))
}

/// Answers that Baton does not support a request, so that the agent does not wait.
pub(super) fn unsupported(request: &str, subtype: &str) -> Input {
    let error = format!("Baton doesn't support {subtype}");
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
