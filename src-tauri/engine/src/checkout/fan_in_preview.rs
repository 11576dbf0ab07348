//! What a node would begin with: the merge of the work of its parents, seen in advance.

use std::path::Path;

use baton_model::{Isolation, NodeId, NodeState, Run};

use super::fan_in::{self, Work};
use super::node_worktree::NodeWorktree;
use super::{CheckoutError, FileDelta, PredictedConflict, Repository};
use crate::work_source::{WorkSource, sources_of};

/// What a node would begin with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FanInPreview {
    /// Whose work is merged, in the order of the merge; what is part of other work is not told again.
    pub sources: Vec<FanInSource>,
    /// What does not fit together.
    pub clashes: Vec<PredictedConflict>,
    /// The titles of parents that are not done yet: what they will leave is not known.
    pub missing: Vec<String>,
    /// The work comes into the plan's directory, not into a worktree.
    pub into_directory: bool,
}

/// One side of the merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FanInSource {
    /// Whose work it is: a node's title, or words for the plan's directory.
    pub title: String,
    /// What it changes, compared with what all sides have in common.
    pub files: Vec<FileDelta>,
}

/// Looks at what `node` would begin with, as far as its parents are done; `None` when nothing is merged for it. Touches no file and no
/// reference.
///
/// # Errors
///
/// When git does not do it.
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

/// The titles of the parents whose work may still change what is merged.
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
    /// The commit that all works have grown out of; `None` when they have nothing in common.
    fn common(&self, works: &[Work]) -> Result<Option<String>, CheckoutError> {
        let commits: Vec<&str> = works.iter().map(|work| work.commit.as_str()).collect();
        let (found, told) = self
            .git()
            .run_predicate(&[&["merge-base", "--octopus"], &commits[..]].concat())?;
        Ok(found.then(|| crate::git_checkpoint::line(&told)))
    }
}
