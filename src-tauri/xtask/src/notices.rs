//! The third-party notices. They are part of the built interface, so that every program and package
//! contains them.

use std::path::Path;

use anyhow::{Context, Result};

use crate::cargo::cargo;
use crate::process;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;
use crate::stamp::Stamp;

/// The path of the notices, relative to the interface's folder.
const FILE: &str = "dist/THIRD-PARTY-NOTICES.txt";
/// What the notices depend on besides the list of bundled packages.
const SOURCES: [&str; 3] = ["Cargo.lock", "Cargo.toml", "src-tauri/notices"];

/// Writes the notices if a dependency has changed. `bundled` is Vite's list of the interface's
/// packages.
pub(crate) fn write(repo: &RepoPaths, stages: &Stages, bundled: &Path) -> Result<()> {
    let file = repo.ui_dir().join(FILE);
    let sources = SOURCES
        .map(|source| repo.root.join(source))
        .into_iter()
        .chain([bundled.to_owned()]);
    let stamp = Stamp::read(&repo.xtask_dir(), "notices", &sources.collect::<Vec<_>>())?;
    if stamp.is_current() && file.is_file() {
        return Ok(());
    }
    stages.begin("writing the third-party notices");
    let (list, output) = (bundled.to_string_lossy(), file.to_string_lossy());
    let arguments = [
        "run",
        "--quiet",
        "--locked",
        "--package",
        "baton-notices",
        "--",
        &list,
        &output,
    ];
    process::run(&mut cargo(repo, &arguments)).context("couldn't write the third-party notices")?;
    stamp.store()
}
