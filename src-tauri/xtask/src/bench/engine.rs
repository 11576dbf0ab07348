//! Compares the engine with ninja and make on the same graph of trivial commands, two at a time,
//! and measures directories with many files.
//!
//! Baton runs as for a user, with its own data directory and durable writes.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::bench_directory::BenchDirectory;
use super::graph::Graph;
use super::sample::Sample;
use crate::process;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;

/// Programs take turns, so that a slow minute of the machine affects all of them.
const ROUNDS: usize = 5;
/// The limit on a sandbox's cost per session, in milliseconds. Two parallel sessions share the
/// machine.
const SANDBOX: f64 = 2.0;
const AT_ONCE: f64 = 2.0;
const SMALL: usize = 1_000;
const LARGE: usize = 10_000;
const HUGE: usize = 100_000;
/// Numbers of untouched files in the working directory, each with the limit on the slowdown
/// compared with an empty directory.
const SURROUNDINGS: [(usize, f64); 2] = [(20_000, 2.0), (200_000, 3.0)];
const FILES_IN_A_FOLDER: usize = 20;

pub(crate) fn measure(repo: &RepoPaths, stages: &Stages) -> Result<()> {
    let (small, large) = (
        BenchDirectory::create("small")?,
        BenchDirectory::create("large")?,
    );
    Graph::of(SMALL).write(&small.work())?;
    Graph::of(LARGE).write(&large.work())?;

    stages.begin(&format!(
        "running {SMALL} nodes with ninja, make and baton, {ROUNDS} times in turn"
    ));
    let (mut ninja, mut make, mut baton) =
        (Sample::default(), Sample::default(), Sample::default());
    for _ in 0..ROUNDS {
        ninja.add(timed(&mut process::command(
            &small.work(),
            "ninja",
            &["-j2", "--quiet"],
        ))?);
        make.add(timed(&mut process::command(
            &small.work(),
            "make",
            &["-j2", "--silent"],
        ))?);
        baton.add(baton_once(repo, &small)?);
    }
    println!(
        "  ninja -j2              median {:6.2} s   ({})",
        ninja.median(),
        ninja.shown()
    );
    println!(
        "  make -j2               median {:6.2} s   ({})",
        make.median(),
        make.shown()
    );
    println!(
        "  baton run -j 2         median {:6.2} s   ({})",
        baton.median(),
        baton.shown()
    );
    println!(
        "  baton / ninja          {:.2}",
        baton.median() / ninja.median()
    );

    let small_cost = baton.median() / as_f64(SMALL);
    println!(
        "  cost of a node         {:.2} ms at {SMALL}",
        small_cost * 1e3
    );
    scale(repo, stages, &large, LARGE, small_cost)?;
    let huge = BenchDirectory::create("huge")?;
    Graph::of(HUGE).write(&huge.work())?;
    scale(repo, stages, &huge, HUGE, small_cost)?;

    sandbox(repo, stages, &small)?;
    stages.begin(&format!("running {SMALL} nodes in a git repository"));
    process::run(&mut process::command(
        &small.work(),
        "git",
        &["init", "--quiet"],
    ))?;
    let time = baton_once(repo, &small)?.as_secs_f64();
    println!(
        "  cost of a node         {:.2} ms, including the detection of changed files",
        time * 1e3 / as_f64(SMALL)
    );
    among_files(repo, stages)
}

/// Measures the cost of the sandbox: the same plan with and without one, alternating.
fn sandbox(repo: &RepoPaths, stages: &Stages, confined: &BenchDirectory) -> Result<()> {
    let unconfined = BenchDirectory::create("unconfined")?;
    Graph::of(SMALL).write_unconfined(&unconfined.work())?;
    stages.begin(&format!(
        "running {SMALL} nodes with and without a sandbox, {ROUNDS} times in turn"
    ));
    let (mut with, mut without) = (Sample::default(), Sample::default());
    for _ in 0..ROUNDS {
        with.add(baton_once(repo, confined)?);
        without.add(baton_once(repo, &unconfined)?);
    }
    let cost = (with.median() - without.median()) / as_f64(SMALL) * AT_ONCE * 1e3;
    println!(
        "  with / without sandbox {:.2}",
        with.median() / without.median()
    );
    println!("  cost of a sandbox      {cost:.2} ms per session, at most {SANDBOX}");
    Ok(())
}

