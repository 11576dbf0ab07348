//! `cargo xtask package`: builds a deb and an rpm with the window and all programs.
//!
//! Tauri's bundler packs what cargo has built. The packages are then checked. Nothing is signed.

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

/// The window's program, which the bundler includes automatically.
const WINDOW: &str = "baton-desktop";
/// Further programs, installed next to the window's.
const SIBLING_PROGRAMS: [&str; 3] = ["baton", "baton-keeper", "baton-tool"];

/// The packages of a build.
#[derive(Debug)]
pub(crate) struct Packages {
    /// For Debian and its derivatives.
    pub(crate) deb: PathBuf,
    /// For Fedora and its derivatives.
    pub(crate) rpm: PathBuf,
}

pub(crate) fn package(arguments: &[&str]) -> Result<ExitCode> {
    let release = match arguments {
        [] => true,
        // Used by the tests, which have already built the debug programs.
        ["--debug"] => false,
        [other, ..] => {
            bail!("unknown option '{other}' for `package`. The only option is `--debug`")
        }
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

/// Packs the built programs and checks the packages.
pub(crate) fn make(repo: &RepoPaths, stages: &Stages, release: bool) -> Result<Packages> {
    if !cfg!(target_os = "linux") {
        bail!("packages can only be built on Linux. There are no installers for other systems yet");
    }
    let bundler = tools::tauri_cli(repo, stages)?;
    stages.begin("building the packages");
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
    // The bundler reads programs from the target directory, and writes packages below it.
    process::run(command.env("CARGO_TARGET_DIR", &folder))?;
    let bundles = programs.join("bundle");
    let made = Packages {
        deb: only(&bundles.join("deb"), "deb")?,
        rpm: only(&bundles.join("rpm"), "rpm")?,
    };
    stages.begin("checking the packages");
    contents::check(&made)?;
    Ok(made)
}

/// Copies the programs, stripped of debug information, to where the bundler expects them.
fn stage(repo: &RepoPaths, folder: &Path, release: bool) -> Result<PathBuf> {
    let staged = folder.join("release");
    if staged.exists() {
        fs::remove_dir_all(&staged)
            .with_context(|| format!("couldn't empty {}", staged.display()))?;
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

/// Returns the configuration that differs between builds: the programs' paths and the required C
/// library.
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

/// Returns the only file in `folder` with this extension.
fn only(folder: &Path, ending: &str) -> Result<PathBuf> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("couldn't list {}", folder.display()))?;
    let mut paths = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<_>>>()?;
    paths.retain(|path| path.extension().is_some_and(|found| found == ending));
    match paths.as_slice() {
        [path] => Ok(path.clone()),
        _ => bail!(
            "expected one package, but the bundler wrote {} to {}",
            paths.len(),
            folder.display()
        ),
    }
}
