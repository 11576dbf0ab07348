//! The third-party notices, which lie in the built interface, so that every program and package carries them.

use std::path::Path;

use anyhow::{Context, Result};

use crate::cargo::cargo;
use crate::process;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;
use crate::stamp::Stamp;

/// Where they are, in the folder of the interface.
const FILE: &str = "dist/THIRD-PARTY-NOTICES.txt";
/// What they are made from beside the list of bundled packages, in the checkout.
const SOURCES: [&str; 3] = ["Cargo.lock", "Cargo.toml", "src-tauri/notices"];

/// Writes them again where a dependency changed; `bundled` is Vite's list of what the interface contains.
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
    process::run(&mut cargo(repo, &arguments))
        .context("the third-party notices could not be written")?;
    stamp.store()
}
