//! The lines that Baton writes to `codex app-server`. Each is one line of JSON. The key of an
//! input is also the id of the request.

use serde_json::{Value, json};

use crate::codex::message::AnswerForm;
use crate::codex::scope::{approval, sandbox};
use crate::permission::Decision;
use crate::quoted_value::{ValueLocation, input_with_quoted_value};
use crate::task::{Input, PriorSession, Task};

/// Identifies Baton. This must be the first request.
pub(super) fn initialize() -> Input {
    let client = json!({"name": "baton", "title": "Baton", "version": env!("CARGO_PKG_VERSION")});
    let first = line(
        &json!({"id": "initialize", "method": "initialize", "params": {"clientInfo": client}}),
    );
    Input::text(
        "initialize",
        first + &line(&json!({"method": "initialized"})),
    )
}

/// Opens the thread: a new one, an earlier one, or a copy of an earlier one.
pub(super) fn thread(task: &Task) -> Input {
    let mut params = json!({"cwd": task.cwd, "approvalPolicy": approval(&task.scope), "sandbox": sandbox(&task.scope)});
    if let Some(model) = &task.model {
        params["model"] = json!(model);
    }
    let method = match &task.resume {
        Some(PriorSession { native_id, fork }) => {
            // Without `excludeTurns`, which would keep the old turns out of the answer: 0.144
            // refuses it.
            params["threadId"] = json!(native_id);
            if *fork {
                "thread/fork"
            } else {
                "thread/resume"
            }
        }
        None => "thread/start",
    };
    request("thread", method, &params)
}

/// Sends `text` as the person, which starts a turn.
pub(super) fn turn(key: &str, thread: &str, text: &str) -> Input {
    request(
        key,
        "turn/start",
        &json!({"threadId": thread, "input": [{"type": "text", "text": text}]}),
    )
}

/// Asks the agent to stop its turn.
pub(super) fn interrupt(count: u32, thread: &str, turn: &str) -> Input {
    request(
        &format!("interrupt:{count}"),
        "turn/interrupt",
        &json!({"threadId": thread, "turnId": turn}),
    )
}

/// Answers a permission request. The protocol has no field for the reason of a denial, so the
/// reason is sent as a message in the running `turn` of `thread`.
pub(super) fn permission(
    request: &str,
    form: &AnswerForm,
    decision: &Decision,
    turn: Option<(&str, &str)>,
) -> Input {
    let result = match (form, decision) {
        (AnswerForm::Permissions { asked, at }, Decision::Allow) => {
            return grant(request, asked, *at);
        }
        (AnswerForm::Decision, Decision::Allow) => json!({"decision": "accept"}),
        (AnswerForm::Decision, Decision::Deny { .. }) => json!({"decision": "decline"}),
        (AnswerForm::Permissions { .. }, Decision::Deny { .. }) => {
            json!({"permissions": {}, "scope": "turn"})
        }
        (AnswerForm::Elicitation, Decision::Allow) => json!({"action": "accept", "content": {}}),
        (AnswerForm::Elicitation, Decision::Deny { .. }) => {
            json!({"action": "decline", "content": null})
        }
    };
    let mut text = line(&json!({"id": id(request), "result": result}));
    if let (Decision::Deny { reason }, Some((thread, turn))) = (decision, turn) {
        let input = json!([{"type": "text", "text": reason}]);
        let params = json!({"threadId": thread, "expectedTurnId": turn, "input": input});
        text += &line(
            &json!({"id": format!("reason:{request}"), "method": "turn/steer", "params": params}),
        );
    }
    Input::text(format!("answer:{request}"), text)
}

/// Grants exactly the permissions that the line at byte offset `at` asked for.
fn grant(request: &str, asked: &str, at: u64) -> Input {
    let (before, after) = (
        format!(r#"{{"id":{},"result":{{"permissions":"#, id(request)),
        ",\"scope\":\"turn\"}}\n",
    );
    let otherwise = format!("{before}{{}}{after}");
    let place = ValueLocation {
        line: at,
        pointer: "/params/permissions".to_owned(),
    };
    input_with_quoted_value(
        format!("answer:{request}"),
        (&before, after),
        asked,
        &place,
        otherwise,
    )
}

/// Answers that Baton does not support a request, so that the client does not wait. `id` is JSON.
pub(super) fn unsupported(id: &str, method: &str) -> Input {
    let error = json!({"code": -32601, "message": format!("Baton doesn't support {method}")});
    let id: Value = serde_json::from_str(id).unwrap_or_default();
    Input::text(
        format!("answer:{id}"),
        line(&json!({"id": id, "error": error})),
    )
}

/// The client's request ids are numbers; anything else is a string.
fn id(request: &str) -> Value {
    request
        .parse::<i64>()
        .map_or_else(|_| json!(request), |number| json!(number))
}

fn request(key: &str, method: &str, params: &Value) -> Input {
    Input::text(
        key,
        line(&json!({"id": key, "method": method, "params": params})),
    )
}

fn line(message: &Value) -> String {
    format!("{message}\n")
}
