//! A directory for benchmarks: on a disk and outside of git repositories, because Baton inspects
//! the repository that a node works in.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result};

use crate::process;
use crate::repo_paths::RepoPaths;

/// Unlike `/tmp`, usually not in memory, so that durable writes have their real cost.
const ON_DISK: &str = "/var/tmp";

/// A temporary directory, removed when dropped.
pub(crate) struct BenchDirectory {
    folder: PathBuf,
    runs: Cell<u32>,
}

impl BenchDirectory {
    pub(crate) fn create(name: &str) -> Result<Self> {
        let parent = if Path::new(ON_DISK).is_dir() {
            PathBuf::from(ON_DISK)
        } else {
            env::temp_dir()
        };
        let folder = parent.join(format!("baton-bench-{name}-{}", std::process::id()));
        fs::create_dir_all(folder.join("work"))
            .with_context(|| format!("couldn't create {}", folder.display()))?;
        Ok(Self {
            folder,
            runs: Cell::new(0),
        })
    }

    /// The directory with the plan, which is also the nodes' working directory.
    pub(crate) fn work(&self) -> PathBuf {
        self.folder.join("work")
    }

    /// Baton's data directory of the latest run, outside of the working directory.
    pub(crate) fn data(&self) -> PathBuf {
        self.folder.join(format!("data-{}", self.runs.get()))
    }

    /// Returns `baton run plan.yaml` with a new data directory and `at_once` parallel nodes.
    ///
    /// Old data directories stay until the end: ext4 keeps releasing deleted blocks for some
    /// seconds, which would slow down the next run.
    pub(crate) fn baton_run(&self, repo: &RepoPaths, at_once: usize) -> Result<Command> {
        self.runs.set(self.runs.get() + 1);
        let mut command = self.baton(repo, &["run", "plan.yaml", "--yes", "-j"]);
        command.arg(at_once.to_string());
        Ok(command)
    }

    /// Returns `baton` with the data directory of the latest run.
    pub(crate) fn baton(&self, repo: &RepoPaths, arguments: &[&str]) -> Command {
        let mut command = process::command(
            &self.work(),
            repo.programs_dir(true).join("baton"),
            arguments,
        );
        command.env("BATON_DATA_DIR", self.data());
        command
    }
}

impl Drop for BenchDirectory {
    fn drop(&mut self) {
        // Leftovers in a temporary directory do no harm.
        fs::remove_dir_all(&self.folder).ok();
    }
}
