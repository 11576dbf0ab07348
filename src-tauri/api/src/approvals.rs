//! Approvals as shown to people.

use baton_model::{PlanId, Timestamp};
use baton_store::{Actor, ActorChannel, Approval, ApprovalRow};

use crate::wire::ApprovalView;
use crate::{ApiError, App};

/// The latest approval of a version.
pub(crate) fn view(
    app: &App,
    plan: PlanId,
    version: u32,
) -> Result<Option<ApprovalView>, ApiError> {
    let approval = app.store.approvals().newest(plan, version)?;
    Ok(approval.map(|approval| approval_view(version, &approval)))
}

/// The first approval in a list that is sorted newest first.
pub(crate) fn newest(approvals: &[ApprovalRow], version: u32) -> Option<ApprovalView> {
    let found = approvals.iter().find(|row| row.version == version);
    found.map(|row| approval_view(version, &row.approval))
}

/// Whose approval was in effect when a run of a version started, for the run's history.
pub(crate) fn describe_at(approvals: &[ApprovalRow], version: u32, at: Timestamp) -> Vec<String> {
    let found = approvals
        .iter()
        .find(|row| row.version == version && row.approval.at <= at);
    found
        .map(|row| {
            format!(
                "approved by {}, {}",
                describe_actor(&row.approval.actor),
                describe_coverage(&row.approval)
            )
        })
        .into_iter()
        .collect()
}

pub(crate) fn describe_actor(actor: &Actor) -> String {
    match actor {
        Actor::Person(ActorChannel::Unrecorded) => "a person".to_owned(),
        Actor::Person(ActorChannel::Window) => "a person in the window".to_owned(),
        Actor::Person(ActorChannel::Browser) => "a person in a browser".to_owned(),
        Actor::Person(ActorChannel::Shell) => "a person in a shell".to_owned(),
        Actor::Baton => "Baton".to_owned(),
        Actor::Program(name) => format!("the program {name}"),
        Actor::Session(_) => "a session".to_owned(),
        Actor::Agent(name) => format!("the agent {name}"),
    }
}

fn describe_coverage(approval: &Approval) -> String {
    match approval.files.len() {
        0 => "which covers the plan and its criteria".to_owned(),
        1 => format!(
            "which covers the plan, its criteria and {}",
            approval.files[0].path
        ),
        count => format!("which covers the plan, its criteria and {count} files"),
    }
}

pub(crate) fn approval_view(version: u32, approval: &Approval) -> ApprovalView {
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

#[cfg(test)]
mod tests;
