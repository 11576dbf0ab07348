//! Approvals: what a person approves with a plan, and whether that still covers what would run.

use baton_model::approval::{FileChange, FileChangeKind, file_changes};
use baton_model::{Plan, PlanId, ReviewState, Timestamp};
use baton_store::{Actor, Approval, ApprovalRow, PlanRecord, Way};

use crate::wire::ApprovalView;
use crate::{ApiError, App, Code};

/// How many files a sentence names.
const NAMED: usize = 3;

/// Whether a person has approved what would run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Standing {
    /// They have. So does an approval of which nothing was recorded, as before format 9.
    Holds,
    /// The version is not approved.
    Missing,
    /// It was, and files that its criteria run have changed since. Without any, the plan itself is not what was approved.
    Outdated(Vec<FileChange>),
}

/// The approval of `plan` by whoever calls.
pub(crate) fn of(app: &App, plan: &Plan) -> Result<Approval, ApiError> {
    let content = content(plan)?;
    Ok(Approval {
        actor: app.actor(),
        at: app.now(),
        digest: content.digest,
        files: content.files,
    })
}

/// Whether the version in `record`, whose content is `plan`, is approved as it is now.
pub(crate) fn standing(app: &App, record: &PlanRecord, plan: &Plan) -> Result<Standing, ApiError> {
    if record.review != ReviewState::Approved {
        return Ok(Standing::Missing);
    }
    let Some(approval) = app.store.approvals().newest(record.plan, record.version)? else {
        return Ok(Standing::Holds);
    };
    let now = content(plan)?;
    Ok(match now.digest == approval.digest {
        true => Standing::Holds,
        false => Standing::Outdated(file_changes(&approval.files, &now.files)),
    })
}

/// Refuses unless a person has approved what would run.
pub(crate) fn require(app: &App, record: &PlanRecord, plan: &Plan) -> Result<(), ApiError> {
    match standing(app, record, plan)? {
        Standing::Holds => Ok(()),
        Standing::Missing => {
            let message = format!("'{}' is not approved", plan.title);
            Err(ApiError::new(Code::NotApproved, message)
                .with_fix("look at it and approve it first"))
        }
        Standing::Outdated(changes) => {
            let faults = changes.iter().map(sentence).collect();
            let lead = outdated_lead(&plan.title, &changes);
            Err(ApiError::of_faults(Code::NotApproved, &lead, faults)
                .with_fix("look at what changed, then approve it again"))
        }
    }
}

/// What became of the approval of the plan called `title`, without what to do about it.
pub(crate) fn outdated(title: &str, changes: &[FileChange]) -> String {
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

/// The newest approval of a version.
pub(crate) fn view(
    app: &App,
    plan: PlanId,
    version: u32,
) -> Result<Option<ApprovalView>, ApiError> {
    let approval = app.store.approvals().newest(plan, version)?;
    Ok(approval.map(|approval| shown(version, &approval)))
}

/// The same of a list that begins with the newest.
pub(crate) fn newest(approvals: &[ApprovalRow], version: u32) -> Option<ApprovalView> {
    let found = approvals.iter().find(|row| row.version == version);
    found.map(|row| shown(version, &row.approval))
}

/// By whose approval a run of a version began at that time, for the run's history.
pub(crate) fn words_at(approvals: &[ApprovalRow], version: u32, at: Timestamp) -> Vec<String> {
    let found = approvals
        .iter()
        .find(|row| row.version == version && row.approval.at <= at);
    found
        .map(|row| {
            format!(
                "approved by {}, {}",
                actor(&row.approval.actor),
                coverage(&row.approval)
            )
        })
        .into_iter()
        .collect()
}

fn actor(actor: &Actor) -> String {
    match actor {
        Actor::Person(Way::Unrecorded) => "a person".to_owned(),
        Actor::Person(Way::Window) => "a person in the window".to_owned(),
        Actor::Person(Way::Browser) => "a person in a browser".to_owned(),
        Actor::Person(Way::Shell) => "a person in a shell".to_owned(),
        Actor::Baton => "Baton".to_owned(),
        Actor::Program(name) => format!("the program {name}"),
        Actor::Session(_) => "a session".to_owned(),
        Actor::Agent(name) => format!("the agent {name}"),
    }
}

fn coverage(approval: &Approval) -> String {
    match approval.files.len() {
        0 => "which covers the plan and its criteria".to_owned(),
        1 => format!(
            "which covers the plan, its criteria and {}",
            approval.files[0].path
        ),
        count => format!("which covers the plan, its criteria and {count} files"),
    }
}

fn shown(version: u32, approval: &Approval) -> ApprovalView {
    ApprovalView {
        version,
        actor: approval.actor.to_string(),
        at: approval.at,
        digest: approval.digest,
        files: approval
            .files
            .iter()
            .map(|file| file.path.clone())
            .collect(),
    }
}

fn content(plan: &Plan) -> Result<baton_engine::ApprovedContent, ApiError> {
    baton_engine::approved_content(plan)
        .map_err(|error| ApiError::new(Code::Internal, error.to_string()))
}

#[cfg(test)]
mod tests;
