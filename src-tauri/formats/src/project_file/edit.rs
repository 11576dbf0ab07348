//! What an edit of a plan's file means for the plan.

use baton_model::plan_merge::{adopt_identifiers, merge_plans};
use baton_model::{MergeClash, Plan};
use uuid::Uuid;

use super::{FileFacts, ProjectFileFormat, shared_part, write};
use crate::plan_file::{PlanFileError, read_draft};

/// An edit of a file, merged with the plan as it is now.
#[derive(Debug, Clone, PartialEq)]
pub struct FileEdit {
    /// The plan with the edit. Where Baton's plan changed differently, it has what the file says.
    pub plan: Plan,
    /// What changed in both. `ours` is the file, `theirs` is the plan.
    pub clashes: Vec<MergeClash>,
}

/// Merges the file `text`, which began with version `base` of a plan, into `current`. `None` if the
/// file changes nothing. `file` is its name for messages, and `ids` identify what it adds.
pub fn merge_edit(
    text: &str,
    format: ProjectFileFormat,
    file: &str,
    base: &Plan,
    current: &Plan,
    ids: &mut dyn FnMut() -> Uuid,
) -> Result<Option<FileEdit>, PlanFileError> {
    let mut read = |text: &str| -> Result<Plan, PlanFileError> {
        Ok(read_draft(text, format.format(), file, ids)?.plan)
    };
    let edited = read(text)?;
    // What the file can't say is no edit, so the base is read from a file as well.
    let written = read(&write(base, 0, &FileFacts::default(), format))?;
    let base = shared_part(&adopt_identifiers(&written, base, base));
    let edited = shared_part(&adopt_identifiers(&edited, &base, current));
    if edited == base {
        return Ok(None);
    }
    // The file first: where both changed, a person decides on what the file says.
    let merge = merge_plans(&base, &edited, current);
    let changes = !current.differs_only_in_layout(&merge.plan);
    Ok(changes.then_some(FileEdit {
        plan: merge.plan,
        clashes: merge.clashes,
    }))
}
