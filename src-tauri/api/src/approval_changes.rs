//! What has changed since a plan was approved, as an operation.

use baton_planning::approval_changes::since_approval;

use crate::wire::*;
use crate::{ApiError, App, approvals};

/// Compares the plan's project with its state at the latest approval. Takes a moment, because git
/// and agents are asked.
pub(crate) fn get(app: &App, input: PlanRef) -> Result<ApprovalChangesView, ApiError> {
    let found = since_approval(app.context(), input.plan)?;
    let approval = found.version.zip(found.approval.as_ref());
    Ok(ApprovalChangesView {
        version: found.version,
        approval: approval.map(|(version, approval)| approvals::approval_view(version, approval)),
        criteria_files: found.criteria_files,
        project: found.project,
    })
}
