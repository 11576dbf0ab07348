//! Measures how long an append takes: `cargo run --release -p baton-store --example append
//! [NODES]`.
//!
//! Simulates a run of ten layers and prints the time per commit next to that of a bare fsync.
#![expect(clippy::print_stdout, reason = "its output is its purpose")]

use std::error::Error;
use std::io::Write;
use std::time::{Duration, Instant};

#[allow(dead_code, unreachable_pub, reason = "written for the tests")]
#[path = "../tests/store/sample_run.rs"]
mod sample_run;

fn main() -> Result<(), Box<dyn Error>> {
    let nodes: usize = std::env::args()
        .nth(1)
        .map_or(Ok(1000), |nodes| nodes.parse())?;
    let folder = tempfile::tempdir_in(".")?;
    let memory = tempfile::tempdir_in("/dev/shm");
    println!("fsync of 4 KiB: {:?}", fsync(folder.path())?);
    live(&folder, nodes, "on this disk")?;
    if let Ok(memory) = memory {
        live(&memory, nodes, "in memory, where fsync costs nothing")?;
    }
    Ok(())
}

fn live(folder: &tempfile::TempDir, nodes: usize, place: &str) -> Result<(), Box<dyn Error>> {
    let store = sample_run::open(folder.path())?;
    let plan = sample_run::layered_plan(10, nodes / 10);
    let mut sample = sample_run::SampleRun::begin(&store, plan);
    let begin = Instant::now();
    while sample.step()? {}
    let all = begin.elapsed();
    let mut times = sample.appends;
    times.sort();
    let (commits, median, slow) = (
        times.len(),
        times[times.len() / 2],
        times[times.len() * 99 / 100],
    );
    println!(
        "{nodes} nodes {place}: {commits} commits in {:?} ({all:?} including the simulation); median {median:?}, 99% under {slow:?}",
        times.iter().sum::<Duration>()
    );
    Ok(())
}

fn fsync(folder: &std::path::Path) -> Result<Duration, Box<dyn Error>> {
    let mut file = std::fs::File::create(folder.join("bare"))?;
    let begin = Instant::now();
    for _ in 0..100 {
        file.write_all(&[0; 4096])?;
        file.sync_data()?;
    }
    Ok(begin.elapsed() / 100)
}
