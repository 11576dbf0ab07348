//! Clients that others' programs generate from the API's document, used for a whole plan.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use baton_api::AccessLevel;
use baton_tests::TestEnvironment;
use baton_tests::served::{Served, token};
use serde_json::{Value, json};

/// The document, as it is checked in.
fn document() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../src-tauri/rest/openapi.json")
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures/rest_clients")
        .join(name)
}

/// A folder of what `cargo xtask test` downloads.
fn tools(name: &str) -> PathBuf {
    let installed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/tools");
    let all = std::env::var_os("BATON_TEST_TOOLS").map_or(installed, PathBuf::from);
    let folder = all.join(name);
    assert!(
        folder.is_dir(),
        "{} isn't there: run `cargo xtask test`, which installs it, or set BATON_TEST_TOOLS",
        folder.display()
    );
    folder.canonicalize().expect("it exists")
}

fn run(command: &mut Command) -> Vec<u8> {
    let output = command.output().expect("the program is installed");
    assert!(
        output.status.success(),
        "{command:?}: {}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output.stdout
}

/// Runs a client and checks what it saw.
fn assert_runs_a_whole_plan(mut client: Command) {
    let env = TestEnvironment::new();
    let served = Served::start(&env);
    client
        .arg(served.address())
        .arg(env.work_dir.path())
        .env("WRITE", token(&env, AccessLevel::Write))
        .env("DECIDE", token(&env, AccessLevel::Decide));
    let seen: Value = serde_json::from_slice(&run(&mut client)).expect("JSON");
    for (what, expected) in [
        ("refused", json!("FORBIDDEN")),
        ("status", json!("completed")),
        ("completedSteps", json!(2)),
        ("progress", json!(100)),
        ("steps", json!(["completed", "completed"])),
        ("listed", json!(["Count"])),
    ] {
        assert_eq!(seen[what], expected, "{what}: {seen:#}");
    }
    let events = seen["events"].as_array().expect("a list");
    let count = |name: &str| events.iter().filter(|event| *event == name).count();
    for (name, expected) in [
        ("plan:started", 1),
        ("step:completed", 2),
        ("plan:completed", 1),
    ] {
        assert_eq!(count(name), expected, "{name}: {seen:#}");
    }
    let history = seen["history"].as_array().expect("a list");
    assert_eq!(history.first(), Some(&json!("completed")), "{seen:#}");
    assert_eq!(history.last(), Some(&json!("created")), "{seen:#}");
    for text in ["first", "second"] {
        assert!(seen["handoffs"].to_string().contains(text), "{seen:#}");
    }
}

#[test]
fn python_client_runs_a_whole_plan() {
    let packages = tools("rest-client-python");
    let folder = tempfile::tempdir().expect("a folder");
    let client = folder.path().join("client");
    let mut generate = Command::new("python3");
    generate
        .args(["-m", "openapi_python_client", "generate", "--path"])
        .arg(document())
        .arg("--output-path")
        .arg(&client)
        .env("PYTHONPATH", &packages);
    run(&mut generate);
    let paths = std::env::join_paths([&client, &packages]).expect("paths");
    let mut script = Command::new("python3");
    script
        .arg(fixture("whole_plan.py"))
        .env("PYTHONPATH", paths)
        .env("PYTHONDONTWRITEBYTECODE", "1");
    assert_runs_a_whole_plan(script);
}

#[test]
fn typescript_client_runs_a_whole_plan() {
    let packages = tools("rest-client-typescript").join("node_modules");
    let folder = tempfile::tempdir().expect("a folder");
    let here = |name: &str| folder.path().join(name);
    symlink(&packages, here("node_modules")).expect("a link");
    fs::write(here("package.json"), r#"{"type": "module"}"#).expect("a file");
    fs::copy(fixture("wholePlan.ts"), here("wholePlan.ts")).expect("a copy");
    let mut generate = Command::new(packages.join(".bin/openapi-typescript"));
    generate.arg(document()).arg("-o").arg(here("api.ts"));
    run(generate.current_dir(folder.path()));
    let mut compile = Command::new(packages.join(".bin/tsc"));
    compile
        .args(["--strict", "--target", "es2022", "--lib", "es2022,dom"])
        .args(["--module", "nodenext", "--skipLibCheck"])
        .args(["--outDir", "out", "wholePlan.ts"]);
    run(compile.current_dir(folder.path()));
    let mut script = Command::new("node");
    script.arg(here("out/wholePlan.js"));
    assert_runs_a_whole_plan(script);
}