/// Measures the cost of untouched files, inside and outside of git, compared with an empty
/// directory.
fn among_files(repo: &RepoPaths, stages: &Stages) -> Result<()> {
    let empty = BenchDirectory::create("empty")?;
    Graph::of(SMALL).write(&empty.work())?;
    for (files, most) in SURROUNDINGS {
        let directory = BenchDirectory::create(&format!("files-{files}"))?;
        Graph::of(SMALL).write(&directory.work())?;
        create_files(&directory.work(), files)?;
        for surroundings in ["outside of git", "in git"] {
            if surroundings == "in git" {
                commit_all(&directory.work())?;
            }
            stages.begin(&format!(
                "running {SMALL} nodes {surroundings} with {files} files and in an empty directory"
            ));
            let (mut alone, mut among) = (Sample::default(), Sample::default());
            for _ in 0..ROUNDS {
                alone.add(baton_once(repo, &empty)?);
                among.add(baton_once(repo, &directory)?);
            }
            let ratio = among.median() / alone.median();
            println!(
                "  {files} files {surroundings:<15} {ratio:.2} times an empty directory, at most {most}"
            );
        }
    }
    Ok(())
}

fn create_files(folder: &Path, files: usize) -> Result<()> {
    for number in 0..files {
        let parent = folder.join(format!("folder{}", number / FILES_IN_A_FOLDER));
        if number % FILES_IN_A_FOLDER == 0 {
            fs::create_dir(&parent)?;
        }
        fs::write(
            parent.join(format!("file{number}.txt")),
            format!("content {number}\n"),
        )?;
    }
    Ok(())
}

fn commit_all(folder: &Path) -> Result<()> {
    let signed = [
        "-c",
        "user.name=Bench",
        "-c",
        "user.email=bench@localhost",
        "commit",
        "--quiet",
        "-m",
        "files",
    ];
    for arguments in [&["init", "--quiet"][..], &["add", "--all"], &signed] {
        process::run(&mut process::command(folder, "git", arguments))?;
    }
    Ok(())
}

/// Compares the cost per node with that in a small plan.
fn scale(
    repo: &RepoPaths,
    stages: &Stages,
    directory: &BenchDirectory,
    nodes: usize,
    small_cost: f64,
) -> Result<()> {
    stages.begin(&format!("running {nodes} nodes with baton"));
    let cost = baton_once(repo, directory)?.as_secs_f64() / as_f64(nodes);
    println!("  cost of a node         {:.2} ms at {nodes}", cost * 1e3);
    println!("  {nodes} / {SMALL:<15} {:.2}", cost / small_cost);
    Ok(())
}

fn baton_once(repo: &RepoPaths, directory: &BenchDirectory) -> Result<Duration> {
    timed(directory.baton_run(repo, 2)?.stdout(Stdio::null()))
}

fn timed(command: &mut Command) -> Result<Duration> {
    let started = Instant::now();
    let status = command
        .status()
        .with_context(|| format!("couldn't start {}", program(command)))?;
    if !status.success() {
        bail!(
            "{} failed ({status}), so its time is meaningless",
            program(command)
        );
    }
    Ok(started.elapsed())
}

fn program(command: &Command) -> String {
    command.get_program().to_string_lossy().into_owned()
}

#[expect(clippy::cast_precision_loss, reason = "counts of nodes are small")]
fn as_f64(count: usize) -> f64 {
    count as f64
}
