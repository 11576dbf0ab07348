//! Checks that every adapter serves all operations, and that the crates depend only on lower
//! layers.

use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;

use baton_api::{Code, OPERATIONS};
use baton_tests::{Shell, TestEnvironment};
use serde_json::{Value, json};

/// An input that no operation accepts. An adapter that serves an operation names it in the error.
const NONSENSE: &str = "17";

#[test]
fn api_serves_every_operation() {
    let env = TestEnvironment::new();
    let names: BTreeSet<&str> = OPERATIONS.iter().map(|operation| operation.name).collect();
    assert_eq!(names.len(), OPERATIONS.len(), "names are unique");
    for operation in OPERATIONS {
        let error = baton_api::call(&env.app, operation.name, json!(17))
            .expect_err("17 is not a valid input");
        assert_eq!(error.code, Code::BadInput, "{}", operation.name);
        assert!(error.message.contains(operation.name), "{}", error.message);
        assert!(!operation.summary.is_empty());
    }
    let error = baton_api::call(&env.app, "plan_explode", Value::Null)
        .expect_err("the operation doesn't exist");
    assert_eq!(error.code, Code::NotFound);
}

#[test]
fn shell_lists_and_serves_every_operation() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let said = shell.run(&["call", "--list", "--json"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let listed: Vec<Value> = serde_json::from_str(&said.out).expect("a list");
    let listed: Vec<&str> = listed
        .iter()
        .filter_map(|row| row["name"].as_str())
        .collect();
    let names: Vec<&str> = OPERATIONS.iter().map(|operation| operation.name).collect();
    assert_eq!(listed, names);
    for name in names {
        let said = shell.run(&["call", name, NONSENSE]);
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(
            said.err.contains(&format!("Invalid input for {name}")),
            "{said:?}"
        );
    }
    let said = shell.run(&["call", "plan_explode"]);
    assert_eq!(said.code, Some(2));
    assert!(
        said.err.contains("unknown operation 'plan_explode'"),
        "{said:?}"
    );
}

#[test]
fn server_serves_every_operation() {
    let env = TestEnvironment::new();
    let mut server = Shell::new(&env).start(&["serve", "--port", "0", "--json"]);
    let said: Value =
        serde_json::from_str(&server.next_line().expect("the server prints its address"))
            .expect("JSON");
    let port = u16::try_from(said["port"].as_u64().expect("a port")).expect("a port");
    let token = said["token"].as_str().expect("a token").to_owned();
    for operation in OPERATIONS {
        let (status, answer) = post(port, &token, operation.name, NONSENSE);
        assert_eq!(
            (status, answer["code"].as_str()),
            (400, Some("bad_input")),
            "{}: {answer}",
            operation.name
        );
        assert!(
            answer["message"]
                .as_str()
                .is_some_and(|text| text.contains(operation.name)),
            "{answer}"
        );
    }
    assert_eq!(post(port, &token, "plan_explode", "{}").0, 404);
    assert_eq!(post(port, "guessed", "plans_list", "{}").0, 401);
    let (status, plans) = post(port, &token, "plans_list", "");
    assert_eq!(status, 200, "{plans}");
    assert!(
        !plans.as_array().expect("a list").is_empty(),
        "the examples exist"
    );
    assert!(server.kill());
}

/// Calls an operation over HTTP. Returns the status and the body.
fn post(port: u16, token: &str, operation: &str, body: &str) -> (u16, Value) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("the server is listening");
    let length = body.len();
    let head = format!(
        "POST /api/operations/{operation} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    );
    stream.write_all(head.as_bytes()).expect("the server reads");
    let mut answer = String::new();
    stream
        .read_to_string(&mut answer)
        .expect("the response is text");
    let (head, body) = answer.split_once("\r\n\r\n").expect("head and body");
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok())
        .expect("a status");
    (status, serde_json::from_str(body).unwrap_or(Value::Null))
}

