//! The npm packages of the checkout and the built interface.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::notices;
use crate::process;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;
use crate::stamp::Stamp;

/// What the interface is built from, inside its folder.
const SOURCES: [&str; 6] = [
    "src",
    "public",
    "index.html",
    "package-lock.json",
    "tsconfig.json",
    "vite.config.ts",
];

/// The oldest Node that the interface's tools accept, as in ui/package.json.
const OLDEST_NODE: (u32, u32) = (20, 19);

const NODE_INSTALL_HINT: &str =
    "Install Node.js 20.19 or newer with npm (https://nodejs.org) and start this again.";

/// `npm` with arguments, in `folder`.
pub(crate) fn npm(folder: &Path, arguments: &[&str]) -> Command {
    process::command(
        folder,
        if cfg!(windows) { "npm.cmd" } else { "npm" },
        arguments,
    )
}

/// Brings the packages of `folder` to what its lock file says.
pub(crate) fn install(repo: &RepoPaths, stages: &Stages, folder: &Path) -> Result<()> {
    check_node()?;
    let name = folder
        .file_name()
        .context("a package has a folder")?
        .to_string_lossy();
    let inputs = [folder.join("package-lock.json")];
    let stamp = Stamp::read(&repo.xtask_dir(), &format!("npm-{name}"), &inputs)?;
    if stamp.is_current() && folder.join("node_modules").is_dir() {
        return Ok(());
    }
    stages.begin(&format!("installing the npm packages of {name}"));
    let mut command = npm(folder, &["ci", "--no-audit", "--no-fund"]);
    process::run(&mut command)
        .context("the npm packages could not be had; look at the network and start this again")?;
    stamp.store()
}

/// Builds `ui/dist`, which the window and the server carry inside them, with the third-party notices in it.
pub(crate) fn build_interface(repo: &RepoPaths, stages: &Stages) -> Result<()> {
    let folder = repo.ui_dir();
    install(repo, stages, &folder)?;
    let stamp = Stamp::read(
        &repo.xtask_dir(),
        "interface",
        &SOURCES.map(|source| folder.join(source)),
    )?;
    let bundled = repo.xtask_dir().join("bundled-licenses.json");
    if !(stamp.is_current() && folder.join("dist/index.html").is_file() && bundled.is_file()) {
        stages.begin("building the interface");
        process::run(&mut npm(
            &folder,
            &["run", "--silent", "build", "--", "--logLevel", "warn"],
        ))?;
        // Not part of the interface: everything in `dist` becomes part of the programs.
        fs::create_dir_all(repo.xtask_dir())?;
        let listed = folder.join("dist/bundled-licenses.json");
        fs::copy(&listed, &bundled)
            .context("the built interface has no list of what it contains")?;
        fs::remove_file(&listed)?;
        stamp.store()?;
    }
    notices::write(repo, stages, &bundled)
}

/// Installs one exact package under `folder`, apart from the checkout's own packages.
pub(crate) fn install_tool(folder: &Path, package: &str) -> Result<()> {
    check_node()?;
    fs::create_dir_all(folder)?;
    let prefix = folder.to_string_lossy();
    let arguments = [
        "install",
        "--no-audit",
        "--no-fund",
        "--prefix",
        &prefix,
        package,
    ];
    process::run(&mut npm(folder, &arguments))
        .with_context(|| format!("{package} could not be had from npm"))
}

fn check_node() -> Result<()> {
    let Some(node) = process::find(&["node", "node.exe"]) else {
        bail!(
            "Node.js is not on the search path, and the interface is built with it. {NODE_INSTALL_HINT}"
        );
    };
    let version = process::read(&mut process::command(Path::new("."), node, &["--version"]))?;
    if node_version(&version).is_none_or(|found| found < OLDEST_NODE) {
        bail!(
            "Node.js is {}, too old to build the interface. {NODE_INSTALL_HINT}",
            version.trim()
        );
    }
    if process::find(&["npm", "npm.cmd"]).is_none() {
        bail!(
            "npm is not on the search path, and the interface's packages come with it. {NODE_INSTALL_HINT}"
        );
    }
    Ok(())
}

/// Major and minor of what `node --version` prints.
fn node_version(printed: &str) -> Option<(u32, u32)> {
    let mut numbers = printed.trim().strip_prefix('v')?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_as_numbers() {
        assert_eq!(node_version("v20.19.2\n"), Some((20, 19)));
        assert!(
            node_version("v20.9.0") < Some(OLDEST_NODE),
            "9 is less than 19"
        );
        assert_eq!(node_version("20.19.2"), None);
        assert_eq!(node_version("v22.0.0-nightly"), Some((22, 0)));
    }
}
