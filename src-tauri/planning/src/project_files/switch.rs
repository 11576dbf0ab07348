//! Switches plan files of a project on and off.

use std::path::Path;

use super::{location, sync};
use crate::projects::{self, ProjectFilesSwitch};
use crate::{Context, PlanningError, RefusalReason};

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
    let mut switches = projects::all(&context.store)?;
    let before = switches.len();
    switches.retain(|other| other.directory != directory);
    let was_on = switches.len() < before;
    switches.extend(switch.cloned());
    switches.sort_by(|one, other| one.directory.cmp(&other.directory));
    projects::store_all(&context.store, &switches)?;
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
