//! In which projects plans are kept as files. It is stored in Baton, never in the project: whoever
//! changes a repository must not switch it on.

use std::path::Path;

use baton_formats::project_file::ProjectFileFormat;
use baton_store::{Store, StoreError};
use serde::{Deserialize, Serialize};

use super::{location, sync};
use crate::{Context, PlanningError, RefusalReason};

const KEY: &str = "projectFiles";

/// A project whose plans are kept as files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProjectFilesSwitch {
    /// The directory of the project, without links in it.
    pub directory: String,
    /// The syntax of new files.
    #[serde(default)]
    pub format: ProjectFileFormat,
    /// Whether a file has a line about the last run.
    #[serde(default)]
    pub run_line: bool,
}

/// All projects, by directory.
pub(super) fn all(store: &Store) -> Result<Vec<ProjectFilesSwitch>, StoreError> {
    Ok(store.settings().get(KEY)?.unwrap_or_default())
}

/// Keeps the plans of a project as files, and writes them. Only for people.
pub fn switch_on(context: &Context, switch: ProjectFilesSwitch) -> Result<(), PlanningError> {
    require_person(context)?;
    let directory = location::canonical(&switch.directory)?;
    location::require_own_folder(Path::new(&directory))?;
    let switch = ProjectFilesSwitch {
        directory,
        ..switch
    };
    change(context, &switch.directory, Some(&switch))?;
    sync::project(context, &switch)
}

/// Leaves the files of a project alone from now on; false if it was off. Only for people.
pub fn switch_off(context: &Context, directory: &str) -> Result<bool, PlanningError> {
    require_person(context)?;
    // The directory may be gone.
    let directory = location::canonical(directory).unwrap_or_else(|_| directory.to_owned());
    change(context, &directory, None)
}

/// Returns whether the project was on before.
fn change(
    context: &Context,
    directory: &str,
    switch: Option<&ProjectFilesSwitch>,
) -> Result<bool, PlanningError> {
    let _lock = context.interprocess_lock()?;
    let mut switches = all(&context.store)?;
    let before = switches.len();
    switches.retain(|other| other.directory != directory);
    let was_on = switches.len() < before;
    switches.extend(switch.cloned());
    switches.sort_by(|one, other| one.directory.cmp(&other.directory));
    context.store.settings().set(KEY, &switches)?;
    Ok(was_on)
}

fn require_person(context: &Context) -> Result<(), PlanningError> {
    match context.actor().is_person() {
        true => Ok(()),
        false => Err(PlanningError::new(
            RefusalReason::Refused,
            "only a person may switch plan files on or off",
        )
        .with_fix("ask a person to run `baton plan files`")),
    }
}
