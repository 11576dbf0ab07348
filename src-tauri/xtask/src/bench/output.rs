//! Measures a node that prints a gigabyte: Baton's memory and the bytes written per byte printed.
//! Also measures the cost of masking secrets in output.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::bench_directory::BenchDirectory;
use super::process_monitor::ProcessMonitor;
use crate::cargo;
use crate::process;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;

const PRINTED: u64 = 1 << 30;
const MEGABYTE: u64 = 1 << 20;

pub(crate) fn measure(repo: &RepoPaths, stages: &Stages) -> Result<()> {
    if !cfg!(target_os = "linux") {
        bail!("memory is read from /proc, which only Linux has");
    }
    let directory = BenchDirectory::create("output")?;
    fs::write(directory.work().join("plan.yaml"), plan())?;
    let programs = ["baton", "baton-keeper"].map(|name| repo.programs_dir(true).join(name));

    stages.begin("running a node that prints 1 GB");
    let started = Instant::now();
    let mut child = directory
        .baton_run(repo, 2)?
        .stdout(Stdio::null())
        .spawn()
        .context("couldn't start baton")?;
    let mut monitor = ProcessMonitor::default();
    let status = loop {
        monitor.sample(&programs);
        if let Some(status) = child.try_wait()? {
            break status;
        }
        thread::sleep(Duration::from_millis(20));
    };
    if !status.success() {
        bail!("the run failed ({status}), so its figures are meaningless");
    }
    println!(
        "  time                   {:.1} s",
        started.elapsed().as_secs_f64()
    );
    println!(
        "  memory of Baton        {} MB",
        monitor.memory() / MEGABYTE
    );
    println!(
        "  written / printed      {}",
        ratio(monitor.written(), PRINTED)
    );
    println!(
        "  kept / printed         {}",
        ratio(size(&directory.data())?, PRINTED)
    );
    masking(repo, stages)
}

/// Compares the processor time of passing output on with and without masking.
fn masking(repo: &RepoPaths, stages: &Stages) -> Result<()> {
    stages.begin("masking secrets in 256 MB of output");
    process::run(&mut cargo::cargo(
        repo,
        &[
            "build",
            "--release",
            "-p",
            "baton-keeper",
            "--example",
            "masking",
        ],
    ))?;
    let program = repo.programs_dir(true).join("examples/masking");
    let printed = process::read(&mut process::command(
        &std::env::temp_dir(),
        program,
        &["256"],
    ))?;
    let figure = |name: &str| -> Result<f64> {
        let line = printed
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        Ok(line
            .with_context(|| format!("the benchmark didn't report {name}"))?
            .parse()?)
    };
    for (kind, kind_description) in [
        ("lines", "build output"),
        ("messages", "agent messages"),
        ("near_keys", "text similar to keys"),
    ] {
        let (plain, masked) = (
            figure(&format!("{kind}_plain_ms"))?,
            figure(&format!("{kind}_masked_ms"))?,
        );
        println!(
            "  masked / plain         {:.2} ({kind_description})",
            masked / plain
        );
    }
    Ok(())
}

fn plan() -> String {
    let line =
        "a line of output such as a build prints many thousands of times, neither short nor long";
    format!(
        "baton: 1\ntitle: A gigabyte\nnodes:\n  - id: print\n    kind: command\n    timeoutMs: 600000\n    \
         command: yes '{line}' | head -c {PRINTED}\n"
    )
}

/// Formats a ratio with two decimals, without floating point so that a gigabyte is exact.
fn ratio(part: u64, whole: u64) -> String {
    let hundredths = part * 100 / whole;
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

/// Returns the total size of all files below `folder`, in bytes.
fn size(folder: &Path) -> Result<u64> {
    fs::read_dir(folder)?
        .map(|entry| {
            let entry = entry?;
            let found = entry.metadata()?;
            if found.is_dir() {
                size(&entry.path())
            } else {
                Ok(found.len())
            }
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_have_two_decimals() {
        assert_eq!(ratio(PRINTED, PRINTED), "1.00");
        assert_eq!(ratio(PRINTED + PRINTED / 4, PRINTED), "1.25");
        assert_eq!(ratio(0, PRINTED), "0.00");
    }
}
