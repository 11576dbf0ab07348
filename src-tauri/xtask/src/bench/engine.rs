//! The engine beside ninja: the same graph of commands that do nothing, two at a time.
//!
//! Baton runs as a person would start it, with a data directory of its own and everything durable.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::graph::Graph;
use super::sample::Sample;
use crate::place::Place;
use crate::process;
use crate::stage::Stages;

/// Taken in turn, so that a slow minute of the machine meets both.
const ROUNDS: usize = 5;
const SMALL: usize = 1_000;
const LARGE: usize = 10_000;

pub(crate) fn measure(place: &Place, stages: &Stages) -> Result<()> {
    let folder = place.own().join("bench/engine");
    let (small, large) = (folder.join("small"), folder.join("large"));
    Graph::of(SMALL).write(&small)?;
    Graph::of(LARGE).write(&large)?;

    stages.begin(&format!("running {SMALL} nodes with ninja and with baton, {ROUNDS} times in turn"));
    let (mut ninja, mut baton) = (Sample::default(), Sample::default());
    for _ in 0..ROUNDS {
        ninja.add(ninja_once(&small)?);
        baton.add(baton_once(place, &small)?);
    }
    println!("  ninja -j2              median {:6.2} s   ({})", ninja.median(), ninja.shown());
    println!("  baton run -j 2         median {:6.2} s   ({})", baton.median(), baton.shown());
    println!("  baton / ninja          {:.2}", baton.median() / ninja.median());

    stages.begin(&format!("running {LARGE} nodes with baton"));
    let time = baton_once(place, &large)?.as_secs_f64();
    let (small_cost, large_cost) = (baton.median() / as_f64(SMALL), time / as_f64(LARGE));
    println!("  cost of a node         {:.2} ms at {SMALL}, {:.2} ms at {LARGE}", small_cost * 1e3, large_cost * 1e3);
    println!("  large / small          {:.2}", large_cost / small_cost);
    Ok(())
}

fn ninja_once(folder: &Path) -> Result<Duration> {
    timed(&mut process::command(folder, "ninja", &["-j2", "--quiet"]))
}

fn baton_once(place: &Place, folder: &Path) -> Result<Duration> {
    let data = fresh_data(folder)?;
    timed(baton_run(place, folder, &data).stdout(Stdio::null()))
}

/// `baton run plan.yaml` in `folder`, with `data` for everything it keeps.
pub(super) fn baton_run(place: &Place, folder: &Path, data: &Path) -> Command {
    let program = place.programs(true).join("baton");
    let mut command = process::command(folder, program, &["run", "plan.yaml", "--yes", "-j", "2"]);
    command.env("BATON_DATA_DIR", data);
    command
}

/// An empty data directory in `folder`; what an earlier start left is removed.
pub(super) fn fresh_data(folder: &Path) -> Result<std::path::PathBuf> {
    let data = folder.join("data");
    if data.exists() {
        fs::remove_dir_all(&data).with_context(|| format!("failed to empty {}", data.display()))?;
    }
    fs::create_dir_all(&data)?;
    Ok(data)
}

fn timed(command: &mut Command) -> Result<Duration> {
    let started = Instant::now();
    let status = command.status().with_context(|| format!("{} could not be started", program(command)))?;
    if !status.success() {
        bail!("{} failed ({status}), so its time says nothing", program(command));
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
