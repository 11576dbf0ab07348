//! Plans as files in a project, for projects in which a person switched it on.
//!
//! Baton writes a plan's file after each saved version. What others write into it becomes a
//! proposal. `baton_formats::project_file` decides, and this module reads and writes; everything is
//! decided from the file and the store as they are, so it does not matter which process does it,
//! how often, or what was missed while none was running.
//!
//! Only the folder in the project's own directory is watched, so copies in worktrees are not.

mod capture;
mod file_state;
mod last_run;
mod location;
mod state;
mod switch;
mod sync;
mod wake;
mod watched_folders;
mod watcher;

pub use file_state::{ProjectFileState, ProjectFileView};
pub use state::{ProjectFilesView, list};
pub use switch::{switch_off, switch_on};

pub use crate::projects::ProjectFilesSwitch;
pub use watcher::follow;
