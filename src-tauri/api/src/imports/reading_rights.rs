//! Who may make Baton read files of this machine for an import.
//!
//! An import shows what it read, and a caller may be elsewhere or confined to some folders. So
//! programs and agents send the texts of their files, and only a person names files to be read.

use baton_store::Actor;

use crate::wire::PlanImport;
use crate::{ApiError, App, Code};

/// Refuses a folder that Baton would have to read, unless a person wants it.
pub(super) fn require(app: &App, input: &PlanImport) -> Result<(), ApiError> {
    match input.folder && input.files.is_empty() && !may_read_files(app) {
        true => Err(refusal(&format!("the folder {}", input.file_name))),
        false => Ok(()),
    }
}

/// Whether Baton reads files that the caller names.
pub(super) fn may_read_files(app: &App) -> bool {
    matches!(app.actor(), Actor::Person(_) | Actor::Baton)
}

pub(super) fn refusal(what: &str) -> ApiError {
    let message = format!("{what} can only be read for a person");
    ApiError::new(Code::Forbidden, message).with_fix("send the texts of the files instead")
}
