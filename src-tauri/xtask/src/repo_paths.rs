//! Paths of the checkout, the target directory, and what is stored in it.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The paths of the checkout that this program was built from.
pub(crate) struct RepoPaths {
    /// The folder of the workspace's Cargo.toml.
    pub(crate) root: PathBuf,
    /// Cargo's target directory, derived from this program's own path, so that it respects
    /// `CARGO_TARGET_DIR`.
    pub(crate) target: PathBuf,
}

impl RepoPaths {
    pub(crate) fn find() -> Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .ancestors()
            .nth(2)
            .context("xtask isn't in a checkout")?;
        let program = env::current_exe().context("couldn't determine this program's path")?;
        let target = program
            .ancestors()
            .nth(2)
            .context("this program isn't in a target directory")?;
        Ok(Self {
            root: root.to_owned(),
            target: target.to_owned(),
        })
    }

    /// The interface: an npm package whose `dist` is embedded in the window and the server.
    pub(crate) fn ui_dir(&self) -> PathBuf {
        self.root.join("ui")
    }

    /// The folder of end-to-end tests. `name` is `browser` or `desktop`.
    pub(crate) fn test_dir(&self, name: &str) -> PathBuf {
        self.root.join("tests").join(name)
    }

    /// Downloaded tools that only this checkout uses.
    pub(crate) fn tools_dir(&self) -> PathBuf {
        self.target.join("tools")
    }

    /// Caches and measurements, which may be deleted at any time.
    pub(crate) fn xtask_dir(&self) -> PathBuf {
        self.target.join("xtask")
    }

    /// The folder of the built programs.
    pub(crate) fn programs_dir(&self, release: bool) -> PathBuf {
        self.target.join(if release { "release" } else { "debug" })
    }
}
