//! The engine beside ninja: the same graph of commands that do nothing, two at a time.
//!
//! Baton runs as a person would start it, with a data directory of its own and everything durable.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::graph::Graph;
use super::ground::Ground;
use super::sample::Sample;
use crate::place::Place;
use crate::process;
use crate::stage::Stages;

/// Taken in turn, so that a slow minute of the machine meets both.
const ROUNDS: usize = 5;
const SMALL: usize = 1_000;
const LARGE: usize = 10_000;
const HUGE: usize = 100_000;

pub(crate) fn measure(place: &Place, stages: &Stages) -> Result<()> {
    let (small, large) = (Ground::lay("small")?, Ground::lay("large")?);
    Graph::of(SMALL).write(&small.work())?;
    Graph::of(LARGE).write(&large.work())?;

    stages.begin(&format!("running {SMALL} nodes with ninja and with baton, {ROUNDS} times in turn"));
    let (mut ninja, mut baton) = (Sample::default(), Sample::default());
    for _ in 0..ROUNDS {
        ninja.add(timed(&mut process::command(&small.work(), "ninja", &["-j2", "--quiet"]))?);
        baton.add(baton_once(place, &small)?);
    }
    println!("  ninja -j2              median {:6.2} s   ({})", ninja.median(), ninja.shown());
    println!("  baton run -j 2         median {:6.2} s   ({})", baton.median(), baton.shown());
    println!("  baton / ninja          {:.2}", baton.median() / ninja.median());

    let small_cost = baton.median() / as_f64(SMALL);
    println!("  cost of a node         {:.2} ms at {SMALL}", small_cost * 1e3);
    scale(place, stages, &large, LARGE, small_cost)?;
    let huge = Ground::lay("huge")?;
    Graph::of(HUGE).write(&huge.work())?;
    scale(place, stages, &huge, HUGE, small_cost)?;

    stages.begin(&format!("running {SMALL} nodes in a git repository"));
    process::run(&mut process::command(&small.work(), "git", &["init", "--quiet"]))?;
    let time = baton_once(place, &small)?.as_secs_f64();
    println!("  cost of a node         {:.2} ms, as baton looks for changed files", time * 1e3 / as_f64(SMALL));
    Ok(())
}

/// What a node costs in a plan of so many, beside what it costs in a small one.
fn scale(place: &Place, stages: &Stages, ground: &Ground, nodes: usize, small_cost: f64) -> Result<()> {
    stages.begin(&format!("running {nodes} nodes with baton"));
    let cost = baton_once(place, ground)?.as_secs_f64() / as_f64(nodes);
    println!("  cost of a node         {:.2} ms at {nodes}", cost * 1e3);
    println!("  {nodes} / {SMALL:<15} {:.2}", cost / small_cost);
    Ok(())
}

fn baton_once(place: &Place, ground: &Ground) -> Result<Duration> {
    timed(ground.baton_run(place, 2)?.stdout(Stdio::null()))
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
