//! The variables that tell the processes of a session which attempt they belong to.

use std::path::Path;

use crate::job::Job;
use crate::session_folder::{OUTPUT_FILE, SUMMARY_FILE, data_directory_of};

/// The variables of the attempt whose session is in `folder`.
pub(super) fn attempt_variables(job: &Job, folder: &Path) -> [(String, String); 7] {
    let file = |name: &str| folder.join(name).display().to_string();
    [
        // So that `baton` in the session is the Baton that runs it.
        (
            "BATON_DATA_DIR",
            data_directory_of(folder).display().to_string(),
        ),
        ("BATON_PLAN_ID", job.run.plan.id.to_string()),
        ("BATON_RUN_ID", job.run.run.to_string()),
        ("BATON_NODE_ID", job.node.to_string()),
        ("BATON_ATTEMPT", job.attempt.to_string()),
        ("BATON_OUTPUT", file(OUTPUT_FILE)),
        ("BATON_SUMMARY", file(SUMMARY_FILE)),
    ]
    .map(|(name, value)| (name.to_owned(), value))
}
