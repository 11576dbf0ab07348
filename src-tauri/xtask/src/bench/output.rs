//! A node that prints a gigabyte: how much memory Baton takes, and how much it writes for each byte printed. And what it
//! costs that secrets are taken out of output on its way to the file.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::ground::Ground;
use super::watch::Watch;
use crate::cargo;
use crate::place::Place;
use crate::process;
use crate::stage::Stages;

const PRINTED: u64 = 1 << 30;
const MEGABYTE: u64 = 1 << 20;

pub(crate) fn measure(place: &Place, stages: &Stages) -> Result<()> {
    if !cfg!(target_os = "linux") {
        bail!("memory is read from /proc, which only Linux has");
    }
    let ground = Ground::lay("output")?;
    fs::write(ground.work().join("plan.yaml"), plan())?;
    let programs = ["baton", "baton-keeper"].map(|name| place.programs(true).join(name));

    stages.begin("running a node that prints 1 GB");
    let started = Instant::now();
    let mut child = ground
        .baton_run(place, 2)?
        .stdout(Stdio::null())
        .spawn()
        .context("failed to start baton")?;
    let mut watch = Watch::default();
    let status = loop {
        watch.look(&programs);
        if let Some(status) = child.try_wait()? {
            break status;
        }
        thread::sleep(Duration::from_millis(20));
    };
    if !status.success() {
        bail!("the run failed ({status}), so its figures say nothing");
    }
    println!(
        "  time                   {:.1} s",
        started.elapsed().as_secs_f64()
    );
    println!("  memory of Baton        {} MB", watch.memory() / MEGABYTE);
    println!(
        "  written / printed      {}",
        ratio(watch.written(), PRINTED)
    );
    println!(
        "  kept / printed         {}",
        ratio(size(&ground.data())?, PRINTED)
    );
    masking(place, stages)
}

/// Carrying output with the mask beside carrying it without, in processor time.
fn masking(place: &Place, stages: &Stages) -> Result<()> {
    stages.begin("taking secrets out of 256 MB of output");
    process::run(&mut cargo::cargo(
        place,
        &[
            "build",
            "--release",
            "-p",
            "baton-keeper",
            "--example",
            "masking",
        ],
    ))?;
    let program = place.programs(true).join("examples/masking");
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
            .with_context(|| format!("the bench told no {name}"))?
            .parse()?)
    };
    for (kind, words) in [
        ("lines", "lines of a build"),
        ("messages", "an agent's messages"),
        ("near_keys", "nearly keys"),
    ] {
        let (plain, masked) = (
            figure(&format!("{kind}_plain_ms"))?,
            figure(&format!("{kind}_masked_ms"))?,
        );
        println!("  masked / plain         {:.2} ({words})", masked / plain);
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

/// Two decimals without floating point, so that a gigabyte is exact.
fn ratio(part: u64, whole: u64) -> String {
    let hundredths = part * 100 / whole;
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

/// Bytes in all files below `folder`.
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
