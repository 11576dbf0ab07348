//! `cargo xtask strings`: lists all user-visible texts with their locations, for reviewers.

use std::process::ExitCode;

use anyhow::Result;

use crate::cargo::cargo;
use crate::npm;
use crate::process;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;

pub(crate) fn strings() -> Result<ExitCode> {
    let repo = RepoPaths::find()?;
    let interface = repo.ui_dir();
    npm::install(&repo, &Stages::start(), &interface)?;
    println!("# Window and browser\n");
    process::run(&mut process::command(&interface, "node", &["strings.js"]))?;
    let root = repo.root.to_string_lossy();
    let arguments = ["run", "--quiet", "--package", "baton-strings", "--", &root];
    process::run(&mut cargo(&repo, &arguments))?;
    Ok(ExitCode::SUCCESS)
}
