//! `cargo xtask strings`: every text that a person can see, with its place, for reviewers.

use std::process::ExitCode;

use anyhow::Result;

use crate::cargo::cargo;
use crate::npm;
use crate::place::Place;
use crate::process;
use crate::stage::Stages;

pub(crate) fn strings() -> Result<ExitCode> {
    let place = Place::find()?;
    let interface = place.interface();
    npm::install(&place, &Stages::start(), &interface)?;
    println!("# Window and browser\n");
    process::run(&mut process::command(&interface, "node", &["strings.js"]))?;
    let root = place.root.to_string_lossy();
    let words = ["run", "--quiet", "--package", "baton-strings", "--", &root];
    process::run(&mut cargo(&place, &words))?;
    Ok(ExitCode::SUCCESS)
}
