//! Measures the time from one node to the next in a chain of commands that print the time, compared
//! with the same command in a bare keeper.
//!
//! Both figures are full turns, from the time printed by one command to that of the next. Both
//! include the command itself, so that the difference is what the engine adds.

use std::fmt::Write as _;
use std::fs;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::bench_directory::BenchDirectory;
use super::sample::Sample;
use crate::cargo::cargo;
use crate::process;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;

const CHAIN: usize = 200;
const COMMAND: [&str; 2] = ["/bin/date", "+%s%N"];
/// The two take turns, so that a slow minute of the machine affects both.
const ROUNDS: usize = 3;

pub(crate) fn measure(repo: &RepoPaths, stages: &Stages) -> Result<()> {
    process::run(&mut cargo(
        repo,
        &[
            "build",
            "--release",
            "-p",
            "baton-keeper",
            "--example",
            "cost",
        ],
    ))?;
    let directory = BenchDirectory::create("latency")?;
    fs::write(directory.work().join("plan.yaml"), plan()?)?;

    stages.begin(&format!(
        "a chain of {CHAIN} nodes, and {CHAIN} bare spawns, {ROUNDS} times in turn"
    ));
    let (mut turns, mut bare) = (Sample::default(), Sample::default());
    for _ in 0..ROUNDS {
        process::run(directory.baton_run(repo, 2)?.stdout(Stdio::null()))?;
        for turn in turns_of(&directory)? {
            turns.add(turn);
        }
        bare.add(bare_spawn(repo)?);
    }
    let (turn, spawn) = (turns.median() * 1e3, bare.median() * 1e3);
    println!("  a turn of the chain    median {turn:6.2} ms");
    println!("  a bare spawn           median {spawn:6.2} ms");
    println!(
        "  over a bare spawn      {:6.2} ms, {:.2} times",
        turn - spawn,
        turn / spawn
    );
    Ok(())
}

fn plan() -> Result<String> {
    let mut text = String::from("baton: 1\ntitle: A chain\nnodes:\n");
    for number in 0..CHAIN {
        let [program, argument] = COMMAND;
        write!(
            text,
            "  - id: n{number}\n    kind: command\n    command: [{program}, \"{argument}\"]\n"
        )?;
        if let Some(parent) = number.checked_sub(1) {
            writeln!(text, "    dependsOn: [n{parent}]")?;
        }
    }
    Ok(text)
}

/// Returns the intervals between the times that the commands of the latest run printed.
fn turns_of(directory: &BenchDirectory) -> Result<Vec<Duration>> {
    let mut moments = Vec::new();
    for session in
        fs::read_dir(directory.data().join("sessions")).context("the run has no sessions")?
    {
        let folder = session?.path();
        // The log of the run's steps is beside the folders.
        if !folder.is_dir() {
            continue;
        }
        let text = fs::read_to_string(folder.join("stdout"))?;
        moments.push(
            text.trim()
                .parse::<u64>()
                .with_context(|| format!("'{text}' isn't a time"))?,
        );
    }
    if moments.len() != CHAIN {
        bail!("{} of {CHAIN} nodes ran", moments.len());
    }
    moments.sort_unstable();
    Ok(moments
        .windows(2)
        .map(|pair| Duration::from_nanos(pair[1] - pair[0]))
        .collect())
}

fn bare_spawn(repo: &RepoPaths) -> Result<Duration> {
    let programs = repo.programs_dir(true);
    let keeper = programs.join("baton-keeper");
    let mut command = process::command(&repo.root, programs.join("examples/cost"), &[]);
    command
        .arg(keeper)
        .arg(CHAIN.to_string())
        .arg("1")
        .args(COMMAND);
    let said = process::read(&mut command)?;
    let micros = said
        .split_whitespace()
        .next()
        .and_then(|word| word.parse().ok());
    Ok(Duration::from_micros(
        micros.with_context(|| format!("no cost found in '{said}'"))?,
    ))
}
