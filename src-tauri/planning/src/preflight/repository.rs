//! The state of the git repository in which a plan works.

use std::path::Path;

use baton_engine::{BlockedFilter, CheckpointError, WorkTree, WorkTreeState};
use baton_model::Plan;

use crate::Context;
use crate::check::{Check, CheckVerdict};

/// The maximum number of named files.
const MAX_NAMED_FILES: usize = 3;

/// Warns of what a person may want to fix before a run, if the directory is in a git repository.
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
        tree.map(|tree| worktree_checks(&tree, plan.has_worktrees()))
            .transpose()
    }) {
        Ok(found) => checks.extend(found.into_iter().flatten()),
        Err(error) => {
            let check = Check::new(
                CheckVerdict::Warning,
                format!("couldn't check the repository: {error}"),
            );
            checks.push(check.with_fix("run `git status` in the directory for details"));
        }
    }
}

fn worktree_checks(tree: &WorkTree, has_worktrees: bool) -> Result<Vec<Check>, CheckpointError> {
    let mut checks = state_warnings(&tree.state()?);
    checks.extend(
        tree.blocked_filter()?
            .map(|found| blocked_filter_warning(&found)),
    );
    if has_worktrees && tree.is_partial_clone()? {
        let sentence = "the repository is a partial clone, and Baton doesn't fetch: worktrees fail for files that are not available locally";
        let check = Check::new(CheckVerdict::Warning, sentence);
        checks.push(check.with_fix("run `git fetch --refetch --no-filter` in the directory"));
    }
    Ok(checks)
}

/// What does not work because a filter is not run.
fn blocked_filter_warning(BlockedFilter { filter, path }: &BlockedFilter) -> Check {
    let sentence = format!(
        "{path} uses the filter {filter}, which only the repository's own configuration defines. Baton doesn't run \
         programs from there, so checkpoints, worktrees and merging back won't work"
    );
    let fix =
        "if you trust the filter, define it in your own configuration with `git config --global`";
    Check::new(CheckVerdict::Warning, sentence).with_fix(fix)
}

fn state_warnings(standing: &WorkTreeState) -> Vec<Check> {
    let mut checks = Vec::new();
    let mut warn = |sentence: String, fix: String| {
        checks.push(Check::new(CheckVerdict::Warning, sentence).with_fix(fix));
    };
    if let Some(unfinished) = standing.unfinished {
        let fix = format!("finish it first, or abort it with `{}`", unfinished.abort());
        warn(
            format!("a {unfinished} is in progress in the repository"),
            fix,
        );
    }
    if !standing.has_commit {
        let fix = "create an initial commit: worktrees are based on it";
        warn(
            "the repository has no commits yet".to_owned(),
            fix.to_owned(),
        );
    } else if !standing.uncommitted.is_empty() {
        let fix = "commit them first to keep your changes apart from those of the run";
        warn(uncommitted(&standing.uncommitted), fix.to_owned());
    }
    checks
}

fn uncommitted(files: &[String]) -> String {
    let what = if files.len() == 1 {
        "1 file has uncommitted changes".to_owned()
    } else {
        format!("{} files have uncommitted changes", files.len())
    };
    let named = files[..files.len().min(MAX_NAMED_FILES)].join(", ");
    match files.len().saturating_sub(MAX_NAMED_FILES) {
        0 => format!("{what}: {named}"),
        more => format!("{what}: {named} and {more} more"),
    }
}
