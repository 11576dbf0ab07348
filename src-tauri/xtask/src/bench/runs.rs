//! Measures pages of runs with few and with many runs in the database.

use anyhow::Result;

use crate::cargo;
use crate::process;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;

/// The numbers of runs to compare. With the larger one, a page takes less than 100 ms.
const RUNS: [&str; 2] = ["1000", "100000"];

pub(crate) fn measure(repo: &RepoPaths, stages: &Stages) -> Result<()> {
    stages.begin("building the runs benchmark");
    let arguments = [
        "build",
        "--release",
        "-p",
        "baton-tests",
        "--example",
        "runs_speed",
    ];
    process::run(&mut cargo::cargo(repo, &arguments))?;
    stages.begin("reading pages of 1,000 and of 100,000 runs");
    let program = repo.programs_dir(true).join("examples/runs_speed");
    for line in process::read(&mut process::command(&repo.xtask_dir(), program, &RUNS))?.lines() {
        println!("  {line}");
    }
    Ok(())
}
