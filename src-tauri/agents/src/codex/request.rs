//! The lines that Baton writes to `codex app-server`. Each is one line of JSON, named by its key.

use serde_json::{Value, json};

use crate::codex::message::AnswerForm;
use crate::codex::scope::{approval, sandbox};
use crate::driver::Decision;
use crate::original::{Place, with_original};
use crate::task::{Earlier, Input, Task};

/// Says who Baton is. Nothing else may come before.
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

/// Opens the conversation: a new one, an earlier one again, or a copy of an earlier one.
pub(super) fn thread(task: &Task) -> Input {
    let mut params = json!({"cwd": task.cwd, "approvalPolicy": approval(&task.scope), "sandbox": sandbox(&task.scope)});
    if let Some(model) = &task.model {
        params["model"] = json!(model);
    }
    let method = match &task.resume {
        Some(Earlier { native, fork }) => {
            // Without `excludeTurns`, which would spare an answer that tells the old turns again: 0.144 refuses it.
            params["threadId"] = json!(native);
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

/// Says `text` as the person, which begins a turn.
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

/// Answers a request for permission. A refusal has no reason in this protocol, so that it is said beside it, in the
/// running `turn` of `thread`.
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

/// Grants the permissions that were asked for in the line `at`, to the letter.
fn grant(request: &str, asked: &str, at: u64) -> Input {
    let (before, after) = (
        format!(r#"{{"id":{},"result":{{"permissions":"#, id(request)),
        ",\"scope\":\"turn\"}}\n",
    );
    let otherwise = format!("{before}{{}}{after}");
    let place = Place {
        line: at,
        pointer: "/params/permissions".to_owned(),
    };
    with_original(
        format!("answer:{request}"),
        (&before, after),
        asked,
        &place,
        otherwise,
    )
}

/// Tells the client that Baton does not do what it asks, so that it does not wait. `id` is JSON.
pub(super) fn unsupported(id: &str, method: &str) -> Input {
    let error = json!({"code": -32601, "message": format!("Baton does not answer {method}")});
    let id: Value = serde_json::from_str(id).unwrap_or_default();
    Input::text(
        format!("answer:{id}"),
        line(&json!({"id": id, "error": error})),
    )
}

/// The client numbers its requests; a name that is no number is a string.
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
