//! Approval of a plan before it runs, and its pre-flight checks.

use baton_api::wire::*;
use baton_model::approval::{FileChange, FileChangeKind};
use baton_model::{PlanId, ReviewState};

use crate::client::Client;
use crate::failure::Failure;
use crate::style::{self, Tone};
use crate::time_format::date;
use crate::{plan_output, risks_and_context, table};

/// Ensures that the plan is approved as it is: approves it if `yes` is set, otherwise asks the
/// user.
pub(crate) fn ensure_approved(
    client: &Client<'_>,
    view: PlanView,
    found: &Preflight,
    yes: bool,
) -> Result<PlanView, Failure> {
    if !found.needs_approval {
        return Ok(view);
    }
    let title = style::one_line(&view.plan.title);
    if !yes {
        let (reason, question) = match view.review {
            ReviewState::Approved => (
                describe_changes_since_approval(&found.changed_since_approval),
                "Approve this plan again and run it?",
            ),
            _ => (
                "is not approved".to_owned(),
                "Approve this plan and run it?",
            ),
        };
        if !client.output.can_ask() {
            let message = format!(
                "the plan '{title}' {reason}. Review it with `baton plan show {}`, then rerun with --yes",
                view.plan.id
            );
            return Err(Failure::Usage(message));
        }
        show(client, &view)?;
        if !client.output.ask(question)? {
            return Err(Failure::Declined(format!(
                "the plan '{title}' was not approved"
            )));
        }
    }
    approve(client, &view, false)
}

/// Like [`ensure_approved`], for a plan whose pre-flight checks have not run yet.
pub(crate) fn ensure_approved_unseen(
    client: &Client<'_>,
    view: PlanView,
    yes: bool,
) -> Result<PlanView, Failure> {
    let found: Preflight = client.ask(
        "check the plan",
        "plan_preflight",
        &PlanRef { plan: view.plan.id },
    )?;
    if found.needs_approval {
        note_warnings(client, &found);
    }
    ensure_approved(client, view, &found, yes)
}

/// Completes "the plan …".
fn describe_changes_since_approval(changes: &[FileChange]) -> String {
    if changes.is_empty() {
        return "has changed since it was approved".to_owned();
    }
    let of = |change: &FileChange| {
        let path = style::one_line(&change.path);
        match change.kind {
            FileChangeKind::Changed => format!("{path} (changed)"),
            FileChangeKind::New => format!("{path} (new)"),
            FileChangeKind::Gone => format!("{path} (deleted)"),
        }
    };
    let files: Vec<String> = changes.iter().map(of).collect();
    format!(
        "has criteria that run files changed since its approval: {}",
        files.join(", ")
    )
}

/// Describes who approved the plan, when, and what the approval covers. `None` if it was never
/// approved.
pub(crate) fn approval_summary(view: &PlanView) -> Option<String> {
    let Some(approval) = &view.approval else {
        let version = view.approved_version?;
        return Some(format!(
            "version {version} was approved before Baton recorded approvals"
        ));
    };
    let (actor, at) = (style::one_line(&approval.actor), date(approval.at));
    let files: Vec<String> = approval
        .files
        .iter()
        .map(|file| style::one_line(file))
        .collect();
    let covered = match files.is_empty() {
        true => "the plan and its criteria".to_owned(),
        false => format!("the plan, its criteria, and {}", files.join(", ")),
    };
    let digest = approval.digest.to_string();
    Some(format!(
        "version {} approved by {actor}, {at}; covers {covered} ({})",
        approval.version,
        &digest[..12]
    ))
}

/// Approves the plan. A plan that can't run as it is needs `anyway`.
pub(crate) fn approve(
    client: &Client<'_>,
    view: &PlanView,
    anyway: bool,
) -> Result<PlanView, Failure> {
    let input = PlanApprove {
        plan: view.plan.id,
        revision: view.revision,
        anyway,
    };
    let approved = client.ask("approve the plan", "plan_approve", &input);
    approved.map_err(|failure| match failure {
        Failure::Operation { doing, error } if !error.faults.is_empty() => {
            let fix = format!(
                "To approve it anyway: baton plan approve {} --anyway",
                view.plan.id
            );
            Failure::Operation {
                doing,
                error: error.with_fix(fix),
            }
        }
        failure => failure,
    })
}

fn show(client: &Client<'_>, view: &PlanView) -> Result<(), Failure> {
    let output = client.output;
    output.line(&output.paint(&style::one_line(&view.plan.title), Tone::Strong))?;
    if !view.plan.description.trim().is_empty() {
        output.line(style::lines(&view.plan.description).trim_end())?;
    }
    output.line(&format!(
        "in {}",
        view.plan
            .cwd
            .as_deref()
            .map_or_else(|| "no directory".to_owned(), style::one_line)
    ))?;
    output.line("")?;
    plan_output::print(output, &view.plan, None)?;
    risks_and_context::print(output, &view.plan)?;
    output.line("")
}

/// Runs the pre-flight checks and prints their warnings.
///
/// # Errors
///
/// A check failed, so the plan can't run.
pub(crate) fn preflight(client: &Client<'_>, view: &PlanView) -> Result<Preflight, Failure> {
    let found = check_and_warn(client, view.plan.id)?;
    if found.may_run {
        return Ok(found);
    }
    let failed = found
        .checks
        .iter()
        .filter(|check| check.verdict == CheckVerdict::Failed);
    let error = baton_api::ApiError::from_faults(
        baton_api::Code::Invalid,
        "it can't run yet",
        failed.map(sentence).collect(),
    );
    Err(Failure::Operation {
        doing: format!("run '{}'", style::one_line(&view.plan.title)),
        error,
    })
}

/// Runs the pre-flight checks, prints their warnings and returns all results.
pub(crate) fn check_and_warn(client: &Client<'_>, plan: PlanId) -> Result<Preflight, Failure> {
    let found: Preflight = client.ask("check the plan", "plan_preflight", &PlanRef { plan })?;
    note_warnings(client, &found);
    Ok(found)
}

fn note_warnings(client: &Client<'_>, found: &Preflight) {
    for check in found
        .checks
        .iter()
        .filter(|check| check.verdict == CheckVerdict::Warning)
    {
        client.output.note(&format!(
            "{} {}",
            client.output.paint_note("!", Tone::Attention),
            sentence(check)
        ));
    }
}

fn sentence(check: &Check) -> String {
    check.mend.as_ref().map_or_else(
        || check.sentence.clone(),
        |fix| format!("{}: {fix}", check.sentence),
    )
}

/// Prints the results of all checks.
pub(crate) fn print_checks(client: &Client<'_>, found: &Preflight) -> Result<(), Failure> {
    let rows: Vec<_> = found
        .checks
        .iter()
        .map(|check| {
            let (verdict, tone) = match check.verdict {
                CheckVerdict::Failed => ("failed", Tone::Bad),
                CheckVerdict::Warning => ("warning", Tone::Attention),
                CheckVerdict::Passed => ("passed", Tone::Good),
            };
            [
                table::Cell::from(verdict).tone(tone),
                sentence(check).into(),
            ]
        })
        .collect();
    table::print(client.output, ["check", ""], &rows)
}
