//! `cargo xtask bindings`: generates the operations' TypeScript declarations from the Rust types.

use std::process::ExitCode;

use anyhow::Result;

use crate::cargo::cargo;
use crate::process;
use crate::repo_paths::RepoPaths;

/// The path of the declarations, relative to the checkout.
pub(crate) const FILE: &str = "ui/src/api/bindings.ts";

pub(crate) fn write() -> Result<ExitCode> {
    let repo = RepoPaths::find()?;
    let program = [
        "run",
        "--quiet",
        "-p",
        "baton-api",
        "--features",
        "bindings",
        "--bin",
        "baton-bindings",
    ];
    process::run(cargo(&repo, &program).args(["--", FILE]))?;
    Ok(ExitCode::SUCCESS)
}
