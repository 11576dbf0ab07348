use std::process::{Child, Command};

use serde_json::{Value, json};

use crate::support::{TestWorkspace, call};

const SERVER: &str = env!("CARGO_BIN_EXE_mcp-server-for-tests");

fn by_stdio(name: &str) -> Value {
    json!({ "name": name, "transport": { "kind": "stdio", "command": SERVER, "args": ["stdio"] } })
}

/// An MCP server over HTTP, killed when dropped.
struct Listening {
    child: Child,
    url: String,
}

impl Listening {
    fn start(workspace: &TestWorkspace) -> Self {
        let child = Command::new(SERVER)
            .arg("http")
            .arg(workspace.path().join("port"))
            .spawn()
            .expect("the program starts");
        let url = format!("http://127.0.0.1:{}/mcp", workspace.wait_for("port"));
        Self { child, url }
    }

    fn server(&self, word: &str) -> Value {
        let headers = json!({ "Authorization": format!("Bearer {word}") });
        json!({ "name": "far", "transport": { "kind": "http", "url": self.url, "headers": headers } })
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn ask(
    workspace: &TestWorkspace,
    server: &Value,
    tool: &str,
    args: Value,
) -> crate::support::ToolRun {
    workspace.run(
        "call",
        json!({ "call": call(tool, args), "servers": [server] }),
    )
}

#[test]
fn stdio_server_answers_calls() {
    let workspace = TestWorkspace::new();
    let server = by_stdio("near");
    for name in ["near/add", "near.add", "mcp__near__add"] {
        let ran = ask(&workspace, &server, name, json!({"a": 2, "b": 40}));
        assert_eq!(ran.value(), json!({"sum": 42}), "{name}");
    }
    assert_eq!(
        ask(&workspace, &server, "near/loose", json!({"x": 1})).value(),
        r#"{"x":1}"#
    );
    assert_eq!(
        ask(&workspace, &server, "near/picture", json!({})).value()[0]["mimeType"],
        "image/png"
    );
}

#[test]
fn http_server_answers_calls() {
    let workspace = TestWorkspace::new();
    let listening = Listening::start(&workspace);
    let ran = ask(
        &workspace,
        &listening.server("secret"),
        "far/add",
        json!({"a": 1, "b": 2}),
    );
    assert_eq!(ran.value(), json!({"sum": 3}));
    let failure = ask(&workspace, &listening.server("wrong"), "far/add", json!({})).failure();
    assert!(
        failure.contains("the MCP server 'far' can't be reached"),
        "{failure}"
    );
    assert!(failure.contains("401"), "{failure}");
}

#[test]
fn tool_errors_are_errors() {
    let workspace = TestWorkspace::new();
    let failure = ask(&workspace, &by_stdio("near"), "near/fail", json!({})).failure();
    assert_eq!(failure, "near/fail: the disk is upside down");
}

#[test]
fn missing_tools_and_servers_are_reported() {
    let workspace = TestWorkspace::new();
    let failure = ask(&workspace, &by_stdio("near"), "near/adds", json!({})).failure();
    assert_eq!(
        failure,
        "near/adds: the MCP server 'near' has no tool 'adds'; did you mean 'add'?"
    );
    let failure = ask(&workspace, &by_stdio("near"), "fur/add", json!({})).failure();
    assert_eq!(
        failure,
        "the settings have no MCP server 'fur'; configured: near"
    );
    let lost =
        json!({ "name": "lost", "transport": { "kind": "stdio", "command": "/nowhere/server" } });
    let failure = ask(&workspace, &lost, "lost/add", json!({})).failure();
    assert!(
        failure
            .contains("the MCP server 'lost' couldn't be started: /nowhere/server: No such file"),
        "{failure}"
    );
    let dying = json!({ "name": "dying", "transport": { "kind": "stdio", "command": "true" } });
    let failure = ask(&workspace, &dying, "dying/add", json!({})).failure();
    assert!(
        failure.contains("the MCP server 'dying' can't be reached"),
        "{failure}"
    );
}

#[test]
fn server_is_shared_by_all_calls() {
    let workspace = TestWorkspace::new();
    let work = json!({ "call": call("near/count", json!({})), "maxIterations": 3, "servers": [by_stdio("near")] });
    assert_eq!(workspace.run("loop", work).value(), json!(["1", "2", "3"]));
    let calls: Vec<Value> = (0..4).map(|_| call("near/count", json!({}))).collect();
    let ran = workspace.run(
        "parallel",
        json!({ "calls": calls, "servers": [by_stdio("near")] }),
    );
    let mut counts: Vec<String> = serde_json::from_value(ran.value()).expect("texts");
    counts.sort();
    assert_eq!(counts, ["1", "2", "3", "4"]);
}

#[test]
fn iteration_is_passed_to_tools_that_accept_it() {
    let workspace = TestWorkspace::new();
    for (tool, arguments) in [("near/loose", r#"{"iteration":1}"#), ("near/strict", "{}")] {
        let work = json!({ "call": call(tool, json!({})), "maxIterations": 1, "servers": [by_stdio("near")] });
        assert_eq!(
            workspace.run("loop", work).value(),
            json!([arguments]),
            "{tool}"
        );
    }
}

#[test]
fn list_covers_all_servers() {
    let workspace = TestWorkspace::new();
    let listening = Listening::start(&workspace);
    let lost =
        json!({ "name": "lost", "transport": { "kind": "stdio", "command": "/nowhere/server" } });
    let servers = json!([by_stdio("near"), lost, listening.server("secret")]);
    let path = workspace.write("servers.json", &servers.to_string());
    let output = Command::new(env!("CARGO_BIN_EXE_baton-tool"))
        .arg("list")
        .arg(path)
        .output()
        .expect("the program starts");
    assert!(output.status.success());
    let rows: Vec<Value> = serde_json::from_slice(&output.stdout).expect("JSON");
    let names: Vec<String> = rows
        .iter()
        .map(|row| format!("{}/{}", row["server"], row["name"]).replace('"', ""))
        .collect();
    assert_eq!(names[..2], ["near/add", "near/strict"]);
    assert_eq!(
        names.iter().filter(|name| name.starts_with("far/")).count(),
        7
    );
    assert_eq!(
        rows[0],
        json!({"server": "near", "name": "add", "description": "Adds two numbers.", "readOnly": true, "destructive": false,
               "inputSchema": {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}}})
    );
    assert_eq!(
        (&rows[1]["readOnly"], &rows[1]["destructive"]),
        (&json!(false), &json!(false))
    );
    assert_eq!(
        (&rows[2]["readOnly"], &rows[2]["destructive"]),
        (&json!(false), &json!(true))
    );
    let lost = rows
        .iter()
        .find(|row| row["server"] == "lost")
        .expect("a row");
    assert!(
        lost["error"]
            .as_str()
            .is_some_and(|error| error.contains("couldn't be started")),
        "{lost}"
    );
}
