//! The client of the Python package `mcp`, which nobody here wrote.

use std::path::{Path, PathBuf};
use std::process::Command;

use baton_tests::TestEnvironment;
use baton_tests::test_environment::program;
use serde_json::{Value, json};

use super::client::DEFAULT_TOOLS;

/// How the client connects: with `initialize`, by asking first, or with the newest version.
pub(super) const MODES: [&str; 3] = ["legacy", "auto", "2026-07-28"];

/// The folder with the package that `cargo xtask test` installs.
pub(crate) fn packages() -> PathBuf {
    let installed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/tools/mcp-client");
    let folder = std::env::var_os("BATON_TEST_MCP_CLIENT").map_or(installed, PathBuf::from);
    assert!(
        folder.join("mcp").is_dir(),
        "the Python package `mcp` is not in {}: run `cargo xtask test`, which installs it, or set BATON_TEST_MCP_CLIENT",
        folder.display()
    );
    folder
}

/// The path of a script.
pub(crate) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures")
        .join(name)
}

/// The script in one of its modes, without the server's command line or address.
pub(super) fn script(mode: &str) -> Command {
    let mut command = Command::new("python3");
    command
        .arg(fixture("mcp_client.py"))
        .arg(mode)
        .env("PYTHONPATH", packages());
    command
}

/// Runs the script and checks what it saw.
pub(super) fn assert_sees_tools(mut command: Command) -> Value {
    let output = command.output().expect("python3 is installed");
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {err}");
    let seen: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(seen["tools"], json!(DEFAULT_TOOLS), "{seen:#}");
    assert_eq!(seen["guide"]["topic"], "run", "{seen:#}");
    assert_eq!(seen["check"]["valid"], false, "{seen:#}");
    assert_eq!(seen["check"]["faults"][0]["line"], 1, "{seen:#}");
    let found = seen["found"]["plans"].as_array().map(Vec::len);
    assert_eq!(found, Some(3), "{seen:#}");
    assert_eq!(seen["wrong"], true, "{seen:#}");
    assert_eq!(seen["why"]["code"], "bad_input", "{seen:#}");
    seen["proposals"].clone()
}

/// Checks what the script saw of the plan that it proposed.
pub(super) fn assert_proposed(proposals: &Value) {
    let first = &proposals["first"];
    assert_eq!(first["state"], "waits_for_person", "{proposals:#}");
    assert_eq!(first["proposal"], proposals["again"]["proposal"]);
    let revised = &proposals["revised"];
    assert_eq!(revised["title"], "Revised", "{proposals:#}");
    assert_eq!(proposals["read"]["round"], revised["round"]);
}

#[test]
fn python_client_uses_the_tools() {
    let env = TestEnvironment::new();
    for mode in MODES {
        let mut command = script(mode);
        command
            .arg(program("baton"))
            .args(["mcp", "--data-dir"])
            .arg(env.data());
        assert_proposed(&assert_sees_tools(command));
    }
}
