//! Where the files of a project are, and which project a plan belongs to.

use std::path::{Path, PathBuf};

use baton_formats::project_file::{FOLDER, file_name};
use baton_model::PlanId;

use crate::project_disk;
use crate::projects::ProjectFilesSwitch;
use crate::{PlanningError, RefusalReason};

/// The directory without links in its path.
pub(super) fn canonical(directory: &str) -> Result<String, PlanningError> {
    let unusable = |reason: &str| {
        let message = format!("{directory} can't be used: {reason}");
        PlanningError::new(RefusalReason::BadInput, message)
            .with_fix("name an existing directory by its absolute path")
    };
    let path = Path::new(directory);
    if !path.is_absolute() {
        return Err(unusable("the path is not absolute"));
    }
    let path = path
        .canonicalize()
        .map_err(|error| unusable(&error.to_string()))?;
    match path.to_str() {
        Some(text) if path.is_dir() => Ok(text.to_owned()),
        Some(_) => Err(unusable("it is not a directory")),
        None => Err(unusable("its path is not UTF-8")),
    }
}

/// The folder of a project's plan files.
pub(super) fn folder(project: &Path) -> PathBuf {
    project.join(FOLDER)
}

/// Refuses a folder that is a link: a repository could make Baton write elsewhere.
pub(super) fn require_own_folder(project: &Path) -> Result<(), PlanningError> {
    require_own(project, Path::new(""))
}

/// The same for a folder below that of the plan files.
pub(super) fn require_own(project: &Path, below: &Path) -> Result<(), PlanningError> {
    let folder = Path::new(FOLDER).join(below);
    // Any file in it.
    match project_disk::has_own_folders(project, &folder.join("file")) {
        true => Ok(()),
        false => {
            let folder = project.join(folder);
            let message = format!("{} leads out of the project", folder.display());
            Err(PlanningError::new(RefusalReason::Refused, message)
                .with_fix("replace the link with a folder"))
        }
    }
}

/// The path of a plan's file.
pub(super) fn path(switch: &ProjectFilesSwitch, plan: PlanId) -> PathBuf {
    folder(Path::new(&switch.directory)).join(file_name(plan, switch.format))
}
