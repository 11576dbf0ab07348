//! Programs that no package of the system brings: fetched once into the target directory, at exact versions.

use std::env;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::cargo::cargo;
use crate::npm;
use crate::process;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;

/// A real agent that the tests talk to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Agent {
    /// Its command.
    command: &'static str,
    /// Its npm package; exact, because npm would otherwise choose by the Node it finds.
    package: &'static str,
    /// The variable that tells the tests where it is. A person who sets it has another one used.
    pub(crate) variable: &'static str,
}

/// The agent that all journeys go with.
pub(crate) const CLAUDE: Agent = Agent {
    command: "claude",
    package: "@anthropic-ai/claude-code@2.1.329",
    variable: "BATON_TEST_CLAUDE",
};

/// All agents that the tests of the Rust code talk to. pi is the newest that runs with the oldest supported Node.
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

/// The Tauri command.
const TAURI_CLI: &str = "2.12.5";

/// What finds unused dependencies and exports of the interface.
const KNIP: &str = "6.44.2";

/// The program of an agent, fetched where no other one is named.
pub(crate) fn agent(repo: &RepoPaths, stages: &Stages, agent: Agent) -> Result<PathBuf> {
    if let Some(given) = env::var_os(agent.variable) {
        return Ok(given.into());
    }
    let folder = repo.tools_dir().join(agent.command);
    let program = folder.join("node_modules/.bin").join(agent.command);
    if !program.exists() {
        stages.begin(&format!("fetching {} for the tests", agent.package));
        npm::install_tool(&folder, agent.package)?;
    }
    Ok(program)
}

/// The WebDriver server of the window's tests.
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
            // It passes messages on; optimizing it takes longer than it ever runs.
            "--debug",
            "--root",
            &folder,
        ];
        process::run(&mut cargo(repo, &arguments))
            .context("tauri-driver could not be had from crates.io")?;
    }
    Ok(program)
}

/// The program that packs: the bundler of the Tauri command, which npm brings built. Its version is that of the window's
/// library.
pub(crate) fn tauri_cli(repo: &RepoPaths, stages: &Stages) -> Result<PathBuf> {
    from_npm(repo, stages, "@tauri-apps/cli", TAURI_CLI, "tauri")
}

/// What finds unused code of the interface. Not among the interface's own packages: building needs none of it.
pub(crate) fn knip(repo: &RepoPaths, stages: &Stages) -> Result<PathBuf> {
    from_npm(repo, stages, "knip", KNIP, "knip")
}

/// A program of an npm package, fetched where it is missing or of another version.
fn from_npm(
    repo: &RepoPaths,
    stages: &Stages,
    package: &str,
    version: &str,
    program: &str,
) -> Result<PathBuf> {
    let folder = repo.tools_dir().join(package.replace('/', "-"));
    let installed = folder
        .join("node_modules")
        .join(package)
        .join("package.json");
    let is_current = std::fs::read_to_string(installed)
        .is_ok_and(|text| text.contains(&format!("\"version\": \"{version}\"")));
    if !is_current {
        stages.begin(&format!("fetching {package}"));
        npm::install_tool(&folder, &format!("{package}@{version}"))?;
    }
    Ok(folder.join("node_modules/.bin").join(program))
}

/// rustfmt and clippy, which a minimal toolchain lacks.
pub(crate) fn rust_components(repo: &RepoPaths, stages: &Stages) -> Result<()> {
    if process::find(&["cargo-fmt"]).is_some() && process::find(&["cargo-clippy"]).is_some() {
        return Ok(());
    }
    stages.begin("adding rustfmt and clippy to the toolchain");
    process::run(&mut process::command(&repo.root, "rustup", &["component", "add", "rustfmt", "clippy"]))
        .context("rustfmt and clippy are missing; install them with your Rust toolchain and start this again")
}
