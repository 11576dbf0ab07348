//! Measures what programs and agents ask of Baton: the REST API, its events, and `baton mcp`.

use anyhow::Result;

use crate::cargo;
use crate::process;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;

/// A page of 50 of them takes at most 20 ms.
const PLANS: &str = "10000";

pub(crate) fn measure(repo: &RepoPaths, stages: &Stages) -> Result<()> {
    stages.begin("building the API benchmark");
    let arguments = [
        "build",
        "--release",
        "-p",
        "baton-tests",
        "--example",
        "api_speed",
    ];
    process::run(&mut cargo::cargo(repo, &arguments))?;
    stages.begin("asking for pages, events and tools");
    let program = repo.programs_dir(true).join("examples/api_speed");
    for line in process::read(&mut process::command(&repo.xtask_dir(), program, &[PLANS]))?.lines()
    {
        println!("  {line}");
    }
    Ok(())
}
