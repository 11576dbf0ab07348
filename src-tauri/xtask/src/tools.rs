//! Programs that no package of the system brings: fetched once into the target directory, at exact versions.

use std::env;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::cargo::cargo;
use crate::npm;
use crate::place::Place;
use crate::process;
use crate::stage::Stages;

/// The agent that the tests talk to; exact, because npm would otherwise choose by the Node it finds.
const CLAUDE: &str = "@anthropic-ai/claude-code@2.1.329";

/// The WebDriver server for Tauri windows. Version 3 is for Tauri 3.
const TAURI_DRIVER: &str = "^2";

/// The real `claude`; `BATON_TEST_CLAUDE` names another one.
pub(crate) fn claude(place: &Place, stages: &Stages) -> Result<PathBuf> {
    if let Some(given) = env::var_os("BATON_TEST_CLAUDE") {
        return Ok(given.into());
    }
    let folder = place.tools().join("claude");
    let program = folder.join("node_modules/.bin/claude");
    if !program.exists() {
        stages.begin(&format!("fetching {CLAUDE} for the tests"));
        npm::install_tool(&folder, CLAUDE)?;
    }
    Ok(program)
}

/// The WebDriver server of the window's tests.
pub(crate) fn tauri_driver(place: &Place, stages: &Stages) -> Result<PathBuf> {
    let tools = place.tools();
    let program = tools.join("bin/tauri-driver");
    if !program.exists() {
        stages.begin("building tauri-driver for the tests of the window");
        let folder = tools.to_string_lossy();
        let arguments = ["install", "tauri-driver", "--version", TAURI_DRIVER, "--locked", "--root", &folder];
        process::run(&mut cargo(place, &arguments)).context("tauri-driver could not be had from crates.io")?;
    }
    Ok(program)
}

/// rustfmt and clippy, which a minimal toolchain lacks.
pub(crate) fn rust_components(place: &Place, stages: &Stages) -> Result<()> {
    if process::find(&["cargo-fmt"]).is_some() && process::find(&["cargo-clippy"]).is_some() {
        return Ok(());
    }
    stages.begin("adding rustfmt and clippy to the toolchain");
    process::run(&mut process::command(&place.root, "rustup", &["component", "add", "rustfmt", "clippy"]))
        .context("rustfmt and clippy are missing; install them with your Rust toolchain and start this again")
}
