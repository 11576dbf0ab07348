//! Baton's record of a worktree, stored beside it, so that it can be listed when the plan was
//! deleted long ago.

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

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WorktreeRecord {
    pub(crate) plan: PlanId,
    /// The plan's title at that time.
    pub(crate) plan_title: String,
    pub(crate) run: RunId,
    /// The node; `None` for a merge back of a run's work.
    #[serde(default)]
    pub(crate) node: Option<NodeId>,
    /// The node's title at that time.
    pub(crate) title: String,
    /// The session that works in it, or the last one that did; a new id for a merge back.
    pub(crate) session: SessionId,
    /// The root of the person's work tree.
    pub(crate) repository: PathBuf,
    /// The commit that the node started from.
    pub(crate) base: String,
    /// Whether it was created completely.
    pub(crate) ready: bool,
    /// The conflict whose files are in it.
    #[serde(default)]
    pub(crate) open: Option<OpenConflict>,
    /// The merge-back request that led to the conflict.
    #[serde(default)]
    pub(super) home: Option<MergeBackTarget>,
}

/// What to merge back, and where to.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MergeBackTarget {
    /// `None` for all nodes.
    pub(super) nodes: Option<BTreeSet<NodeId>>,
    /// A new branch instead of the directory.
    pub(super) branch: Option<String>,
}

/// A conflict whose files are in a worktree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OpenConflict {
    /// The conflict as a person sees it.
    pub(crate) conflict: Conflict,
    /// The versions of each conflicting file.
    pub(crate) stages: Stages,
    /// The files with their markers.
    pub(crate) tree: String,
    /// The commits that are merged once it is resolved.
    pub(crate) merges: Vec<String>,
}

/// The owner of a worktree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Owner {
    plan: PlanId,
    plan_title: String,
    run: RunId,
    /// The node; `None` for a merge back of a run's work.
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

    /// A merge back of the work of a run, with the id `act`.
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
            title: node.map_or_else(|| "Merge back".to_owned(), |node| node.title.clone()),
            session,
            home: None,
        }
    }
}

impl WorktreeRecord {
    /// The record of a worktree to be created in the repository at `root`, from the commit `base`.
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

    /// Reads the record in `file`; `None` if it is missing or invalid.
    pub(crate) fn read(file: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(file).ok()?).ok()
    }

    /// Writes the record to `file` atomically.
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
