//! How much of a core Baton takes while nothing happens: with a hundred nodes that wait for a person, and as a server
//! in a home that holds the histories of every agent.

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
/// From the start until everything is asked and read.
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
        "watching a server beside the histories of every agent for {} s",
        WATCHED.as_secs()
    ));
    println!(
        "  histories beside it    {}",
        share(repo, &mut sample_home::serve(repo, &directory)?)?
    );
    Ok(())
}

/// The share of a core that a command takes once it has begun.
fn share(repo: &RepoPaths, command: &mut Command) -> Result<String> {
    let mut baton = command
        .stdout(Stdio::null())
        .spawn()
        .context("failed to start baton")?;
    let ticks = watched(&baton);
    baton.kill().context("baton did not stay")?;
    baton.wait()?;
    let second: f64 = process::read(&mut process::command(&repo.root, "getconf", &["CLK_TCK"]))?
        .trim()
        .parse()?;
    Ok(format!("{:.3} % of a core", ticks? / second * 100.0))
}

/// The ticks that a process takes in a second.
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
            "  - {{id: n{number}, kind: user_input, question: 'Go on?'}}"
        )?;
    }
    Ok(text)
}

/// The processor time of a process so far, in ticks of the kernel's clock.
fn processor_ticks(pid: u32) -> Result<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).context("baton has ended")?;
    // The name in parentheses may hold anything; after it, user and system time are fields 12 and 13.
    let fields: Vec<&str> = text
        .rsplit_once(')')
        .map_or("", |(_, rest)| rest)
        .split_whitespace()
        .collect();
    let field = |at: usize| fields.get(at).and_then(|word| word.parse::<u64>().ok());
    field(11)
        .zip(field(12))
        .map(|(user, system)| user + system)
        .context("/proc has another form than expected")
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
            "a tenth of a second of work shows"
        );
        Ok(())
    }
}
