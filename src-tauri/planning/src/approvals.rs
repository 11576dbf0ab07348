//! Approvals: what a person approves with a plan, and whether that still covers what would run.

use baton_model::approval::{FileChange, FileChangeKind, file_changes};
use baton_model::{Plan, ReviewState};
use baton_store::{Approval, PlanRecord};

use crate::{Context, PlanningError, Reason};

/// How many files a sentence names.
const NAMED: usize = 3;

/// Whether a person has approved what would run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// They have. So does an approval of which nothing was recorded, as before format 9.
    Holds,
    /// The version is not approved.
    Missing,
    /// It was, and files that its criteria run have changed since. Without any, the plan itself is not what was approved.
    Outdated(Vec<FileChange>),
}

/// The approval of `plan` by whoever calls.
pub fn of(context: &Context, plan: &Plan) -> Result<Approval, PlanningError> {
    let content = content(plan)?;
    Ok(Approval {
        actor: context.actor(),
        at: context.now(),
        digest: content.digest,
        files: content.files,
    })
}

/// Whether the version in `record`, whose content is `plan`, is approved as it is now.
pub fn standing(
    context: &Context,
    record: &PlanRecord,
    plan: &Plan,
) -> Result<Standing, PlanningError> {
    if record.review != ReviewState::Approved {
        return Ok(Standing::Missing);
    }
    let Some(approval) = context
        .store
        .approvals()
        .newest(record.plan, record.version)?
    else {
        return Ok(Standing::Holds);
    };
    let now = content(plan)?;
    Ok(match now.digest == approval.digest {
        true => Standing::Holds,
        false => Standing::Outdated(file_changes(&approval.files, &now.files)),
    })
}

/// Refuses unless a person has approved what would run.
pub fn require(context: &Context, record: &PlanRecord, plan: &Plan) -> Result<(), PlanningError> {
    match standing(context, record, plan)? {
        Standing::Holds => Ok(()),
        Standing::Missing => {
            let message = format!("'{}' is not approved", plan.title);
            Err(PlanningError::new(Reason::NotApproved, message)
                .with_fix("look at it and approve it first"))
        }
        Standing::Outdated(changes) => {
            let faults = changes.iter().map(sentence).collect();
            let lead = outdated_lead(&plan.title, &changes);
            Err(PlanningError::of_faults(Reason::NotApproved, &lead, faults)
                .with_fix("look at what changed, then approve it again"))
        }
    }
}

/// What became of the approval of the plan called `title`, without what to do about it.
pub fn outdated(title: &str, changes: &[FileChange]) -> String {
    if changes.is_empty() {
        return outdated_lead(title, changes);
    }
    let named: Vec<String> = changes.iter().take(NAMED).map(sentence).collect();
    let more = changes.len().saturating_sub(NAMED);
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
        return format!("'{title}' is not what was approved");
    }
    format!("the approval of '{title}' does not cover files that its criteria run now")
}

fn sentence(change: &FileChange) -> String {
    let path = &change.path;
    match change.kind {
        FileChangeKind::Changed => format!("{path} has changed"),
        FileChangeKind::New => format!("{path} is new"),
        FileChangeKind::Gone => format!("{path} is gone"),
    }
}

fn content(plan: &Plan) -> Result<baton_engine::ApprovedContent, PlanningError> {
    baton_engine::approved_content(plan)
        .map_err(|error| PlanningError::new(Reason::Internal, error.to_string()))
}
