//! Snapshots of files that belong to runs: references below `refs/baton/runs/` in the repositories
//! in which the runs worked.

use std::collections::BTreeSet;
use std::path::PathBuf;

use baton_engine::WorkTree;
use baton_store::RunRow;

use crate::Context;
use crate::plan_versions::plan_version;

/// Runs to be deleted, with the directories in which they worked. Read before the deletion, because
/// the plans may be gone after it.
#[derive(Debug)]
pub struct RunSnapshots {
    runs: Vec<RunRow>,
    directories: BTreeSet<PathBuf>,
}

impl RunSnapshots {
    /// The snapshots of `runs`. If a plan version can't be read, only its snapshots stay.
    pub fn of(context: &Context, runs: Vec<RunRow>) -> Self {
        let versions: BTreeSet<_> = runs.iter().map(|run| (run.plan, run.version)).collect();
        let plans = versions
            .into_iter()
            .filter_map(|(plan, version)| plan_version(context, plan, version).ok());
        let directories = plans
            .filter_map(|plan| plan.cwd.as_deref().map(PathBuf::from))
            .collect();
        Self { runs, directories }
    }

    /// Removes the snapshots of those runs that `is_deleted` selects, from all repositories that
    /// still exist. Failures are only logged: leftover snapshots take up space but do no harm.
    pub fn remove(&self, context: &Context, is_deleted: impl Fn(&RunRow) -> bool) {
        let runs = self.runs.iter().filter(|run| is_deleted(run));
        let runs: BTreeSet<String> = runs.map(|run| run.id.to_string()).collect();
        if runs.is_empty() {
            return;
        }
        let is_theirs = |name: &str| {
            let run = name
                .strip_prefix("runs/")
                .and_then(|rest| rest.split_once('/'));
            run.is_some_and(|(run, _)| runs.contains(run))
        };
        for directory in self.directories.iter().filter(|path| path.is_dir()) {
            let pruned = WorkTree::of(directory, context.data_directory())
                .and_then(|tree| tree.map_or(Ok(0), |tree| tree.prune(|name| !is_theirs(name))));
            if let Err(error) = pruned {
                tracing::warn!(directory = %directory.display(), %error, "couldn't remove snapshots of deleted runs");
            }
        }
    }
}
