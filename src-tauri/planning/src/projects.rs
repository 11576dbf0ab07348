//! The projects whose plans are kept as files. It is stored in Baton, never in the project: whoever
//! changes a repository must not switch it on.

use std::path::Path;

use baton_formats::project_file::ProjectFileFormat;
use baton_store::{Store, StoreError};
use serde::{Deserialize, Serialize};

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
pub(crate) fn all(store: &Store) -> Result<Vec<ProjectFilesSwitch>, StoreError> {
    Ok(store.settings().get(KEY)?.unwrap_or_default())
}

/// Replaces all projects.
pub(crate) fn store_all(store: &Store, projects: &[ProjectFilesSwitch]) -> Result<(), StoreError> {
    store.settings().set(KEY, &projects)
}

/// The innermost project that a plan with the directory `cwd` belongs to.
pub(crate) fn project_of<'s>(
    cwd: Option<&str>,
    switches: &'s [ProjectFilesSwitch],
) -> Option<&'s ProjectFilesSwitch> {
    let cwd = Path::new(cwd?);
    let cwd = cwd.canonicalize().unwrap_or_else(|_| cwd.to_path_buf());
    let above = switches
        .iter()
        .filter(|switch| cwd.starts_with(&switch.directory));
    above.max_by_key(|switch| switch.directory.len())
}
