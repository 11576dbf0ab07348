//! How the repository stands in which a plan works.

use std::path::Path;

use baton_engine::{BlockedFilter, CheckpointError, WorkTree, WorkTreeState};
use baton_model::Plan;

use crate::Context;
use crate::check::{Check, CheckVerdict};

/// How many files are named.
const NAMED: usize = 3;

/// Tells what a person may want to put right before a run, where the directory is a git work tree.
pub(super) fn check(context: &Context, plan: &Plan, checks: &mut Vec<Check>) {
    let Some(directory) = plan
        .cwd
        .as_deref()
        .map(Path::new)
        .filter(|path| path.is_dir())
    else {
        return;
    };
    let tree = WorkTree::of(directory, context.store.data_dir());
    match tree.and_then(|tree| {
        tree.map(|tree| look(&tree, plan.has_worktrees()))
            .transpose()
    }) {
        Ok(found) => checks.extend(found.into_iter().flatten()),
        Err(error) => {
            let check = Check::new(
                CheckVerdict::Warning,
                format!("the repository could not be looked at: {error}"),
            );
            checks.push(check.mended_by("run `git status` in the directory to see what git says"));
        }
    }
}

fn look(tree: &WorkTree, has_worktrees: bool) -> Result<Vec<Check>, CheckpointError> {
    let mut checks = told(&tree.standing()?);
    checks.extend(tree.blocked_filter()?.map(|found| filtered(&found)));
    if has_worktrees && tree.is_partial_clone()? {
        let sentence = "the repository is a partial clone, and Baton fetches nothing: worktrees of files that are not here fail";
        let check = Check::new(CheckVerdict::Warning, sentence);
        checks.push(check.mended_by("run `git fetch --refetch --no-filter` in the directory"));
    }
    Ok(checks)
}

/// What does not work where a filter does not run.
fn filtered(BlockedFilter { filter, path }: &BlockedFilter) -> Check {
    let sentence = format!(
        "{path} goes through the filter {filter}, which only the repository's own configuration defines, and Baton runs no \
         program from there: checkpoints, worktrees and bringing work home are refused"
    );
    let mend =
        "if you trust the filter, define it in your own configuration with `git config --global`";
    Check::new(CheckVerdict::Warning, sentence).mended_by(mend)
}

fn told(standing: &WorkTreeState) -> Vec<Check> {
    let mut checks = Vec::new();
    let mut warn = |sentence: String, mend: String| {
        checks.push(Check::new(CheckVerdict::Warning, sentence).mended_by(mend));
    };
    if let Some(unfinished) = standing.unfinished {
        let mend = format!(
            "finish it first, or give it up with `{}`",
            unfinished.abort()
        );
        warn(
            format!("a {unfinished} is under way in the repository"),
            mend,
        );
    }
    if !standing.has_commit {
        let mend = "make a first commit: worktrees start from it";
        warn(
            "the repository has no commit yet".to_owned(),
            mend.to_owned(),
        );
    } else if !standing.uncommitted.is_empty() {
        let mend = "commit them first to tell your changes from those of the run";
        warn(uncommitted(&standing.uncommitted), mend.to_owned());
    }
    checks
}

fn uncommitted(files: &[String]) -> String {
    let what = if files.len() == 1 {
        "1 file is".to_owned()
    } else {
        format!("{} files are", files.len())
    };
    let more = if files.len() > NAMED { ", …" } else { "" };
    format!(
        "{what} not committed: {}{more}",
        files[..files.len().min(NAMED)].join(", ")
    )
}
