//! Measures Baton's processor use while nothing happens: with a hundred nodes that wait for a
//! person, and as a server with session histories from every agent.

mod sample_home;

use std::fmt::Write as _;
use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::bench_directory::BenchDirectory;
use crate::process;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;

const NODES: usize = 100;
const WATCHED: Duration = Duration::from_secs(20);
/// The time for startup and initial reading, which isn't measured.
const BEGINNING: Duration = Duration::from_secs(3);

pub(crate) fn measure(repo: &RepoPaths, stages: &Stages) -> Result<()> {
    if !cfg!(target_os = "linux") {
        bail!("processor time is read from /proc, which only Linux has");
    }
    let directory = BenchDirectory::create("idle")?;
    fs::write(directory.work().join("plan.yaml"), plan()?)?;
    stages.begin(&format!(
        "watching {NODES} waiting nodes for {} s",
        WATCHED.as_secs()
    ));
    println!(
        "  waiting nodes          {}",
        share(repo, &mut directory.baton_run(repo, 2)?)?
    );
    stages.begin(&format!(
        "watching a server with histories from every agent for {} s",
        WATCHED.as_secs()
    ));
    println!(
        "  agents' histories      {}",
        share(repo, &mut sample_home::serve(repo, &directory)?)?
    );
    Ok(())
}

/// Returns the processor use of a command after startup.
fn share(repo: &RepoPaths, command: &mut Command) -> Result<String> {
    let mut baton = command
        .stdout(Stdio::null())
        .spawn()
        .context("couldn't start baton")?;
    let ticks = watched(&baton);
    baton.kill().context("couldn't stop baton")?;
    baton.wait()?;
    let second: f64 = process::read(&mut process::command(&repo.root, "getconf", &["CLK_TCK"]))?
        .trim()
        .parse()?;
    Ok(format!("{:.3} % of a core", ticks? / second * 100.0))
}

/// Returns the ticks that a process uses per second.
fn watched(baton: &Child) -> Result<f64> {
    thread::sleep(BEGINNING);
    let (before, began) = (processor_ticks(baton.id())?, Instant::now());
    thread::sleep(WATCHED);
    let (after, watched) = (processor_ticks(baton.id())?, began.elapsed());
    Ok(after.checked_sub(before).context("time went backwards")? as f64 / watched.as_secs_f64())
}

fn plan() -> Result<String> {
    let mut text = String::from("baton: 1\ntitle: Questions\nnodes:\n");
    for number in 0..NODES {
        writeln!(
            text,
            "  - {{id: n{number}, kind: user_input, question: 'Continue?'}}"
        )?;
    }
    Ok(text)
}

/// Returns the processor time of a process so far, in kernel clock ticks.
fn processor_ticks(pid: u32) -> Result<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).context("baton has exited")?;
    // The name in parentheses may contain anything. After it, user and system time are at index 11
    // and 12.
    let fields: Vec<&str> = text
        .rsplit_once(')')
        .map_or("", |(_, rest)| rest)
        .split_whitespace()
        .collect();
    let field = |at: usize| fields.get(at).and_then(|word| word.parse::<u64>().ok());
    field(11)
        .zip(field(12))
        .map(|(user, system)| user + system)
        .context("unexpected format of /proc/PID/stat")
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn our_own_time_is_read() -> Result<()> {
        let before = processor_ticks(std::process::id())?;
        let began = Instant::now();
        while began.elapsed() < Duration::from_millis(100) {
            std::hint::spin_loop();
        }
        assert!(
            processor_ticks(std::process::id())? > before,
            "100 ms of work are counted"
        );
        Ok(())
    }
}