/// The crates in layers from the bottom up, each with the workspace crates that it may depend on.
const MAY_KNOW: &[(&str, &[&str])] = &[
    ("baton-model", &[]),
    ("baton-formats", &["baton-model"]),
    ("baton-output", &[]),
    ("baton-secrets", &[]),
    ("baton-notices", &[]),
    ("baton-strings", &[]),
    ("baton-keeper", &["baton-secrets"]),
    ("baton-terminal", &["baton-model", "baton-keeper"]),
    ("baton-tools", &["baton-model"]),
    ("baton-store", &["baton-model"]),
    (
        "baton-agents",
        &["baton-model", "baton-output", "baton-secrets"],
    ),
    ("baton-transcripts", &["baton-model", "baton-agents"]),
    (
        "baton-engine",
        &[
            "baton-model",
            "baton-secrets",
            "baton-store",
            "baton-agents",
            "baton-keeper",
            "baton-tools",
        ],
    ),
    (
        "baton-planning",
        &[
            "baton-model",
            "baton-formats",
            "baton-output",
            "baton-store",
            "baton-agents",
            "baton-keeper",
            "baton-tools",
            "baton-engine",
            "baton-transcripts",
        ],
    ),
    (
        "baton-api",
        &[
            "baton-model",
            "baton-formats",
            "baton-output",
            "baton-store",
            "baton-agents",
            "baton-keeper",
            "baton-tools",
            "baton-engine",
            "baton-transcripts",
            "baton-planning",
            "baton-secrets",
            "baton-terminal",
        ],
    ),
    // The REST API has shapes of its own for what model and formats hold.
    // It shows which tools a session called, from the timeline.
    (
        "baton-rest",
        &["baton-api", "baton-model", "baton-formats", "baton-agents"],
    ),
    ("baton-server", &["baton-api", "baton-mcp", "baton-rest"]),
    // Tools read plans that agents write, and show nodes and states.
    ("baton-mcp", &["baton-api", "baton-model", "baton-formats"]),
    // `baton serve` starts the server. The operations' results use types of model, formats and
    // agents. What the guard of connected agents records is masked.
    (
        "baton-cli",
        &[
            "baton-api",
            "baton-server",
            "baton-mcp",
            "baton-model",
            "baton-formats",
            "baton-agents",
            "baton-secrets",
        ],
    ),
    // The log is masked by the same patterns as sessions' output.
    ("baton-desktop", &["baton-api", "baton-secrets"]),
];

fn cargo(words: &[&str]) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the tests are in the workspace");
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args(words)
        .current_dir(root)
        .output()
        .expect("cargo is installed");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn crates_depend_only_on_lower_layers() {
    let metadata: Value = serde_json::from_str(&cargo(&[
        "metadata",
        "--no-deps",
        "--offline",
        "--format-version",
        "1",
    ]))
    .expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let name = |package: &Value| package["name"].as_str().expect("a name").to_owned();
    let ours: BTreeSet<String> = packages.iter().map(name).collect();
    for (known, _) in MAY_KNOW {
        assert!(ours.contains(*known), "{known} is part of the workspace");
    }
    for package in packages {
        let own = name(package);
        // Dev-dependencies aren't part of shipped programs.
        let shipped = package["dependencies"]
            .as_array()
            .expect("a list")
            .iter()
            .filter(|one| one["kind"] != "dev");
        let knows: BTreeSet<String> = shipped
            .map(name)
            .filter(|other| ours.contains(other))
            .collect();
        for excluded in [
            "xtask",
            "baton-notices",
            "baton-strings",
            "baton-tests",
            "baton-cli",
            "baton-desktop",
        ] {
            assert!(
                !knows.contains(excluded),
                "{own} must not depend on {excluded}"
            );
        }
        let Some((_, allowed)) = MAY_KNOW.iter().find(|(known, _)| *known == own) else {
            continue;
        };
        let more: Vec<&String> = knows
            .iter()
            .filter(|other| !allowed.contains(&other.as_str()))
            .collect();
        assert!(more.is_empty(), "{own} must not depend on {more:?}");
    }
}

/// Returns the names of all crates that `package` is built from, including third-party ones.
fn built_from(package: &str) -> String {
    cargo(&[
        "tree",
        "--offline",
        "--package",
        package,
        "--edges",
        "normal",
        "--prefix",
        "none",
    ])
}

#[test]
fn only_the_formats_compile_yaml_and_layout() {
    for package in ["baton-model", "baton-store", "baton-agents", "baton-engine"] {
        let tree = built_from(package);
        let is_of_a_format = |name: &&str| {
            ["saphyr-parser", "jsonc-parser", "rust-sugiyama"]
                .iter()
                .any(|part| name.starts_with(part))
        };
        let found: Vec<&str> = tree.lines().filter(is_of_a_format).collect();
        assert!(found.is_empty(), "{package} must not depend on {found:?}");
    }
    assert!(built_from("baton-formats").contains("saphyr-parser"));
}

#[test]
fn command_needs_no_window_system() {
    for package in ["baton-cli", "baton-keeper", "baton-tools"] {
        let tree = built_from(package);
        let windows = |name: &&str| {
            ["tauri", "wry", "tao", "gtk", "webkit"]
                .iter()
                .any(|part| name.starts_with(part))
        };
        let found: Vec<&str> = tree.lines().filter(windows).collect();
        assert!(
            found.is_empty(),
            "{package} must run on a machine without a display: {found:?}"
        );
    }
}
