//! Where the work of a plan or a node is on this machine.

use std::path::{Path, PathBuf};

use baton_model::{Isolation, NodeId, Plan, PlanId, RunId};
use serde::{Deserialize, Serialize};

use crate::files::session_directory;
use crate::plan_versions::plan_version;
use crate::{Context, PlanningError, RefusalReason};

/// What a person works on beside Baton: in a terminal, an editor or a file manager.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case", tag = "kind", deny_unknown_fields)]
#[expect(missing_docs, reason = "the names say it")]
pub enum WorkPlace {
    /// The directory of a plan.
    Plan { plan: PlanId },
    /// The directory in which a node worked in a run: often a worktree.
    Node { run: RunId, node: NodeId },
}

/// A directory that exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkDirectory {
    /// The plan that it belongs to.
    pub plan: PlanId,
    /// An absolute path.
    pub directory: PathBuf,
}

/// Finds the directory of `place`. Nothing is created.
pub fn locate(context: &Context, place: WorkPlace) -> Result<WorkDirectory, PlanningError> {
    match place {
        WorkPlace::Plan { plan } => {
            let (_, content) = context.store.plans().current(plan)?;
            let directory = plan_directory(&content)?;
            Ok(WorkDirectory { plan, directory })
        }
        WorkPlace::Node { run, node } => {
            let row = context.store.runs().get(run)?;
            let content = plan_version(context, row.plan, row.version)?;
            let directory = node_directory(context, &content, run, node)?;
            Ok(WorkDirectory {
                plan: row.plan,
                directory,
            })
        }
    }
}

fn node_directory(
    context: &Context,
    plan: &Plan,
    run: RunId,
    node: NodeId,
) -> Result<PathBuf, PlanningError> {
    let state = context.store.node_states().get(run, node)?;
    if let Some(session) = state.and_then(|state| state.session) {
        return session_directory(context, session);
    }
    let found = plan
        .node(node)
        .ok_or_else(|| PlanningError::new(RefusalReason::NotFound, "the run has no such node"))?;
    if found.isolation_in(&plan.settings) == Isolation::Worktree {
        let message = format!("'{}' has no worktree yet", found.title);
        return Err(PlanningError::new(RefusalReason::Refused, message)
            .with_fix("run the node first, or open the blueprint's directory"));
    }
    plan_directory(plan)
}

fn plan_directory(plan: &Plan) -> Result<PathBuf, PlanningError> {
    let Some(directory) = plan.cwd.as_deref().map(Path::new) else {
        let message = "the blueprint has no working directory";
        return Err(PlanningError::new(RefusalReason::Refused, message)
            .with_fix("choose one in the blueprint's settings"));
    };
    if directory.is_absolute() && directory.is_dir() {
        return Ok(directory.to_owned());
    }
    let message = format!("the directory {} doesn't exist", directory.display());
    Err(PlanningError::new(RefusalReason::NotFound, message)
        .with_fix("create it, or choose another one in the blueprint's settings"))
}
