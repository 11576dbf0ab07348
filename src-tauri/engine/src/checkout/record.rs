//! What Baton knows of a worktree without asking git: kept beside it, so that it can be listed when the plan is long gone.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use baton_model::run::Conflict;
use baton_model::{NodeId, PlanId, RunId, SessionId};
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use super::CheckoutError;
use super::merge::Stages;

/// What is known of a worktree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Record {
    /// The plan.
    pub(crate) plan: PlanId,
    /// Its title at that time.
    pub(crate) plan_title: String,
    /// The run.
    pub(crate) run: RunId,
    /// The node.
    pub(crate) node: NodeId,
    /// Its title at that time.
    pub(crate) title: String,
    /// The session that works in it, or worked in it last.
    pub(crate) session: SessionId,
    /// The root of the person's work tree.
    pub(crate) repository: PathBuf,
    /// The commit with which the node began.
    pub(crate) base: String,
    /// It was made whole.
    pub(crate) ready: bool,
    /// The conflict whose files stand in it.
    #[serde(default)]
    pub(crate) open: Option<OpenConflict>,
}

/// A conflict whose files stand in a worktree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OpenConflict {
    /// As a person is told of it.
    pub(crate) conflict: Conflict,
    /// What the sides have of each file.
    pub(crate) stages: Stages,
    /// The files with their markers.
    pub(crate) tree: String,
    /// The commits that are merged when it is solved.
    pub(crate) merges: Vec<String>,
}

impl Record {
    /// Reads the record in `file`; `None` when there is none, or none that can be understood.
    pub(crate) fn read(file: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(file).ok()?).ok()
    }

    /// Writes the record to `file`, all of it or nothing.
    pub(crate) fn write(&self, file: &Path) -> Result<(), CheckoutError> {
        let bytes = serde_json::to_vec_pretty(self)
            .map_err(|source| CheckoutError::Record { place: file.to_path_buf(), source })?;
        let folder = file.parent().unwrap_or(Path::new("."));
        let mut fresh = NamedTempFile::new_in(folder)?;
        fresh.write_all(&bytes)?;
        fresh.persist(file).map_err(io::Error::from)?;
        Ok(())
    }
}
