//! `cargo xtask bindings`: writes the TypeScript declarations of the operations from the Rust types.

use std::process::ExitCode;

use anyhow::Result;

use crate::cargo::cargo;
use crate::place::Place;
use crate::process;

/// Where the declarations are, from the root of the checkout.
pub(crate) const FILE: &str = "ui/src/api/bindings.ts";

pub(crate) fn write() -> Result<ExitCode> {
    let place = Place::find()?;
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
    process::run(cargo(&place, &program).args(["--", FILE]))?;
    Ok(ExitCode::SUCCESS)
}
