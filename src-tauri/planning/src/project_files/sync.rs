//! Brings a plan and its file together.

use std::path::{Path, PathBuf};

use baton_formats::project_file::{
    ARCHIVE, ARTIFACTS, Coverage, FileFacts, FileState, NextStep, file_stem, large_context,
    merge_edit, next_step, read_stamp, write,
};
use baton_model::{Node, NodeKind, Plan, PlanId};
use baton_store::{PlanRecord, StoreError};
use uuid::Uuid;

use super::last_run::last_run;
use super::{capture, location};
use crate::project_disk::{self, DiskError};
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

struct Task<'a> {
    context: &'a Context,
    switch: &'a ProjectFilesSwitch,
    record: PlanRecord,
    plan: Plan,
    cause: Cause,
}

impl Task<'_> {
    /// False if the file changed meanwhile.
    fn attempt(&self) -> Result<bool, PlanningError> {
        let path = location::path(self.switch, self.plan.id);
        let seen = project_disk::read(&path).map_err(unavailable)?;
        let file = match seen.as_deref() {
            None => FileState::Missing,
            Some(text) => match read_stamp(text) {
                Some(stamp) if stamp.plan == self.plan.id => FileState::Stamped(stamp),
                _ => FileState::Unknown,
            },
        };
        let coverage = self.coverage(file, seen.as_deref())?;
        let is_due = match (self.cause, file) {
            (Cause::Plan, _) => true,
            (Cause::Run, FileState::Stamped(stamp)) => {
                self.switch.run_line && stamp.version == self.record.version
            }
            (Cause::Run | Cause::File, _) => false,
        };
        match next_step(file, self.record.version, coverage, is_due) {
            NextStep::Nothing => Ok(true),
            NextStep::Write if self.record.archived_at.is_some() => {
                self.archive(&path, seen.is_some())
            }
            NextStep::Write => self.write(&path, seen.as_deref()),
            NextStep::Propose => {
                let text = seen.unwrap_or_default();
                let FileState::Stamped(stamp) = file else {
                    return Ok(true);
                };
                self.propose(&path, stamp.version, &text)
            }
            NextStep::Withdraw => {
                capture::withdraw(self.context, self.plan.id)?;
                Ok(false)
            }
        }
    }

    fn coverage(&self, file: FileState, text: Option<&str>) -> Result<Coverage, PlanningError> {
        let is_as_written = match file {
            FileState::Missing => true,
            FileState::Stamped(stamp) => stamp.is_untouched,
            FileState::Unknown => false,
        };
        if !is_as_written {
            return capture::coverage(self.context, self.plan.id, text);
        }
        let waits = capture::waiting(self.context, self.plan.id)?;
        Ok(waits.map_or(Coverage::None, |_| Coverage::Waiting))
    }

    fn write(&self, path: &Path, seen: Option<&str>) -> Result<bool, PlanningError> {
        if seen.is_none() && self.leave_archive(path)? {
            return Ok(false);
        }
        if let Some(json) = large_context(&self.plan) {
            self.write_context(&json)?;
        }
        let facts = self.facts()?;
        let text = write(&self.plan, self.record.version, &facts, self.switch.format);
        let is_same = seen.is_some_and(|seen| seen.replace("\r\n", "\n") == text);
        if is_same {
            return Ok(true);
        }
        project_disk::replace(path, &text, seen).map_err(unavailable)
    }

    fn facts(&self) -> Result<FileFacts, PlanningError> {
        let (plan, version) = (self.plan.id, self.record.version);
        let saved_at = self.context.store.plan_versions().saved_at(plan, version)?;
        Ok(FileFacts {
            created_at: Some(self.record.created_at),
            updated_at: Some(saved_at),
            last_run: last_run(self.context, self.switch, plan)?,
        })
    }

    /// Writes a context that is too large for the file beside it.
    fn write_context(&self, json: &str) -> Result<(), PlanningError> {
        let folder = self.folder(&Path::new(ARTIFACTS).join(file_stem(self.plan.id)))?;
        let path = folder.join("context.json");
        let seen = project_disk::read(&path).map_err(unavailable)?;
        if seen.as_deref() != Some(json) {
            project_disk::replace(&path, json, seen.as_deref()).map_err(unavailable)?;
        }
        Ok(())
    }

    /// A folder below that of the plan files, which must be the project's own.
    fn folder(&self, below: &Path) -> Result<PathBuf, PlanningError> {
        let project = Path::new(&self.switch.directory);
        location::require_own(project, below)?;
        Ok(location::folder(project).join(below))
    }

    fn archive(&self, path: &Path, is_there: bool) -> Result<bool, PlanningError> {
        if is_there {
            let folder = self.folder(Path::new(ARCHIVE))?;
            project_disk::move_into(path, &folder).map_err(unavailable)?;
        }
        Ok(true)
    }

    /// Moves the file of a plan back that was archived; false if there is none.
    fn leave_archive(&self, path: &Path) -> Result<bool, PlanningError> {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            return Ok(false);
        };
        let archived = self.folder(Path::new(ARCHIVE))?.join(name);
        if project_disk::read(&archived)
            .map_err(unavailable)?
            .is_none()
        {
            return Ok(false);
        }
        project_disk::move_into(&archived, folder).map_err(unavailable)?;
        Ok(true)
    }

    fn propose(&self, path: &Path, version: u32, text: &str) -> Result<bool, PlanningError> {
        let id = self.plan.id;
        let base = self.context.store.plan_versions().content(id, version)?;
        let name = path
            .file_name()
            .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let format = self.switch.format;
        let edit = merge_edit(text, format, &name, &base, &self.plan, &mut Uuid::now_v7);
        let edit = edit.map_err(|error| {
            let faults = error.to_string().lines().map(str::to_owned).collect();
            PlanningError::with_faults(RefusalReason::Invalid, "the file has faults", faults)
        })?;
        match edit {
            Some(edit) => {
                let version = self.record.version;
                capture::propose(self.context, self.switch, (id, version), text, edit)?;
            }
            None => {
                // The plan has all of it already.
                capture::withdraw(self.context, id)?;
                if self.cause == Cause::Plan {
                    return self.write(path, Some(text));
                }
            }
        }
        Ok(true)
    }
}

pub(super) fn unavailable(error: DiskError) -> PlanningError {
    PlanningError::new(RefusalReason::Unavailable, error.to_string())
}
