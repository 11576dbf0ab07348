//! One plan and its file: what is to be done, and doing it.

use std::path::{Path, PathBuf};

use baton_formats::project_file::{
    ARCHIVE, ARTIFACTS, Coverage, FileFacts, FileState, NextStep, file_stem, large_context,
    merge_edit, next_step, read_stamp, write,
};
use baton_model::Plan;
use baton_store::PlanRecord;
use uuid::Uuid;

use super::{Cause, unavailable};
use crate::project_disk;
use crate::project_files::last_run::last_run;
use crate::project_files::{capture, location};
use crate::projects::ProjectFilesSwitch;
use crate::{Context, PlanningError, RefusalReason};

/// A plan and its file that are brought together.
pub(super) struct Task<'a> {
    pub(super) context: &'a Context,
    pub(super) switch: &'a ProjectFilesSwitch,
    pub(super) record: PlanRecord,
    pub(super) plan: Plan,
    pub(super) cause: Cause,
}

impl Task<'_> {
    /// False if the file changed meanwhile.
    pub(super) fn attempt(&self) -> Result<bool, PlanningError> {
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
