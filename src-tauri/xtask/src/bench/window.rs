//! Compares the window with an empty window with the same web view: its first paint and the memory of
//! its processes. Also measures the first press of Ctrl+K.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};

use super::sample::Sample;
use crate::cargo::cargo;
use crate::npm;
use crate::process;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;
use crate::tools;

pub(crate) fn measure(repo: &RepoPaths, stages: &Stages) -> Result<()> {
    let journeys = repo.test_dir("desktop");
    npm::install(repo, stages, &journeys)?;
    let driver = tools::tauri_driver(repo, stages)?;
    stages.begin("building an empty window");
    let empty = build_empty(repo)?;
    let baton = repo
        .programs_dir(true)
        .join(format!("baton-desktop{EXE_SUFFIX}"));

    stages.begin("opening both windows several times, alternating");
    let display = [
        "-a",
        "-s",
        "-screen 0 1440x900x24",
        "dbus-run-session",
        "--",
        "node",
        "bench/windowFigures.js",
    ];
    let mut command = process::command(&journeys, "xvfb-run", &display);
    command
        .args([&empty, &baton])
        .env("BATON_TEST_TAURI_DRIVER", driver);
    let printed = process::read(&mut command)?;
    let (empty, baton) = (
        WindowFigures::parse(&printed, &empty)?,
        WindowFigures::parse(&printed, &baton)?,
    );
    print_times("first paint, empty window", &empty.paint);
    print_times("first paint, Baton's window", &baton.paint);
    println!(
        "  Baton / empty                  {:6.2}",
        baton.paint.median() / empty.paint.median()
    );
    println!(
        "  memory, empty window           {:6.0} MB",
        empty.memory / 1e6
    );
    println!(
        "  memory, Baton's window         {:6.0} MB",
        baton.memory / 1e6
    );
    println!(
        "  Baton / empty                  {:6.2}",
        baton.memory / empty.memory
    );
    print_times("first Ctrl+K", &baton.palette);
    Ok(())
}

fn print_times(name: &str, times: &Sample) {
    println!(
        "  {name:<30} {:6.2} s   ({})",
        times.median(),
        times.shown()
    );
}

/// What the script measured of one program.
struct WindowFigures {
    /// From the start of the process to the first contentful paint.
    paint: Sample,
    /// Median over all rounds, in bytes.
    memory: f64,
    /// From the key press to the frame that shows the palette; empty for the empty window.
    palette: Sample,
}

/// Builds the empty window from its template, using Baton's lock file, icons and target directory.
fn build_empty(repo: &RepoPaths) -> Result<PathBuf> {
    let folder = repo.xtask_dir().join("empty-window");
    copy(&repo.root.join("src-tauri/xtask/empty-window"), &folder)?;
    copy(&repo.root.join("icons"), &folder.join("icons"))?;
    fs::copy(repo.root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let target = repo.target.to_string_lossy();
    let manifest = folder.join("Cargo.toml");
    let arguments = [
        "build",
        "--release",
        "--target-dir",
        &target,
        "--manifest-path",
        &manifest.to_string_lossy(),
    ];
    process::run(&mut cargo(repo, &arguments))?;
    Ok(repo
        .programs_dir(true)
        .join(format!("empty-window{EXE_SUFFIX}")))
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("couldn't list {}", from.display()))? {
        let entry = entry?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to)?;
        } else {
            fs::copy(&from, &to).with_context(|| format!("couldn't copy {}", from.display()))?;
        }
    }
    Ok(())
}

impl WindowFigures {
    /// Parses a program's lines: `PROGRAM figure number…`.
    fn parse(printed: &str, program: &Path) -> Result<Self> {
        let memory = numbers(printed, program, "memory")?;
        Ok(Self {
            paint: times(numbers(printed, program, "paint")?),
            memory: median(memory).context("no memory was measured")?,
            palette: times(numbers(printed, program, "palette").unwrap_or_default()),
        })
    }
}

fn numbers(printed: &str, program: &Path, figure: &str) -> Result<Vec<u64>> {
    let start = format!("{} {figure} ", program.display());
    let line = printed.lines().find_map(|line| line.strip_prefix(&start));
    let line = line.with_context(|| format!("{start}was not measured"))?;
    line.split_whitespace()
        .map(|word| {
            word.parse()
                .with_context(|| format!("'{word}' isn't a number"))
        })
        .collect()
}

/// Of times in milliseconds.
fn times(milliseconds: Vec<u64>) -> Sample {
    let mut sample = Sample::default();
    for time in milliseconds {
        sample.add(Duration::from_millis(time));
    }
    sample
}

#[expect(clippy::cast_precision_loss, reason = "far below 2^52 bytes")]
fn median(mut figures: Vec<u64>) -> Option<f64> {
    figures.sort_unstable();
    figures.get(figures.len() / 2).map(|&figure| figure as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_program_finds_its_own_lines() -> Result<()> {
        let printed = "SpiRegistry is running\n/a/empty paint 200 300 400\n\
                       /a/empty memory 5 7 6\n/a/empty-not paint 1\n/a/empty-not palette 40\n";
        let empty = WindowFigures::parse(printed, Path::new("/a/empty"))?;
        assert_eq!(empty.paint.shown(), "0.20 0.30 0.40");
        assert_eq!(empty.memory, 6.0);
        assert_eq!(empty.palette.shown(), "");
        assert!(
            WindowFigures::parse(printed, Path::new("/a/empty-not")).is_err(),
            "its memory is missing"
        );
        Ok(())
    }
}
