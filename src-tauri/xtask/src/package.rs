//! `cargo xtask package`: a deb and an rpm with the window and every program of Baton.
//!
//! The bundler of Tauri packs what cargo has built; it builds nothing itself. What comes out is looked at before anybody
//! gets it. Nothing is signed.

mod contents;
mod glibc;

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::cargo::{self, Programs};
use crate::npm;
use crate::process;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;
use crate::system;
use crate::tools;

/// The window's program, which the bundler takes by itself.
const WINDOW: &str = "baton-desktop";
/// What stands beside it; each finds the others in its own folder.
const SIBLING_PROGRAMS: [&str; 3] = ["baton", "baton-keeper", "baton-tool"];

/// The packages of one build.
#[derive(Debug)]
pub(crate) struct Packages {
    /// For Debian and its relatives.
    pub(crate) deb: PathBuf,
    /// For Fedora and its relatives.
    pub(crate) rpm: PathBuf,
}

pub(crate) fn package(arguments: &[&str]) -> Result<ExitCode> {
    let release = match arguments {
        [] => true,
        // What the tests install: the programs that they have built anyway.
        ["--debug"] => false,
        [other, ..] => bail!("`package` does not know {other}; it takes `--debug`"),
    };
    let repo = RepoPaths::find()?;
    let stages = Stages::start();
    let packages: Vec<_> = system::COMPILER
        .iter()
        .chain(system::WINDOW)
        .chain(system::PACKAGES)
        .collect();
    system::ensure(&stages, &packages, true)?;
    npm::build_interface(&repo, &stages)?;
    stages.begin("building the programs");
    cargo::build(&repo, Programs::All, release)?;
    let made = make(&repo, &stages, release)?;
    println!("\n{}\n{}", made.deb.display(), made.rpm.display());
    Ok(ExitCode::SUCCESS)
}

/// Packs the programs that are built, and looks at what comes out.
pub(crate) fn make(repo: &RepoPaths, stages: &Stages, release: bool) -> Result<Packages> {
    if !cfg!(target_os = "linux") {
        bail!("packages are made on Linux so far; installers for other systems are not there yet");
    }
    let bundler = tools::tauri_cli(repo, stages)?;
    stages.begin("packing");
    let folder = repo.xtask_dir().join("package");
    let programs = stage(repo, &folder, release)?;
    let configuration = configuration(&programs)?;
    let arguments = [
        "bundle",
        "--ci",
        "--no-sign",
        "--bundles",
        "deb,rpm",
        "--config",
        &configuration,
    ];
    let mut command = process::command(&repo.root, bundler, &arguments);
    // The bundler looks for programs, and puts packages, below the target directory.
    process::run(command.env("CARGO_TARGET_DIR", &folder))?;
    let bundles = programs.join("bundle");
    let made = Packages {
        deb: only(&bundles.join("deb"), "deb")?,
        rpm: only(&bundles.join("rpm"), "rpm")?,
    };
    stages.begin("looking at the packages");
    contents::check(&made)?;
    Ok(made)
}

/// Copies the programs, without what debuggers read, to where the bundler looks for them.
fn stage(repo: &RepoPaths, folder: &Path, release: bool) -> Result<PathBuf> {
    let staged = folder.join("release");
    if staged.exists() {
        fs::remove_dir_all(&staged)
            .with_context(|| format!("failed to empty {}", staged.display()))?;
    }
    fs::create_dir_all(&staged)?;
    for name in [WINDOW].iter().chain(&SIBLING_PROGRAMS) {
        let name = format!("{name}{EXE_SUFFIX}");
        let (from, to) = (repo.programs_dir(release).join(&name), staged.join(&name));
        let (from, to) = (from.to_string_lossy(), to.to_string_lossy());
        process::run(&mut process::command(
            &repo.root,
            "strip",
            &["--strip-unneeded", "-o", &to, &from],
        ))?;
    }
    Ok(staged)
}

/// What `tauri.conf.json` cannot say, because it differs between builds: where the programs are, and which C library
/// they need.
fn configuration(programs: &Path) -> Result<String> {
    let paths = SIBLING_PROGRAMS.map(|name| programs.join(name));
    let all = paths.iter().cloned().chain([programs.join(WINDOW)]);
    let (major, minor) = glibc::needed(all)?;
    let files = SIBLING_PROGRAMS
        .iter()
        .zip(&paths)
        .map(|(name, path)| format!("{:?}: {:?}", format!("/usr/bin/{name}"), path));
    let files = files.collect::<Vec<_>>().join(", ");
    Ok(format!(
        r#"{{"bundle": {{"linux": {{
            "deb": {{"files": {{{files}}}, "depends": ["libc6 (>= {major}.{minor})"]}},
            "rpm": {{"files": {{{files}}}, "depends": ["libc.so.6(GLIBC_{major}.{minor})(64bit)"]}}
        }}}}}}"#
    ))
}

/// The one file with an ending in a folder.
fn only(folder: &Path, ending: &str) -> Result<PathBuf> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("failed to list {}", folder.display()))?;
    let mut paths = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<_>>>()?;
    paths.retain(|path| path.extension().is_some_and(|found| found == ending));
    match paths.as_slice() {
        [path] => Ok(path.clone()),
        _ => bail!(
            "the bundler left {} packages in {}",
            paths.len(),
            folder.display()
        ),
    }
}
