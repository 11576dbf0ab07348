//! Where things are: the checkout, the target directory, and what is kept in it between two starts.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The checkout and the target directory that this program was built into.
pub(crate) struct RepoPaths {
    /// The folder of the workspace's Cargo.toml.
    pub(crate) root: PathBuf,
    /// Cargo's target directory; follows `CARGO_TARGET_DIR` because it is read off this program's own path.
    pub(crate) target: PathBuf,
}

impl RepoPaths {
    pub(crate) fn find() -> Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .ancestors()
            .nth(2)
            .context("xtask has left the checkout")?;
        let program = env::current_exe().context("failed to find this program's own path")?;
        let target = program
            .ancestors()
            .nth(2)
            .context("this program is not in a target directory")?;
        Ok(Self {
            root: root.to_owned(),
            target: target.to_owned(),
        })
    }

    /// The user interface: the npm package whose `dist` the window and the server carry.
    pub(crate) fn ui_dir(&self) -> PathBuf {
        self.root.join("ui")
    }

    /// The journeys through a browser or the real window; `name` is `browser` or `desktop`.
    pub(crate) fn test_dir(&self, name: &str) -> PathBuf {
        self.root.join("tests").join(name)
    }

    /// Programs that only this checkout uses, each fetched once.
    pub(crate) fn tools_dir(&self) -> PathBuf {
        self.target.join("tools")
    }

    /// What this program remembers and measures; may be deleted at any time.
    pub(crate) fn xtask_dir(&self) -> PathBuf {
        self.target.join("xtask")
    }

    /// The folder with the built programs, which find each other side by side.
    pub(crate) fn programs_dir(&self, release: bool) -> PathBuf {
        self.target.join(if release { "release" } else { "debug" })
    }
}
