//! The messages to `claude` in cases that no recording covers.

mod fixture;

use baton_agents::claude::Claude;
use baton_agents::codex::Codex;
use baton_agents::{
    Adapter, Decision, Driver, Input, InputMessage, ProcessEnd, Stream, Task, Verdict, acp,
};
use baton_model::plan::{Autonomy, ToolScopeMode};
use fixture::task;
use serde_json::{Value, json};

const DONE: &str = r#"{"type":"result","subtype":"success","is_error":false,"result":"Done."}"#;
const OVERLOADED: &str = r#"{"type":"result","subtype":"success","is_error":true,"api_error_status":529,"result":"API Error: 529"}"#;
const HANDOFF: &str =
    r#"{"type":"result","subtype":"success","is_error":false,"result":"**What was done:** it"}"#;
const TURN: &str = r#"{"type":"system","subtype":"init","session_id":"s","model":"m"}"#;

/// Feeds lines and returns the keys of the answers.
fn keys(driver: &mut Box<dyn Driver>, lines: &[&str]) -> Vec<String> {
    let mut keys = Vec::new();
    for line in lines {
        driver.handle_line(Stream::Stdout, line.as_bytes());
        keys.extend(driver.take_inputs().into_iter().map(|input| input.key));
    }
    keys
}

/// The only answer to `line`, as JSON.
fn answer(driver: &mut Box<dyn Driver>, line: &Value) -> Value {
    driver.handle_line(Stream::Stdout, line.to_string().as_bytes());
    let inputs = driver.take_inputs();
    let [input] = &inputs[..] else {
        panic!("expected one answer: {inputs:?}")
    };
    let InputMessage::Text(text) = &input.message else {
        panic!("expected a text")
    };
    assert!(
        text.ends_with('\n') && text.trim_end().lines().count() == 1,
        "one line: {text:?}"
    );
    serde_json::from_str(text).expect("valid JSON")
}

fn asks(tool: &str) -> Value {
    json!({"type": "control_request", "request_id": "r", "request":
        {"subtype": "can_use_tool", "tool_name": tool, "input": {"a": "é\n"}, "tool_use_id": "t"}})
}

fn driver_of(change: impl FnOnce(&mut Task)) -> Box<dyn Driver> {
    let mut task = task();
    change(&mut task);
    Claude::default().driver(&task)
}

#[test]
fn first_success_ends_session_without_handoff_prompt() {
    let mut driver = driver_of(|task| task.handoff_prompt.clear());
    assert_eq!(keys(&mut driver, &[TURN, DONE]), ["close"]);
    assert_eq!(driver.handoff(), None);
}

#[test]
fn failed_handoff_keeps_work_succeeded() {
    let mut driver = driver_of(|_| {});
    assert_eq!(
        keys(&mut driver, &[TURN, DONE, TURN, OVERLOADED]),
        ["handoff", "close"]
    );
    assert_eq!(
        (driver.handoff(), driver.verdict(&ProcessEnd::Exited(1))),
        (None, Verdict::Succeeded)
    );
}

#[test]
fn unprompted_turn_is_not_the_handoff() {
    let unprompted = r#"{"type":"result","subtype":"success","is_error":false,"result":"Noted.","origin":{"kind":"task-notification"}}"#;
    let mut driver = driver_of(|_| {});
    assert_eq!(
        keys(&mut driver, &[TURN, DONE, TURN, unprompted, TURN, HANDOFF]),
        ["handoff", "close"]
    );
    assert_eq!(driver.handoff(), Some("**What was done:** it"));
}

#[test]
fn background_work_delays_session_end() {
    let begins = r#"{"type":"system","subtype":"background_tasks_changed","tasks":[{"task_id":"j","description":"serve"}]}"#;
    let ends = r#"{"type":"system","subtype":"background_tasks_changed","tasks":[]}"#;
    let mut driver = driver_of(|_| {});
    assert_eq!(
        keys(&mut driver, &[TURN, DONE, TURN, begins, HANDOFF]),
        ["handoff"]
    );
    assert_eq!(driver.activity().as_deref(), Some("background work: serve"));
    assert!(
        matches!(driver.verdict(&ProcessEnd::Signaled(9)), Verdict::Failed(_)),
        "it was not finished"
    );
    assert_eq!(keys(&mut driver, &[ends]), ["close"]);
}

#[test]
fn failed_turn_ends_session_at_once() {
    let mut driver = driver_of(|_| {});
    assert_eq!(
        keys(&mut driver, &[TURN, OVERLOADED, DONE]),
        ["close"],
        "and only once"
    );
    assert_eq!(driver.interrupt(), None, "the session is closed");
    assert!(matches!(
        driver.verdict(&ProcessEnd::Exited(1)),
        Verdict::Unavailable { .. }
    ));
}

