//! A folder to measure in: on a disk, and in no git repository, as Baton looks at the repository a node works in.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result};

use crate::process;
use crate::repo_paths::RepoPaths;

/// Where the temporary files live that survive a reboot, so not in memory: writing durably must cost what it costs.
const ON_DISK: &str = "/var/tmp";

/// A folder of our own; removed with all it holds.
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
            .with_context(|| format!("failed to make {}", folder.display()))?;
        Ok(Self {
            folder,
            runs: Cell::new(0),
        })
    }

    /// Where the plan is and its nodes work.
    pub(crate) fn work(&self) -> PathBuf {
        self.folder.join("work")
    }

    /// Baton's data directory in the latest run, beside the work.
    pub(crate) fn data(&self) -> PathBuf {
        self.folder.join(format!("data-{}", self.runs.get()))
    }

    /// `baton run plan.yaml` with a new data directory and so many nodes at once.
    ///
    /// The old ones stay until the end: ext4 does not give away for some seconds what was just deleted, so the next
    /// run would pay for the tidying up after the last.
    pub(crate) fn baton_run(&self, repo: &RepoPaths, at_once: usize) -> Result<Command> {
        self.runs.set(self.runs.get() + 1);
        let mut command = self.baton(repo, &["run", "plan.yaml", "--yes", "-j"]);
        command.arg(at_once.to_string());
        Ok(command)
    }

    /// `baton` with the data directory of the latest run.
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
        // What cannot be removed is in a folder for temporary files, where it does no harm.
        fs::remove_dir_all(&self.folder).ok();
    }
}
