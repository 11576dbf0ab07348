//! The cargo invocations that several commands share.
//!
//! One selection of packages and features serves build, lints, tests and documentation: another selection would
//! compile hundreds of dependencies a second time.

use std::env;
use std::process::Command;

use anyhow::Result;

use crate::process;
use crate::repo_paths::RepoPaths;

/// The whole workspace as every part of `cargo xtask test` sees it: the window with the built interface inside it,
/// and the generator of the TypeScript declarations.
const WORKSPACE: [&str; 3] = [
    "--workspace",
    "--features",
    "baton-desktop/custom-protocol,baton-api/bindings",
];

/// Which programs a person needs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Programs {
    /// The command, the keeper and the program for tool calls, which need no system library.
    Shell,
    /// These and the window.
    All,
}

/// `cargo` with arguments, in the checkout.
pub(crate) fn cargo(repo: &RepoPaths, arguments: &[&str]) -> Command {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    process::command(&repo.root, cargo, arguments)
}

/// `cargo` with arguments over the whole workspace, with the one selection of features.
pub(crate) fn workspace(repo: &RepoPaths, arguments: &[&str]) -> Command {
    let mut command = cargo(repo, arguments);
    command.args(WORKSPACE);
    command
}

/// Builds the programs side by side, as they find each other.
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
