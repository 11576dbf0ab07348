//! What Baton knows of a worktree without asking git: kept beside it, so that it can be listed when the plan is long gone.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use baton_model::run::Conflict;
use baton_model::{Node, NodeId, Plan, PlanId, RunId, SessionId};
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use super::CheckoutError;
use super::merge::Stages;
use crate::job::Job;

/// What is known of a worktree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WorktreeRecord {
    /// The plan.
    pub(crate) plan: PlanId,
    /// Its title at that time.
    pub(crate) plan_title: String,
    /// The run.
    pub(crate) run: RunId,
    /// The node; `None` when it holds the work of a run that is brought home.
    #[serde(default)]
    pub(crate) node: Option<NodeId>,
    /// Its title at that time.
    pub(crate) title: String,
    /// The session that works in it, or worked in it last; an id of its own for what is brought home.
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
    /// What was to be brought home when the conflict was found, and where to.
    #[serde(default)]
    pub(super) home: Option<MergeBackTarget>,
}

/// What is brought home, and where to.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MergeBackTarget {
    /// The nodes; `None`: all.
    pub(super) nodes: Option<BTreeSet<NodeId>>,
    /// A new branch instead of the directory.
    pub(super) branch: Option<String>,
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

/// For whom a worktree is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Owner {
    plan: PlanId,
    plan_title: String,
    run: RunId,
    /// The node; `None` for the work of a run that is brought home.
    pub(super) node: Option<NodeId>,
    title: String,
    pub(super) session: SessionId,
    home: Option<MergeBackTarget>,
}

impl Owner {
    /// The attempt `job` of `node`.
    pub(super) fn attempt(job: &Job, node: &Node) -> Self {
        Self::new(&job.run.plan, job.run.run, Some(node), job.session)
    }

    /// Whoever brings the work of a run home, in an act called `act`.
    pub(super) fn merge_back(
        plan: &Plan,
        run: RunId,
        act: SessionId,
        home: MergeBackTarget,
    ) -> Self {
        Self {
            home: Some(home),
            ..Self::new(plan, run, None, act)
        }
    }

    fn new(plan: &Plan, run: RunId, node: Option<&Node>, session: SessionId) -> Self {
        Self {
            plan: plan.id,
            plan_title: plan.title.clone(),
            run,
            node: node.map(|node| node.id),
            title: node.map_or_else(
                || "Work on its way home".to_owned(),
                |node| node.title.clone(),
            ),
            session,
            home: None,
        }
    }
}

impl WorktreeRecord {
    /// The record of a worktree that is about to be made, in the repository at `root`, from the commit `base`.
    pub(super) fn new(owner: &Owner, root: &Path, base: &str) -> Self {
        let Owner {
            plan,
            plan_title,
            run,
            node,
            title,
            session,
            home,
        } = owner.clone();
        let (repository, base) = (root.to_path_buf(), base.to_owned());
        Self {
            plan,
            plan_title,
            run,
            node,
            title,
            session,
            repository,
            base,
            ready: false,
            open: None,
            home,
        }
    }

    /// Reads the record in `file`; `None` when there is none, or none that can be understood.
    pub(crate) fn read(file: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(file).ok()?).ok()
    }

    /// Writes the record to `file`, all of it or nothing.
    pub(crate) fn write(&self, file: &Path) -> Result<(), CheckoutError> {
        let bytes =
            serde_json::to_vec_pretty(self).map_err(|source| CheckoutError::WorktreeRecord {
                place: file.to_path_buf(),
                source,
            })?;
        let folder = file.parent().unwrap_or(Path::new("."));
        let mut fresh = NamedTempFile::new_in(folder)?;
        fresh.write_all(&bytes)?;
        fresh.persist(file).map_err(io::Error::from)?;
        Ok(())
    }
}
