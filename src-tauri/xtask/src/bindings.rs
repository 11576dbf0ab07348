//! `cargo xtask bindings`: generates the operations' TypeScript declarations and the document of the
//! REST API from the Rust types.

use std::process::ExitCode;

use anyhow::Result;

use crate::cargo::cargo;
use crate::process;
use crate::repo_paths::RepoPaths;

/// The path of the declarations, relative to the checkout.
pub(crate) const FILE: &str = "ui/src/api/bindings.ts";
/// The path of the REST API's document, relative to the checkout.
pub(crate) const OPENAPI: &str = "src-tauri/rest/openapi.json";

pub(crate) fn write() -> Result<ExitCode> {
    let repo = RepoPaths::find()?;
    for (package, program, file) in [
        ("baton-api", "baton-bindings", FILE),
        ("baton-rest", "baton-openapi", OPENAPI),
    ] {
        let arguments = ["run", "--quiet", "-p", package, "--features", "bindings"];
        let mut command = cargo(&repo, &arguments);
        process::run(command.args(["--bin", program, "--", file]))?;
    }
    Ok(ExitCode::SUCCESS)
}