#[test]
fn allow_returns_input_unchanged() {
    let said = answer(&mut driver_of(|_| {}), &asks("Write"));
    assert_eq!(said["response"]["request_id"], "r");
    assert_eq!(
        said["response"]["response"],
        json!({"behavior": "allow", "updatedInput": {"a": "é\n"}})
    );
}

#[test]
fn unlisted_tool_is_refused_with_allowed_list() {
    let mut driver = driver_of(|task| {
        task.scope.autonomy = Autonomy::RefuseGuarded;
        task.scope.tools = vec!["Read".to_owned(), "Write".to_owned()];
    });
    let reason = "Tool Bash is not available in this plan. Only: Read, Write";
    let said = answer(&mut driver, &asks("Bash"));
    assert_eq!(
        said["response"]["response"],
        json!({"behavior": "deny", "message": reason})
    );

    let announced = json!({"type": "control_request", "request_id": "h", "request":
        {"subtype": "hook_callback", "callback_id": "scope", "input": {"tool_name": "Bash", "tool_input": {}}}});
    let said = answer(&mut driver, &announced);
    assert_eq!(
        said["response"]["response"]["hookSpecificOutput"]["permissionDecision"],
        "deny"
    );
    assert_eq!(
        said["response"]["response"]["hookSpecificOutput"]["permissionDecisionReason"],
        reason
    );
}

/// The text that `input` writes when the quoted value was originally `said`.
fn written(input: &Input, said: &str) -> (u64, String, Value) {
    let InputMessage::Quote(quote) = &input.message else {
        panic!("expected a quote: {input:?}")
    };
    let text = [&quote.before, said, &quote.after].concat();
    assert!(
        text.ends_with('\n') && text.trim_end().lines().count() == 1,
        "one line: {text:?}"
    );
    assert!(
        !quote.otherwise.contains("[secret]"),
        "a mask is never written: {quote:?}"
    );
    (
        quote.line,
        quote.pointer.clone(),
        serde_json::from_str(&text).expect("valid JSON"),
    )
}

#[test]
fn masked_input_is_returned_unmasked() {
    let said = r#"{"path":"k","content":"\"updatedInput\":null postgres"}"#;
    let masked = said.replace("postgres", "[secret]");
    let line = format!(
        r#"{{"type":"control_request","request_id":"r","request":{{"subtype":"can_use_tool","tool_name":"Write","input":{masked},"tool_use_id":"t"}}}}"#
    );
    for autonomy in [Autonomy::Free, Autonomy::AskAll] {
        let mut driver = driver_of(|task| task.scope.autonomy = autonomy);
        driver.set_line_offset(70);
        driver.handle_line(Stream::Stdout, line.as_bytes());
        let input = driver
            .take_inputs()
            .pop()
            .or_else(|| driver.answer("r", &Decision::Allow))
            .expect("an answer");
        let (at, pointer, text) = written(&input, said);
        assert_eq!((at, pointer.as_str()), (70, "/request/input"));
        assert_eq!(
            text["response"]["response"]["updatedInput"]["content"],
            "\"updatedInput\":null postgres"
        );
    }
}

