//! Measures how long Baton takes to adopt a thousand sessions after it was killed.
//!
//! A session counts as adopted when Baton is connected to its keeper, as seen in `/proc`.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::bench_directory::BenchDirectory;
use crate::process;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;

const NODES: usize = 1_000;
const ROUNDS: usize = 3;
/// The time limit for each step.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) fn measure(repo: &RepoPaths, stages: &Stages) -> Result<()> {
    if !cfg!(target_os = "linux") {
        bail!("connections are read from /proc, which only Linux has");
    }
    let directory = BenchDirectory::create("adopt")?;
    fs::write(directory.work().join("plan.yaml"), plan()?)?;
    stages.begin(&format!("adopting {NODES} sessions, {ROUNDS} times"));
    let mut run = directory.baton_run(repo, NODES)?;
    let mut baton = run
        .stdout(Stdio::null())
        .spawn()
        .context("couldn't start baton")?;
    let begun = until_connected(&baton);
    kill(&mut baton)?;
    let mut times = Vec::new();
    let adopted = begun.and_then(|_| {
        for _ in 0..ROUNDS {
            let mut next = resume(repo, &directory)?;
            let took = until_connected(&next);
            kill(&mut next)?;
            times.push(took?);
        }
        Ok(())
    });
    // Even after a failure, end the thousand sleeping sessions.
    end_all(repo, &directory)?;
    adopted?;
    times.sort_unstable();
    let shown: Vec<String> = times
        .iter()
        .map(|time| format!("{:.2}", time.as_secs_f64()))
        .collect();
    println!(
        "  all adopted after      median {} s   ({})",
        shown[ROUNDS / 2],
        shown.join(" ")
    );
    Ok(())
}

fn plan() -> Result<String> {
    let mut text = format!("baton: 1\ntitle: Sleepers\nconcurrency: {NODES}\nnodes:\n");
    for number in 0..NODES {
        writeln!(
            text,
            "  - {{id: n{number}, kind: command, timeoutMs: 3600000, command: [/bin/sleep, \"3600\"]}}"
        )?;
    }
    Ok(text)
}

fn resume(repo: &RepoPaths, directory: &BenchDirectory) -> Result<Child> {
    let mut command = process::command(
        &directory.work(),
        repo.programs_dir(true).join("baton"),
        &["resume", "--all"],
    );
    command
        .env("BATON_DATA_DIR", directory.data())
        .stdout(Stdio::null());
    command.spawn().context("couldn't start baton")
}

/// Returns the time until `baton` is connected to all keepers.
fn until_connected(baton: &Child) -> Result<Duration> {
    let folder = format!("/proc/{}/fd", baton.id());
    let began = Instant::now();
    while began.elapsed() < PATIENCE {
        // The process's own few sockets don't matter among a thousand.
        if sockets(Path::new(&folder)) >= NODES {
            return Ok(began.elapsed());
        }
        thread::sleep(Duration::from_millis(10));
    }
    bail!(
        "timed out after {} s with {} connections",
        PATIENCE.as_secs(),
        sockets(Path::new(&folder))
    )
}

/// Returns the number of open sockets of a process.
fn sockets(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let links = entries.filter_map(|entry| fs::read_link(entry.path()).ok());
    links
        .filter(|link| link.to_string_lossy().starts_with("socket:"))
        .collect::<HashSet<_>>()
        .len()
}

fn kill(baton: &mut Child) -> Result<()> {
    baton.kill().context("couldn't kill baton")?;
    baton.wait().context("couldn't wait for baton")?;
    Ok(())
}

/// Ends the keepers of this data directory, and with them their programs.
fn end_all(repo: &RepoPaths, directory: &BenchDirectory) -> Result<()> {
    let began = Instant::now();
    while began.elapsed() < PATIENCE {
        let keepers = keepers(
            &repo.programs_dir(true).join("baton-keeper"),
            &directory.data(),
        );
        if keepers.is_empty() {
            return Ok(());
        }
        // A keeper that has already exited is fine.
        Command::new("kill")
            .args(&keepers)
            .stderr(Stdio::null())
            .status()
            .context("couldn't run kill")?;
        thread::sleep(Duration::from_millis(500));
    }
    bail!("some keepers in {} didn't exit", directory.data().display())
}

/// Returns the process ids of the keepers whose session is in `data`.
fn keepers(program: &Path, data: &Path) -> Vec<String> {
    let folder = data.display().to_string();
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ours = processes.filter(|entry| {
        let command_line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        fs::read_link(entry.path().join("exe")).is_ok_and(|exe| exe == program)
            && String::from_utf8_lossy(&command_line).contains(&folder)
    });
    ours.map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}
