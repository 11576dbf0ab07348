//! Compares the window's first paint with that of an empty window with the same web view.

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
        "bench/firstPaint.js",
    ];
    let mut command = process::command(&journeys, "xvfb-run", &display);
    command
        .args([&empty, &baton])
        .env("BATON_TEST_TAURI_DRIVER", driver);
    let printed = process::read(&mut command)?;
    let (empty, baton) = (sample_of(&printed, &empty)?, sample_of(&printed, &baton)?);
    println!(
        "  empty window           median {:6.2} s   ({})",
        empty.median(),
        empty.shown()
    );
    println!(
        "  baton's window         median {:6.2} s   ({})",
        baton.median(),
        baton.shown()
    );
    println!(
        "  baton / empty          {:.2}",
        baton.median() / empty.median()
    );
    Ok(())
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

/// Parses a program's line: `PROGRAM milliseconds…`.
fn sample_of(printed: &str, program: &Path) -> Result<Sample> {
    let name = program.to_string_lossy();
    let line = printed
        .lines()
        .find_map(|line| line.strip_prefix(&*name)?.strip_prefix(' '));
    let line = line.with_context(|| format!("{name} was not measured"))?;
    let mut sample = Sample::default();
    for word in line.split_whitespace() {
        sample.add(Duration::from_millis(
            word.parse().context("invalid number of milliseconds")?,
        ));
    }
    Ok(sample)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_program_finds_its_own_line() -> Result<()> {
        let printed = "SpiRegistry is running\n/a/empty 200 300 400\n/a/empty-not 1\n";
        assert_eq!(
            sample_of(printed, Path::new("/a/empty"))?.shown(),
            "0.20 0.30 0.40"
        );
        assert!(sample_of(printed, Path::new("/a/other")).is_err());
        Ok(())
    }
}
