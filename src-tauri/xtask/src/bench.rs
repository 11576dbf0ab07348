//! `cargo xtask bench`: measures Baton's speed and size relative to other programs on the same
//! machine.
//!
//! It prints figures; the limits are in the README. Results on a busy machine mean little. Only
//! `canvas` checks limits itself, by wall-clock and by processor time.

mod adopt;
mod api;
mod bench_directory;
mod browser_figures;
mod canvas;
mod engine;
mod graph;
mod idle;
mod latency;
mod layout;
mod output;
mod output_view;
mod process_monitor;
mod runs;
mod sample;
mod shell;
mod timelines;
mod transcripts;
mod window;

use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::cargo::{self, Programs};
use crate::npm;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;
use crate::system;

pub(crate) fn bench(arguments: &[&str]) -> Result<ExitCode> {
    let all = [
        "engine",
        "latency",
        "shell",
        "adopt",
        "idle",
        "output",
        "timelines",
        "transcripts",
        "layout",
        "runs",
        "api",
        "window",
        "canvas",
    ];
    if let Some(unknown) = arguments.iter().find(|argument| !all.contains(argument)) {
        bail!(
            "unknown benchmark '{unknown}'. Choose from {}",
            all.join(", ")
        );
    }
    let wanted = |name| arguments.is_empty() || arguments.contains(&name);
    let repo = RepoPaths::find()?;
    let stages = Stages::start();

    // These two have their own programs and need no prepared build.
    if arguments
        .iter()
        .any(|argument| !["transcripts", "layout"].contains(argument))
        || arguments.is_empty()
    {
        prepare(&repo, &stages, wanted("window"))?;
    }
    if wanted("canvas") {
        let packages: Vec<_> = system::BROWSER.iter().chain(system::DISPLAY).collect();
        system::ensure(&stages, &packages, true)?;
    }
    if wanted("engine") {
        engine::measure(&repo, &stages)?;
    }
    if wanted("latency") {
        latency::measure(&repo, &stages)?;
    }
    if wanted("shell") {
        shell::measure(&repo, &stages)?;
    }
    if wanted("adopt") {
        adopt::measure(&repo, &stages)?;
    }
    if wanted("idle") {
        idle::measure(&repo, &stages)?;
    }
    if wanted("output") {
        output::measure(&repo, &stages)?;
        output_view::measure(&repo, &stages)?;
    }
    if wanted("timelines") {
        timelines::measure(&repo, &stages)?;
    }
    if wanted("transcripts") {
        transcripts::measure(&repo, &stages)?;
    }
    if wanted("layout") {
        layout::measure(&repo, &stages)?;
    }
    if wanted("runs") {
        runs::measure(&repo, &stages)?;
    }
    if wanted("api") {
        api::measure(&repo, &stages)?;
    }
    if wanted("window") {
        window::measure(&repo, &stages)?;
    }
    if wanted("canvas") {
        canvas::measure(&repo, &stages)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn prepare(repo: &RepoPaths, stages: &Stages, window: bool) -> Result<()> {
    let mut packages: Vec<_> = system::COMPILER
        .iter()
        .chain(system::RUST_TESTS)
        .chain(system::NINJA)
        .collect();
    if window {
        packages.extend(system::WINDOW.iter().chain(system::DISPLAY));
    }
    system::ensure(stages, &packages, true)?;
    npm::build_interface(repo, stages)?;
    stages.begin("building the programs (optimized)");
    cargo::build(
        repo,
        if window {
            Programs::All
        } else {
            Programs::Shell
        },
        true,
    )
}
