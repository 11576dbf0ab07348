//! Installs npm packages and builds the interface.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::notices;
use crate::process;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;
use crate::stamp::Stamp;

/// The sources of the interface, relative to its folder.
const SOURCES: [&str; 6] = [
    "src",
    "public",
    "index.html",
    "package-lock.json",
    "tsconfig.json",
    "vite.config.ts",
];

/// The oldest Node.js version that the interface's tools support, as in ui/package.json.
const OLDEST_NODE: (u32, u32) = (20, 19);

const NODE_INSTALL_HINT: &str =
    "Install Node.js 20.19 or newer with npm (https://nodejs.org), then try again.";

/// Returns `npm` with arguments, in `folder`.
pub(crate) fn npm(folder: &Path, arguments: &[&str]) -> Command {
    process::command(
        folder,
        if cfg!(windows) { "npm.cmd" } else { "npm" },
        arguments,
    )
}

/// Installs the packages of `folder` as locked, unless they are up to date.
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
        .context("couldn't install the npm packages. Check your network, then try again")?;
    stamp.store()
}

/// Builds `ui/dist`, which is embedded in the window and the server, with the third-party notices
/// in it.
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
        // Moved out of `dist`, because everything in `dist` is embedded in the programs.
        fs::create_dir_all(repo.xtask_dir())?;
        let listed = folder.join("dist/bundled-licenses.json");
        fs::copy(&listed, &bundled)
            .context("the build of the interface wrote no list of its packages")?;
        fs::remove_file(&listed)?;
        stamp.store()?;
    }
    notices::write(repo, stages, &bundled)
}

/// Installs an exact version of a package into `folder`, apart from the checkout's own packages.
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
        .with_context(|| format!("couldn't install {package} from npm"))
}

fn check_node() -> Result<()> {
    let Some(node) = process::find(&["node", "node.exe"]) else {
        bail!("Node.js is required to build the interface, but isn't in PATH. {NODE_INSTALL_HINT}");
    };
    let version = process::read(&mut process::command(Path::new("."), node, &["--version"]))?;
    if node_version(&version).is_none_or(|found| found < OLDEST_NODE) {
        bail!(
            "Node.js {} is too old to build the interface. {NODE_INSTALL_HINT}",
            version.trim()
        );
    }
    if process::find(&["npm", "npm.cmd"]).is_none() {
        bail!(
            "npm is required to install the interface's packages, but isn't in PATH. {NODE_INSTALL_HINT}"
        );
    }
    Ok(())
}

/// Parses major and minor version from the output of `node --version`.
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
