use std::process::{Child, Command};

use serde_json::{Value, json};

use crate::support::{Ground, call};

const SERVER: &str = env!("CARGO_BIN_EXE_mcp-server-for-tests");

fn by_stdio(name: &str) -> Value {
    json!({ "name": name, "transport": { "kind": "stdio", "command": SERVER, "args": ["stdio"] } })
}

/// A server behind an address, ended with the test.
struct Listening {
    child: Child,
    url: String,
}

impl Listening {
    fn start(ground: &Ground) -> Self {
        let child = Command::new(SERVER)
            .arg("http")
            .arg(ground.path().join("port"))
            .spawn()
            .expect("it starts");
        let url = format!("http://127.0.0.1:{}/mcp", ground.wait_for("port"));
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

fn ask(ground: &Ground, server: &Value, tool: &str, args: Value) -> crate::support::Ran {
    ground.run(
        "call",
        json!({ "call": call(tool, args), "servers": [server] }),
    )
}

#[test]
fn a_program_answers_calls() {
    let ground = Ground::new();
    let server = by_stdio("near");
    for name in ["near/add", "near.add", "mcp__near__add"] {
        let ran = ask(&ground, &server, name, json!({"a": 2, "b": 40}));
        assert_eq!(ran.value(), json!({"sum": 42}), "{name}");
    }
    assert_eq!(
        ask(&ground, &server, "near/loose", json!({"x": 1})).value(),
        r#"{"x":1}"#
    );
    assert_eq!(
        ask(&ground, &server, "near/picture", json!({})).value()[0]["mimeType"],
        "image/png"
    );
}

#[test]
fn an_address_answers_calls() {
    let ground = Ground::new();
    let listening = Listening::start(&ground);
    let ran = ask(
        &ground,
        &listening.server("secret"),
        "far/add",
        json!({"a": 1, "b": 2}),
    );
    assert_eq!(ran.value(), json!({"sum": 3}));
    let failure = ask(&ground, &listening.server("wrong"), "far/add", json!({})).failure();
    assert!(
        failure.contains("the MCP server 'far' could not be reached"),
        "{failure}"
    );
    assert!(failure.contains("401"), "{failure}");
}

#[test]
fn what_a_tool_calls_an_error_is_one() {
    let ground = Ground::new();
    let failure = ask(&ground, &by_stdio("near"), "near/fail", json!({})).failure();
    assert_eq!(failure, "near/fail: the disk is upside down");
}

#[test]
fn tools_and_servers_that_are_not_there_are_named() {
    let ground = Ground::new();
    let failure = ask(&ground, &by_stdio("near"), "near/adds", json!({})).failure();
    assert_eq!(
        failure,
        "near/adds: the MCP server 'near' has no tool 'adds'; did you mean add"
    );
    let failure = ask(&ground, &by_stdio("near"), "fur/add", json!({})).failure();
    assert_eq!(
        failure,
        "there is no MCP server 'fur' in the settings; it names near"
    );
    let lost =
        json!({ "name": "lost", "transport": { "kind": "stdio", "command": "/nowhere/server" } });
    let failure = ask(&ground, &lost, "lost/add", json!({})).failure();
    assert!(
        failure
            .contains("the MCP server 'lost' could not be started: /nowhere/server: No such file"),
        "{failure}"
    );
    let dying = json!({ "name": "dying", "transport": { "kind": "stdio", "command": "true" } });
    let failure = ask(&ground, &dying, "dying/add", json!({})).failure();
    assert!(
        failure.contains("the MCP server 'dying' could not be reached"),
        "{failure}"
    );
}

#[test]
fn one_server_serves_all_calls_of_a_work() {
    let ground = Ground::new();
    let work = json!({ "call": call("near/count", json!({})), "maxIterations": 3, "servers": [by_stdio("near")] });
    assert_eq!(ground.run("loop", work).value(), json!(["1", "2", "3"]));
    let calls: Vec<Value> = (0..4).map(|_| call("near/count", json!({}))).collect();
    let ran = ground.run(
        "parallel",
        json!({ "calls": calls, "servers": [by_stdio("near")] }),
    );
    let mut counts: Vec<String> = serde_json::from_value(ran.value()).expect("texts");
    counts.sort();
    assert_eq!(counts, ["1", "2", "3", "4"]);
}

#[test]
fn a_loop_tells_its_number_to_tools_that_take_it() {
    let ground = Ground::new();
    for (tool, told) in [("near/loose", r#"{"iteration":1}"#), ("near/strict", "{}")] {
        let work = json!({ "call": call(tool, json!({})), "maxIterations": 1, "servers": [by_stdio("near")] });
        assert_eq!(ground.run("loop", work).value(), json!([told]), "{tool}");
    }
}

#[test]
fn the_tools_of_all_servers_are_listed() {
    let ground = Ground::new();
    let listening = Listening::start(&ground);
    let lost =
        json!({ "name": "lost", "transport": { "kind": "stdio", "command": "/nowhere/server" } });
    let servers = json!([by_stdio("near"), lost, listening.server("secret")]);
    let path = ground.write("servers.json", &servers.to_string());
    let output = Command::new(env!("CARGO_BIN_EXE_baton-tool"))
        .arg("list")
        .arg(path)
        .output()
        .expect("it runs");
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
            .is_some_and(|error| error.contains("could not be started")),
        "{lost}"
    );
}