#[test]
fn unmasked_input_is_returned_verbatim() {
    let mut driver = driver_of(|_| {});
    let odd = r#"{"n":12345678901234567890123, "e":1e999,"s":"\ud83d\ude00"}"#;
    let line = format!(
        r#"{{"type":"control_request","request_id":"r","request":{{"subtype":"can_use_tool","tool_name":"mcp__a__b","input":{odd}}}}}"#
    );
    driver.handle_line(Stream::Stdout, line.as_bytes());
    let inputs = driver.take_inputs();
    let [
        Input {
            message: InputMessage::Text(text),
            ..
        },
    ] = &inputs[..]
    else {
        panic!("expected a text: {inputs:?}")
    };
    assert!(text.contains(&format!(r#""updatedInput":{odd}"#)), "{text}");
}

#[test]
fn codex_grant_echoes_requested_permissions() {
    let mut driver = Codex::default().driver(&task());
    driver.set_line_offset(7);
    driver.handle_line(
        Stream::Stdout,
        br#"{"id":3,"method":"item/permissions/requestApproval","params":{"itemId":"i","permissions":{"fileSystem":{"write":["/[secret]"]}}}}"#,
    );
    let input = driver.take_inputs().pop().expect("an answer");
    let (at, pointer, text) = written(&input, r#"{"fileSystem":{"write":["/postgres"]}}"#);
    assert_eq!((at, pointer.as_str()), (7, "/params/permissions"));
    let granted = json!({"permissions": {"fileSystem": {"write": ["/postgres"]}}, "scope": "turn"});
    assert_eq!(text, json!({"id": 3, "result": granted}));
}

#[test]
fn option_id_with_secret_is_returned_unmasked() {
    let mut driver = acp::driver(&task(), "Agent", "");
    let lines = [
        json!({"id": 1, "result": {"protocolVersion": 1}}),
        json!({"id": 2, "result": {"sessionId": "s"}}),
        json!({"id": 9, "method": "session/request_permission", "params": {"toolCall": {"toolCallId": "t"},
            "options": [{"optionId": "no", "kind": "reject_once"}, {"optionId": "run [secret]", "kind": "allow_once"}]}}),
    ];
    for (at, line) in lines.iter().enumerate() {
        driver.set_line_offset(at as u64);
        driver.handle_line(Stream::Stdout, line.to_string().as_bytes());
    }
    let input = driver.take_inputs().pop().expect("an answer");
    let (at, pointer, text) = written(&input, "\"run postgres\"");
    assert_eq!((at, pointer.as_str()), (2, "/params/options/1/optionId"));
    assert_eq!(
        text["result"]["outcome"],
        json!({"outcome": "selected", "optionId": "run postgres"})
    );
}

#[test]
fn hooks_are_enabled_only_when_list_binds() {
    let first_line = |change: fn(&mut Task)| {
        let mut task = task();
        change(&mut task);
        let plan = Claude::default().launch(&task);
        format!("{:?}", plan.first_inputs[0].message)
    };
    assert!(!first_line(|_| {}).contains("PreToolUse"));
    assert!(first_line(|task| task.scope.tools = vec!["Read".to_owned()]).contains("PreToolUse"));
    assert!(
        !first_line(|task| {
            task.scope.tools = vec!["Read".to_owned()];
            task.scope.mode = ToolScopeMode::Off;
        })
        .contains("PreToolUse")
    );
}

#[test]
fn background_permission_request_outlives_turn() {
    let begins = r#"{"type":"system","subtype":"background_tasks_changed","tasks":[{"task_id":"j","description":"help"}]}"#;
    let mut driver = driver_of(|task| task.scope.autonomy = Autonomy::AskAll);
    assert_eq!(
        keys(
            &mut driver,
            &[TURN, begins, &asks("Bash").to_string(), DONE]
        ),
        [""; 0]
    );
    assert_eq!(
        driver.activity().as_deref(),
        Some("waiting for an answer: Bash: é")
    );
    assert!(
        driver
            .answer("r", &baton_agents::Decision::Allow)
            .is_some_and(|input| input.key == "answer:r")
    );
}

#[test]
fn withdrawn_request_is_no_longer_pending() {
    let mut driver = driver_of(|task| task.scope.autonomy = Autonomy::AskAll);
    driver.handle_line(Stream::Stdout, asks("Bash").to_string().as_bytes());
    assert_eq!(driver.pending_permissions().len(), 1);
    driver.handle_line(
        Stream::Stdout,
        br#"{"type":"control_cancel_request","request_id":"r"}"#,
    );
    assert_eq!(driver.pending_permissions(), []);
}

#[test]
fn unknown_request_gets_error_response() {
    let request =
        json!({"type": "control_request", "request_id": "x", "request": {"subtype": "sing"}});
    let said = answer(&mut driver_of(|_| {}), &request);
    assert_eq!(
        (
            &said["response"]["subtype"],
            &said["response"]["request_id"]
        ),
        (&json!("error"), &json!("x"))
    );
}

#[test]
fn process_that_never_started_keeps_its_reason() {
    let detail = "no program named claude".to_owned();
    let verdict = driver_of(|_| {}).verdict(&ProcessEnd::NotStarted {
        detail: detail.clone(),
    });
    assert_eq!(
        verdict,
        Verdict::Failed(baton_model::outcome::Failure::NotStarted { detail })
    );
}

#[test]
fn launch_arguments_match_documentation() {
    let mut task = task();
    task.model = Some("opus".to_owned());
    let plan = Claude::default().launch(&task);
    assert_eq!(
        plan.argv.join(" "),
        "claude -p --input-format stream-json --output-format stream-json --verbose --replay-user-messages \
         --permission-mode default --permission-prompt-tool stdio \
         --session-id 00000000-0000-0000-0000-000000000007 --model opus"
    );
    let keys: Vec<&str> = plan
        .first_inputs
        .iter()
        .map(|input| input.key.as_str())
        .collect();
    assert_eq!(keys, ["initialize", "prompt"]);
    assert!(plan.env_remove.contains(&"CLAUDECODE".to_owned()));
    assert!(
        !plan
            .env_remove
            .iter()
            .any(|name| name.starts_with("ANTHROPIC")),
        "the person's keys stay"
    );
}
