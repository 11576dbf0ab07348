//! Measures how long the automatic layout of a plan takes, and how many edges cross in the result.

use anyhow::Result;

use crate::cargo;
use crate::process;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;

pub(crate) fn measure(repo: &RepoPaths, stages: &Stages) -> Result<()> {
    stages.begin("building the layout benchmark");
    let arguments = [
        "build",
        "--release",
        "-p",
        "baton-formats",
        "--example",
        "layout_speed",
    ];
    process::run(&mut cargo::cargo(repo, &arguments))?;
    stages.begin("computing layouts");
    let program = repo.programs_dir(true).join("examples/layout_speed");
    for line in process::read(&mut process::command(
        &repo.xtask_dir(),
        program,
        &["100", "1000", "10000"],
    ))?
    .lines()
    {
        println!("  {line}");
    }
    Ok(())
}
