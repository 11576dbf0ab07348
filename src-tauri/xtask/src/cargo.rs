//! Cargo invocations that several commands share.
//!
//! Build, lints, tests and documentation use the same packages and features: a different selection
//! would compile hundreds of dependencies again.

use std::env;
use std::process::Command;

use anyhow::Result;

use crate::process;
use crate::repo_paths::RepoPaths;

/// The whole workspace, with the window's embedded interface and the generators of TypeScript
/// declarations and of the REST API's document.
const WORKSPACE: [&str; 3] = [
    "--workspace",
    "--features",
    "baton-desktop/custom-protocol,baton-api/bindings,baton-rest/bindings",
];

/// The programs to build.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Programs {
    /// The `baton` command, the keeper and the tool program. They need no system libraries.
    Shell,
    /// Also the window.
    All,
}

/// Returns `cargo` with arguments, in the checkout.
pub(crate) fn cargo(repo: &RepoPaths, arguments: &[&str]) -> Command {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    process::command(&repo.root, cargo, arguments)
}

/// Returns `cargo` with arguments and the shared selection of packages and features.
pub(crate) fn workspace(repo: &RepoPaths, arguments: &[&str]) -> Command {
    let mut command = cargo(repo, arguments);
    command.args(WORKSPACE);
    command
}

/// Builds the programs into the same folder, where they find each other.
pub(crate) fn build(repo: &RepoPaths, programs: Programs, release: bool) -> Result<()> {
    let mut command = cargo(
        repo,
        &[
            "build",
            "-p",
            "baton-cli",
            "-p",
            "baton-keeper",
            "-p",
            "baton-tools",
        ],
    );
    if programs == Programs::All {
        command.args([
            "-p",
            "baton-desktop",
            "--features",
            "baton-desktop/custom-protocol",
        ]);
    }
    if release {
        command.arg("--release");
    }
    process::run(&mut command)
}
