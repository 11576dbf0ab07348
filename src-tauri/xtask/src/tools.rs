//! Tools that the system's packages don't provide: downloaded once into the target directory, at
//! exact versions.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::cargo::cargo;
use crate::npm;
use crate::process;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;

/// An agent that the tests run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Agent {
    command: &'static str,
    /// The npm package with an exact version, because npm would otherwise choose one by the Node.js
    /// version.
    package: &'static str,
    /// The variable with the program's path for the tests. If it is already set, that program is
    /// used.
    pub(crate) variable: &'static str,
}

/// The agent for the end-to-end tests.
pub(crate) const CLAUDE: Agent = Agent {
    command: "claude",
    package: "@anthropic-ai/claude-code@2.1.329",
    variable: "BATON_TEST_CLAUDE",
};

/// All agents for the Rust tests. This version of pi is the newest that supports the oldest
/// supported Node.js.
pub(crate) const AGENTS: &[Agent] = &[
    CLAUDE,
    Agent {
        command: "codex",
        package: "@openai/codex@0.169.0",
        variable: "BATON_TEST_CODEX",
    },
    Agent {
        command: "pi",
        package: "@earendil-works/pi-coding-agent@0.74.2",
        variable: "BATON_TEST_PI",
    },
    Agent {
        command: "gemini",
        package: "@google/gemini-cli@0.61.0",
        variable: "BATON_TEST_GEMINI",
    },
    Agent {
        command: "opencode",
        package: "opencode-ai@1.18.33",
        variable: "BATON_TEST_OPENCODE",
    },
    Agent {
        command: "claude-agent-acp",
        package: "@agentclientprotocol/claude-agent-acp@0.49.0",
        variable: "BATON_TEST_CLAUDE_ACP",
    },
];

/// The WebDriver server for Tauri windows. Version 3 is for Tauri 3.
const TAURI_DRIVER: &str = "^2";

/// The version of the Tauri CLI.
const TAURI_CLI: &str = "2.12.5";

/// The version of knip, which finds unused dependencies and exports of the interface.
const KNIP: &str = "6.44.2";

/// The version of the validator of OpenAPI documents.
const OPENAPI_VALIDATOR: &str = "2.11.0";

/// What makes and compiles a TypeScript client of the REST API.
const REST_CLIENT: [(&str, &str); 3] = [
    ("openapi-typescript", "7.13.0"),
    ("openapi-fetch", "0.17.0"),
    ("typescript", "5.9.3"),
];

/// Returns the program of an agent, downloading it unless the variable is set.
pub(crate) fn agent(repo: &RepoPaths, stages: &Stages, agent: Agent) -> Result<PathBuf> {
    if let Some(given) = env::var_os(agent.variable) {
        return Ok(given.into());
    }
    let folder = repo.tools_dir().join(agent.command);
    let program = folder.join("node_modules/.bin").join(agent.command);
    if !program.exists() {
        stages.begin(&format!("downloading {} for the tests", agent.package));
        npm::install_tool(&folder, agent.package)?;
    }
    Ok(program)
}

/// Returns the WebDriver server for the tests of the window, building it if necessary.
pub(crate) fn tauri_driver(repo: &RepoPaths, stages: &Stages) -> Result<PathBuf> {
    let tools = repo.tools_dir();
    let program = tools.join("bin/tauri-driver");
    if !program.exists() {
        stages.begin("building tauri-driver for the tests of the window");
        let folder = tools.to_string_lossy();
        let arguments = [
            "install",
            "tauri-driver",
            "--version",
            TAURI_DRIVER,
            "--locked",
            // Not optimized: that would take longer than all of its runs.
            "--debug",
            "--root",
            &folder,
        ];
        process::run(&mut cargo(repo, &arguments))
            .context("couldn't install tauri-driver from crates.io")?;
    }
    Ok(program)
}

/// Returns the Tauri CLI, which contains the bundler, prebuilt from npm. Its version matches that
/// of the Tauri library.
pub(crate) fn tauri_cli(repo: &RepoPaths, stages: &Stages) -> Result<PathBuf> {
    from_npm(repo, stages, "@tauri-apps/cli", TAURI_CLI, "tauri")
}

/// Returns knip. It isn't one of the interface's packages, because builds don't need it.
pub(crate) fn knip(repo: &RepoPaths, stages: &Stages) -> Result<PathBuf> {
    from_npm(repo, stages, "knip", KNIP, "knip")
}

/// Returns a validator of OpenAPI documents, which knows the specification and not Baton.
pub(crate) fn openapi_validator(repo: &RepoPaths, stages: &Stages) -> Result<PathBuf> {
    let package = "@seriousme/openapi-schema-validator";
    from_npm(repo, stages, package, OPENAPI_VALIDATOR, "validate-api")
}

/// Returns the folder with the packages that make a TypeScript client of the REST API.
pub(crate) fn rest_client_types(repo: &RepoPaths, stages: &Stages) -> Result<PathBuf> {
    let folder = repo.tools_dir().join("rest-client-typescript");
    for (package, version) in REST_CLIENT {
        if !is_installed(&folder, package, version) {
            stages.begin(&format!("downloading {package}"));
            npm::install_tool(&folder, &format!("{package}@{version}"))?;
        }
    }
    Ok(folder)
}

/// Returns a program of an npm package, installing it if it is missing or has another version.
fn from_npm(
    repo: &RepoPaths,
    stages: &Stages,
    package: &str,
    version: &str,
    program: &str,
) -> Result<PathBuf> {
    let folder = repo.tools_dir().join(package.replace('/', "-"));
    if !is_installed(&folder, package, version) {
        stages.begin(&format!("downloading {package}"));
        npm::install_tool(&folder, &format!("{package}@{version}"))?;
    }
    Ok(folder.join("node_modules/.bin").join(program))
}

/// Whether `folder` has this version of an npm package.
fn is_installed(folder: &Path, package: &str, version: &str) -> bool {
    let described = folder
        .join("node_modules")
        .join(package)
        .join("package.json");
    std::fs::read_to_string(described)
        .is_ok_and(|text| text.contains(&format!("\"version\": \"{version}\"")))
}

/// Adds rustfmt and clippy, which minimal toolchains lack.
pub(crate) fn rust_components(repo: &RepoPaths, stages: &Stages) -> Result<()> {
    if process::find(&["cargo-fmt"]).is_some() && process::find(&["cargo-clippy"]).is_some() {
        return Ok(());
    }
    stages.begin("adding rustfmt and clippy to the toolchain");
    process::run(&mut process::command(
        &repo.root,
        "rustup",
        &["component", "add", "rustfmt", "clippy"],
    ))
    .context("rustfmt and clippy are missing. Add them to your Rust toolchain, then try again")
}
