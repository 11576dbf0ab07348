//! Bad input: every tool answers with a clear error, and goes on.

use baton_tests::TestEnvironment;
use serde_json::{Value, json};

use super::client::McpClient;

const FOREIGN: &str = "01890000-0000-7000-8000-000000000000";

#[test]
fn unknown_fields_wrong_types_and_foreign_ids_are_refused() {
    let env = TestEnvironment::new();
    let client = McpClient::connect(&env, &["--tools", "all"]);
    let valid = |name: &str| match name {
        "plan_get" | "get_plan_details" | "execute_plan" | "pause_plan" | "plan_approve"
        | "plan_reject" | "delete_plan" => {
            json!({ "plan": FOREIGN })
        }
        "create_plan" => json!({ "name": "x", "goal": "y" }),
        "add_plan_step" => {
            json!({ "plan_id": FOREIGN, "order": 1, "type": "agent", "name": "x" })
        }
        "run_request" => json!({ "plan": FOREIGN, "version": 1, "reason": "why" }),
        "run_get" | "run_pause" | "run_cancel" => json!({ "run": FOREIGN }),
        "plan_check" => json!({ "yaml": "nodes: []" }),
        "plan_propose" => {
            json!({ "plan": FOREIGN, "baseVersion": 1, "changes": [{"op": "set", "changes": {"title": "x"}}] })
        }
        "proposal_get" => json!({ "proposal": FOREIGN }),
        "proposal_revise" => json!({ "proposal": FOREIGN, "round": 1, "answers": {} }),
        _ => json!({}),
    };
    for name in client.tool_names() {
        let mut unknown = valid(&name);
        unknown["everything"] = json!(true);
        let error = client.refused(&name, unknown);
        assert_eq!(error["code"], "bad_input", "{name}: {error}");
        let message = error["message"].as_str().expect("text");
        assert!(message.contains("everything"), "{name}: {message}");
        if valid(&name).to_string().contains(FOREIGN) {
            let error = client.refused(&name, valid(&name));
            assert_eq!(error["code"], "not_found", "{name}: {error}");
            // A missing ID never means all.
            assert_eq!(client.refused(&name, json!({}))["code"], "bad_input");
        }
    }
}

#[test]
fn values_out_of_range_are_refused() {
    let env = TestEnvironment::new();
    let client = McpClient::connect(&env, &[]);
    let deep = (0..80).fold(json!({}), |inner, _| json!([inner]));
    let cases: Vec<(&str, Value)> = vec![
        ("guide", json!({ "topic": "everything" })),
        ("guide", json!({ "topic": 1 })),
        ("plan_find", json!({ "limit": 0 })),
        ("plan_find", json!({ "limit": 51 })),
        ("plan_find", json!({ "limit": -1 })),
        ("plan_find", json!({ "cursor": "12" })),
        ("plan_find", json!({ "cwd": "relative" })),
        ("plan_find", json!({ "query": deep })),
        ("plan_get", json!({ "plan": "" })),
        ("plan_get", json!({ "plan": ["a"] })),
        ("plan_check", json!({})),
        ("plan_check", json!({ "yaml": "nodes: []", "nodes": [] })),
        ("plan_check", json!({ "nodes": "all" })),
        ("plan_check", json!({ "nodes": [1] })),
        ("plan_check", json!({ "yaml": "x".repeat(1024 * 1024 + 1) })),
        ("plan_propose", json!({})),
        ("plan_propose", json!({ "nodes": [{"id": "a"}] })),
        ("plan_propose", json!({ "yaml": "nodes: []", "steps": [] })),
        ("plan_propose", json!({ "title": "x", "steps": [{}] })),
        (
            "plan_propose",
            json!({ "plan": FOREIGN, "yaml": "nodes: []" }),
        ),
        (
            "plan_propose",
            json!({ "changes": [{"op": "add", "node": {}}] }),
        ),
        (
            "plan_propose",
            json!({ "plan": FOREIGN, "baseVersion": 1, "changes": [{"op": "explode"}] }),
        ),
        ("proposal_get", json!({ "proposal": FOREIGN, "limit": 0 })),
        ("run_get", json!({ "run": FOREIGN, "waitMs": 50_001 })),
        ("run_get", json!({ "run": FOREIGN, "part": "secrets" })),
        (
            "run_request",
            json!({ "plan": FOREIGN, "version": "1", "reason": "" }),
        ),
    ];
    for (name, arguments) in cases {
        let shown = arguments.to_string();
        let error = client.refused(name, arguments);
        let short: String = shown.chars().take(80).collect();
        assert_eq!(error["code"], "bad_input", "{name} {short}: {error}");
        assert!(error["fix"].is_string(), "{name} {short}: {error}");
    }
    assert_eq!(client.call("guide", json!({}))["topic"], "when_to_plan");
}

#[test]
fn message_beyond_the_limits_is_answered() {
    let env = TestEnvironment::new();
    let client = McpClient::connect(&env, &[]);
    let deep = (0..400).fold(json!({}), |inner, _| json!([inner]));
    for (arguments, expected) in [
        (json!({ "query": deep }), "levels deep"),
        (json!({ "query": "x".repeat(5 * 1024 * 1024) }), "bytes"),
    ] {
        let error = client.try_call("plan_find", arguments).expect_err(expected);
        assert!(error.to_string().contains(expected), "{error}");
    }
    assert_eq!(client.call("guide", json!({}))["topic"], "when_to_plan");
}
