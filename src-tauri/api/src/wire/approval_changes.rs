//! What has changed since a plan was approved.

use baton_model::approval::FileChange;
use baton_model::project_changes::ProjectChanges;

use super::{ApprovalView, wire};

wire! {
    /// The latest approval of a plan, and what has changed since.
    pub struct ApprovalChangesView {
        /// The version that was approved last, which may be older than the present one; `None` if
        /// no person approved the plan.
        pub version: Option<u32>,
        /// The approval of that version; `None` for one from before approvals were stored.
        pub approval: Option<ApprovalView>,
        /// Files that the criteria run and that differ.
        pub criteria_files: Vec<FileChange>,
        /// What differs in the project; `None` if its state at the approval wasn't stored.
        pub project: Option<ProjectChanges>,
    }
}
