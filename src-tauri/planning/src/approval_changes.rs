//! What has changed since a person approved a plan.

use baton_model::PlanId;
use baton_model::approval::{FileChange, file_changes};
use baton_model::project_changes::ProjectChanges;
use baton_store::Approval;

use crate::{Context, PlanningError, approvals, project_state};

/// The latest approval of a plan, and what has changed since.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ApprovalChanges {
    /// The version that was approved last. It may be older than the present one.
    pub version: Option<u32>,
    /// The approval of that version; `None` if it wasn't stored.
    pub approval: Option<Approval>,
    /// Files that the criteria run and that differ.
    pub criteria_files: Vec<FileChange>,
    /// What differs in the project; `None` if its state at the approval wasn't stored.
    pub project: Option<ProjectChanges>,
}

/// Compares the present state with the one at the latest approval. Changes nothing.
pub fn since_approval(context: &Context, plan: PlanId) -> Result<ApprovalChanges, PlanningError> {
    let (record, plan) = context.store.plans().current(plan)?;
    let approvals = context.store.approvals();
    let approval = match record.approved_version {
        Some(version) => approvals.newest(plan.id, version)?,
        None => None,
    };
    let Some(approval) = approval else {
        return Ok(ApprovalChanges {
            version: record.approved_version,
            ..ApprovalChanges::default()
        });
    };
    let files = approvals::content(&plan)?.files;
    let then = approval.project.as_ref();
    Ok(ApprovalChanges {
        version: record.approved_version,
        criteria_files: file_changes(&approval.files, &files),
        project: then.map(|then| project_state::changes_since(context, &plan, then, &files)),
        approval: Some(approval),
    })
}
