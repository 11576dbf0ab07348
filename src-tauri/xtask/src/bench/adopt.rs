//! A thousand sessions whose Baton was killed: how long the next one takes until it has them all.
//!
//! It has a session when it is connected with its keeper, which the kernel tells.

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
/// More than anything here takes; what takes longer has failed.
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
        .context("failed to start baton")?;
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
    // Whatever happened, a thousand sleepers must not stay.
    end_all(repo, &directory)?;
    adopted?;
    times.sort_unstable();
    let shown: Vec<String> = times
        .iter()
        .map(|time| format!("{:.2}", time.as_secs_f64()))
        .collect();
    println!(
        "  start to all adopted   median {} s   ({})",
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
    command.spawn().context("failed to start baton")
}

/// How long from now until `baton` is connected with so many keepers.
fn until_connected(baton: &Child) -> Result<Duration> {
    let folder = format!("/proc/{}/fd", baton.id());
    let began = Instant::now();
    while began.elapsed() < PATIENCE {
        // A few sockets are the process's own; among a thousand they do not count.
        if sockets(Path::new(&folder)) >= NODES {
            return Ok(began.elapsed());
        }
        thread::sleep(Duration::from_millis(10));
    }
    bail!(
        "after {} s baton had {} connections",
        PATIENCE.as_secs(),
        sockets(Path::new(&folder))
    )
}

/// How many sockets a process has open.
fn sockets(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let links = entries.filter_map(|entry| fs::read_link(entry.path()).ok());
    links
        .filter(|link| link.to_string_lossy().starts_with("socket:"))
        .collect::<HashSet<_>>()
        .len()
}

fn kill(baton: &mut Child) -> Result<()> {
    baton.kill().context("failed to kill baton")?;
    baton.wait().context("failed to wait for baton")?;
    Ok(())
}

/// Ends the keepers of this ground; each takes its program with it.
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
        // One that ended meanwhile is no failure.
        Command::new("kill")
            .args(&keepers)
            .stderr(Stdio::null())
            .status()
            .context("failed to run kill")?;
        thread::sleep(Duration::from_millis(500));
    }
    bail!("keepers of {} are left", directory.data().display())
}

/// The numbers of the keepers whose session's folder is in `data`.
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
