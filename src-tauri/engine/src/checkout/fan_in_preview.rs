//! A preview of what a node would start from: the merge of its parents' work.

use std::path::Path;

use baton_model::{Isolation, NodeId, NodeState, Run};

use super::fan_in::{self, Work};
use super::node_worktree::NodeWorktree;
use super::{CheckoutError, FileDelta, PredictedConflict, Repository};
use crate::work_source::{WorkSource, sources_of};

/// A preview of what a node would start from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FanInPreview {
    /// The merged work in order, without work contained in other work.
    pub sources: Vec<FanInSource>,
    /// The conflicts that the merge would have.
    pub clashes: Vec<PredictedConflict>,
    /// The titles of unfinished parents, whose work is not known yet.
    pub missing: Vec<String>,
    /// The work is merged into the plan's directory, not into a worktree.
    pub into_directory: bool,
}

/// One side of the merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FanInSource {
    /// The title of a node, or a description of the plan's directory.
    pub title: String,
    /// Its changes compared with the common ancestor of all sides.
    pub files: Vec<FileDelta>,
}

/// Previews what `node` would start from, given its finished parents; `None` when nothing is merged
/// for it. Touches no file and no reference.
///
/// # Errors
///
/// When git fails.
pub fn preview_fan_in(
    run: &Run,
    data_directory: &Path,
    node: NodeId,
) -> Result<Option<FanInPreview>, CheckoutError> {
    let plan = run.plan();
    let found = plan.node(node).zip(plan.cwd.as_deref());
    let Some((definition, directory)) = found.filter(|_| plan.has_worktrees()) else {
        return Ok(None);
    };
    let sources = sources_of(run, node);
    let receives = sources
        .iter()
        .any(|source| matches!(source, WorkSource::Session { .. }));
    let Some(repository) =
        Repository::of(Path::new(directory), data_directory, run.id())?.filter(|_| receives)
    else {
        return Ok(None);
    };
    let sees_directory = sources.contains(&WorkSource::Directory);
    let here = if sees_directory {
        repository.directory_commit_read_only()?
    } else {
        String::new()
    };
    let place = NodeWorktree::of(data_directory, run.id(), definition);
    let works = fan_in::sources_read_only((plan, &sources), &repository, &place, &here)?;
    let (_, clashes) = fan_in::predict_merge(&repository, Some(node), &works)?;
    Ok(Some(FanInPreview {
        sources: sides(&repository, &works)?,
        clashes,
        missing: missing(run, node),
        into_directory: definition.isolation_in(&plan.settings) == Isolation::Shared,
    }))
}

fn sides(repository: &Repository, works: &[Work]) -> Result<Vec<FanInSource>, CheckoutError> {
    let common = match works {
        [only] => repository.parents_of(&only.commit)?.into_iter().next(),
        several => repository.common(several)?,
    };
    let side = |work: &Work| {
        let files = common.as_ref().map_or(Ok(Vec::new()), |common| {
            repository.differences(common, &work.commit)
        })?;
        Ok(FanInSource {
            title: work.title.clone(),
            files,
        })
    };
    works.iter().map(side).collect()
}

/// The titles of the parents whose work may still change the merge.
fn missing(run: &Run, node: NodeId) -> Vec<String> {
    let Some(number) = run.graph().number(node) else {
        return Vec::new();
    };
    let open = |id: NodeId| {
        let state = &run.node(id)?.state;
        let settled = matches!(state, NodeState::Done { .. } | NodeState::Skipped { .. });
        run.plan()
            .node(id)
            .filter(|_| !settled)
            .map(|node| node.title.clone())
    };
    run.graph()
        .parents(number)
        .filter_map(|parent| open(run.graph().id(parent)))
        .collect()
}

impl Repository {
    /// The common ancestor of all works; `None` when they have none.
    fn common(&self, works: &[Work]) -> Result<Option<String>, CheckoutError> {
        let commits: Vec<&str> = works.iter().map(|work| work.commit.as_str()).collect();
        let (found, output) = self
            .git()
            .run_predicate(&[&["merge-base", "--octopus"], &commits[..]].concat())?;
        Ok(found.then(|| crate::git_checkpoint::line(&output)))
    }
}
