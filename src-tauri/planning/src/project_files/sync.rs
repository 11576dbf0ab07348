//! Brings a plan and its file together.

mod task;

use std::path::Path;

use baton_model::{Node, NodeKind, PlanId};
use baton_store::StoreError;

use self::task::Task;
use super::location;
use crate::project_disk::DiskError;
use crate::projects::{self, ProjectFilesSwitch};
use crate::{Context, PlanningError, RefusalReason};

/// How often a file is looked at again because somebody wrote it meanwhile.
const ATTEMPTS: usize = 3;

/// Why a plan and its file are brought together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// The plan was saved, or Baton starts to keep the file.
    Plan,
    /// A run of the plan changed.
    Run,
    /// The file changed.
    File,
}

/// Brings all plans of a project and their files together. Faults of single files are logged.
pub(super) fn project(context: &Context, switch: &ProjectFilesSwitch) -> Result<(), PlanningError> {
    let switches = projects::all(&context.store)?;
    for row in context.store.plans().list()?.rows {
        let project = projects::project_of(row.cwd.as_deref(), &switches);
        if project.is_some_and(|project| project.directory == switch.directory) {
            plan_logged(context, row.record.plan, Cause::Plan);
        }
    }
    Ok(())
}

/// Like [`plan`], with errors in the log: the file says later what is wrong with it.
pub(super) fn plan_logged(context: &Context, id: PlanId, cause: Cause) {
    if let Err(error) = plan(context, id, cause) {
        tracing::warn!(plan = %id, %error, "couldn't bring a plan and its file together");
    }
}

/// Brings one plan and its file together, if its project has files.
pub(super) fn plan(context: &Context, id: PlanId, cause: Cause) -> Result<(), PlanningError> {
    let switches = projects::all(&context.store)?;
    if switches.is_empty() {
        return Ok(());
    }
    let _lock = context.plan_files_lock()?;
    let (record, plan) = match context.store.plans().current(id) {
        Err(StoreError::NotFound { .. }) => return Ok(()),
        found => found?,
    };
    // A planner's sessions are runs of a plan that no list shows.
    let is_planner = |node: &Node| matches!(node.kind, NodeKind::Planning(_));
    let project = projects::project_of(plan.cwd.as_deref(), &switches);
    let Some(switch) = project.filter(|_| !plan.nodes.iter().any(is_planner)) else {
        return Ok(());
    };
    location::require_own_folder(Path::new(&switch.directory))?;
    let task = Task {
        context,
        switch,
        record,
        plan,
        cause,
    };
    for _ in 0..ATTEMPTS {
        if task.attempt()? {
            return Ok(());
        }
    }
    let message = format!("the file of plan {id} changes all the time");
    Err(PlanningError::new(RefusalReason::Busy, message))
}

pub(super) fn unavailable(error: DiskError) -> PlanningError {
    PlanningError::new(RefusalReason::Unavailable, error.to_string())
}
