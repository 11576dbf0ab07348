//! The process: protocols, output, and its end.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use baton_tests::{Shell, TestEnvironment};
use rmcp::model::ProtocolVersion;
use rmcp::service::ClientLifecycleMode;
use serde_json::{Value, json};

use super::client::{DEFAULT_TOOLS, McpClient};

#[test]
fn both_versions_of_the_protocol_are_served() {
    let env = TestEnvironment::new();
    let old = McpClient::connect(&env, &[]);
    assert_eq!(old.protocol(), "2025-11-25");
    assert_eq!(old.tool_names(), DEFAULT_TOOLS);
    let mode = ClientLifecycleMode::Discover {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
    };
    let new = McpClient::connect_with(&env, &[], mode);
    assert_eq!(new.protocol(), "2026-07-28");
    assert_eq!(new.tools(), old.tools());
    let guide = new.call("guide", json!({}));
    assert_eq!(guide["topic"], "when_to_plan");
}

#[test]
fn read_only_server_offers_and_calls_only_tools_that_read() {
    let env = TestEnvironment::new();
    let client = McpClient::connect(&env, &["--read-only", "--tools", "all"]);
    let names = client.tool_names();
    assert_eq!(
        names,
        [
            "guide",
            "plan_find",
            "plan_get",
            "plan_check",
            "proposal_get",
            "run_get",
            "list_plans",
            "plan_list",
            "get_plan_details"
        ]
    );
    for name in [
        "plan_propose",
        "proposal_revise",
        "run_request",
        "run_cancel",
        "no_such_tool",
    ] {
        let error = client.try_call(name, json!({})).expect_err("not offered");
        assert!(error.to_string().contains(name), "{error}");
    }
}

fn request(id: u32, method: &str, params: Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
}

fn initialize() -> [String; 2] {
    let params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    });
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    [request(1, "initialize", params), ready.to_string()]
}

#[test]
fn standard_output_has_only_the_protocol_and_closed_input_ends_the_process() {
    let env = TestEnvironment::new();
    let run = env
        .start("baton: 1\nnodes: [{id: ask, kind: user_input, question: 'Go on?'}]")
        .summary
        .id;
    let view = env.wait_until(run, |view| view.seq > 1);
    let mut command = Shell::new(&env).baton(&["mcp"]);
    command
        .env("BATON_LOG", "trace")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().expect("baton starts");
    let mut stdin = child.stdin.take().expect("piped");
    // The last call waits for an event that doesn't come before the input ends.
    let wait =
        json!({"name": "run_get", "arguments": {"run": run, "waitMs": 50_000, "since": view.seq}});
    let guide = json!({"name": "guide", "arguments": {}});
    let lines = initialize().into_iter().chain([
        request(2, "tools/call", guide),
        request(3, "tools/call", wait),
    ]);
    for line in lines {
        writeln!(stdin, "{line}").expect("it reads");
    }
    let mut output = BufReader::new(child.stdout.take().expect("piped")).lines();
    for id in [1, 2] {
        let line = output.next().expect("an answer").expect("text");
        let answer: Value = serde_json::from_str(&line).expect("only JSON");
        assert_eq!(answer["id"], id, "{line}");
    }
    drop(stdin);
    for line in output {
        let line = line.expect("text");
        let _: Value = serde_json::from_str(&line).expect("only JSON");
    }
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn garbage_on_standard_input_is_no_crash() {
    let env = TestEnvironment::new();
    for garbage in ["", "\n", "nonsense\n", "{}\n", "[1, 2\n", "\u{0}\n"] {
        let mut command = Shell::new(&env).baton(&["mcp"]);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("baton starts");
        let mut stdin = child.stdin.take().expect("piped");
        // It may have ended already.
        let _ = stdin.write_all(garbage.as_bytes());
        drop(stdin);
        let output = child.wait_with_output().expect("it ends");
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code().is_some(), "{garbage:?}: {err}");
        assert!(!err.contains("panicked"), "{garbage:?}: {err}");
    }
}
