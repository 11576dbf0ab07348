//! Approvals: what a person approves with a plan, and whether the approval still covers what would
//! run.

use baton_model::approval::{FileChange, FileChangeKind, file_changes};
use baton_model::{Plan, PlanId, ReviewState};
use baton_store::{Approval, PlanRecord, StoreError};

use crate::{Context, PlanningError, RefusalReason, project_state};

/// The maximum number of files that a message names.
const MAX_NAMED_FILES: usize = 3;

/// Whether a person has approved what would run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ApprovalStatus {
    /// Approved. Approvals without a recorded digest, from before format 9, count too.
    Approved,
    /// No person has approved this version.
    NotApproved,
    /// Approved, but files that its criteria run have changed since. If empty, the plan itself has
    /// changed.
    Outdated(Vec<FileChange>),
}

/// The approval of `plan` by the actor of `context`, with the state of its project.
pub fn create_approval(context: &Context, plan: &Plan) -> Result<Approval, PlanningError> {
    let content = content(plan)?;
    Ok(Approval {
        actor: context.actor(),
        at: context.now(),
        digest: content.digest,
        files: content.files,
        project: Some(project_state::current(context, plan)),
    })
}

/// The number of the newest approved version: the current one, or the last one before an edit. A
/// plan whose current version was rejected or canceled has none: a person decided against it.
pub(crate) fn newest_approved(
    context: &Context,
    plan: PlanId,
) -> Result<Option<u32>, PlanningError> {
    let record = match context.store.plans().record(plan) {
        Err(StoreError::NotFound { .. } | StoreError::PlanDeleted { .. }) => return Ok(None),
        record => record?,
    };
    let earlier = || {
        let approved = context.store.approvals().list(plan)?;
        let made_here = approved.into_iter().filter(|row| !row.is_history);
        let versions = made_here.map(|row| row.version);
        Ok(versions.filter(|version| *version < record.version).max())
    };
    match record.review {
        ReviewState::Approved => Ok(Some(record.version)),
        ReviewState::Draft | ReviewState::Proposed | ReviewState::NeedsReview => earlier(),
        ReviewState::Rejected | ReviewState::Cancelled => Ok(None),
    }
}

/// Whether the version in `record` with the content `plan` is approved in its current state.
pub fn approval_status(
    context: &Context,
    record: &PlanRecord,
    plan: &Plan,
) -> Result<ApprovalStatus, PlanningError> {
    if record.review != ReviewState::Approved {
        return Ok(ApprovalStatus::NotApproved);
    }
    let Some(approval) = context
        .store
        .approvals()
        .newest(record.plan, record.version)?
    else {
        return Ok(ApprovalStatus::Approved);
    };
    let now = content(plan)?;
    Ok(match now.digest == approval.digest {
        true => ApprovalStatus::Approved,
        false => ApprovalStatus::Outdated(file_changes(&approval.files, &now.files)),
    })
}

/// Refuses unless a person has approved what would run.
pub fn require(context: &Context, record: &PlanRecord, plan: &Plan) -> Result<(), PlanningError> {
    match approval_status(context, record, plan)? {
        ApprovalStatus::Approved => Ok(()),
        ApprovalStatus::NotApproved => {
            let message = format!("'{}' is not approved", plan.title);
            Err(PlanningError::new(RefusalReason::NotApproved, message)
                .with_fix("review and approve it first"))
        }
        ApprovalStatus::Outdated(changes) => {
            let faults = changes.iter().map(describe_change).collect();
            let lead = outdated_lead(&plan.title, &changes);
            Err(
                PlanningError::with_faults(RefusalReason::NotApproved, &lead, faults)
                    .with_fix("review the changes, then approve it again"),
            )
        }
    }
}

/// Returns why the approval of the plan `title` is outdated, without a fix.
pub fn describe_outdated(title: &str, changes: &[FileChange]) -> String {
    if changes.is_empty() {
        return outdated_lead(title, changes);
    }
    let named: Vec<String> = changes
        .iter()
        .take(MAX_NAMED_FILES)
        .map(describe_change)
        .collect();
    let more = changes.len().saturating_sub(MAX_NAMED_FILES);
    let more = if more > 0 {
        format!(", and {more} more")
    } else {
        String::new()
    };
    format!(
        "{}: {}{more}",
        outdated_lead(title, changes),
        named.join(", ")
    )
}

fn outdated_lead(title: &str, changes: &[FileChange]) -> String {
    if changes.is_empty() {
        return format!("'{title}' has changed since it was approved");
    }
    format!("files that the criteria of '{title}' run have changed since its approval")
}

fn describe_change(change: &FileChange) -> String {
    let path = &change.path;
    match change.kind {
        FileChangeKind::Changed => format!("{path} has changed"),
        FileChangeKind::New => format!("{path} is new"),
        FileChangeKind::Gone => format!("{path} was deleted"),
    }
}

pub(crate) fn content(plan: &Plan) -> Result<baton_engine::ApprovedContent, PlanningError> {
    baton_engine::approved_content(plan)
        .map_err(|error| PlanningError::new(RefusalReason::Internal, error.to_string()))
}
