//! The lines that Baton writes to `claude`.
//!
//! Each is one line of JSON: a single line that is not ends the process.

use baton_secrets::MASK;
use serde_json::{Value, json};

use crate::driver::Decision;
use crate::task::Input;

/// The name under which Baton's hook on tool calls is registered.
pub(super) const HOOK: &str = "scope";

/// How the names of requests to stop begin.
pub(super) const INTERRUPT: &str = "interrupt:";

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
    line(key, &json!({"type": "user", "message": {"role": "user", "content": text}}))
}

/// Asks the agent to stop its turn.
pub(super) fn interrupt(count: u32) -> Input {
    control(&format!("{INTERRUPT}{count}"), &json!({"subtype": "interrupt"}))
}

/// Answers a request for leave. `input` is what the tool shall be given.
///
/// Where a secret was taken out of the input on its way here, it is left to the client, which has the whole of it: a file
/// must not be written with a mask in it. Old versions (2.1.185) want the input all the same, and then refuse the call.
pub(super) fn permission(request: &str, input: &Value, decision: &Decision) -> Input {
    let response = match decision {
        Decision::Allow if input.to_string().contains(MASK) => json!({"behavior": "allow"}),
        Decision::Allow => json!({"behavior": "allow", "updatedInput": input}),
        Decision::Deny { reason } => json!({"behavior": "deny", "message": reason}),
    };
    respond(request, &response)
}

/// Answers the announcement of a tool call: refuse it, ask the person, or (`None`) go by the usual rules.
pub(super) fn hook(request: &str, decision: Option<(&str, &str)>) -> Input {
    let Some((decision, reason)) = decision else { return respond(request, &json!({})) };
    let output = json!({
        "hookEventName": "PreToolUse", "permissionDecision": decision, "permissionDecisionReason": reason,
    });
    respond(request, &json!({"hookSpecificOutput": output}))
}

/// Tells the agent that Baton does not do what it asks, so that it does not wait.
pub(super) fn unsupported(request: &str, subtype: &str) -> Input {
    let error = format!("Baton does not answer {subtype}");
    let response = json!({"subtype": "error", "request_id": request, "error": error});
    line(&answer_key(request), &json!({"type": "control_response", "response": response}))
}

fn respond(request: &str, response: &Value) -> Input {
    let response = json!({"subtype": "success", "request_id": request, "response": response});
    line(&answer_key(request), &json!({"type": "control_response", "response": response}))
}

fn answer_key(request: &str) -> String {
    format!("answer:{request}")
}

fn control(key: &str, request: &Value) -> Input {
    line(key, &json!({"type": "control_request", "request_id": key, "request": request}))
}

fn line(key: &str, message: &Value) -> Input {
    Input::text(key, format!("{message}\n"))
}
