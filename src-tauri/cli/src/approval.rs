//! A person's word on a plan, before it runs.

use baton_api::wire::*;
use baton_model::approval::{FileChange, FileChangeKind};
use baton_model::{PlanId, ReviewState};

use crate::client::Client;
use crate::failure::Failure;
use crate::style::{self, Tone};
use crate::time_format::date;
use crate::{plan_output, table};

/// Sees to it that the plan may run: its approval covers it as it is, or `yes` was said, or somebody says so now.
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
                "the plan '{title}' {reason}, and nobody can be asked here: look at it with `baton plan show {}`, \
                 then add --yes",
                view.plan.id
            );
            return Err(Failure::Usage(message));
        }
        show(client, &view)?;
        if !client.output.ask(question)? {
            return Err(Failure::Declined(format!(
                "the plan '{title}' was not approved, so nothing ran"
            )));
        }
    }
    approve(client, &view, false)
}

/// Like [`ensure_approved`], for a plan of which nobody has looked at what it needs.
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
        return "is not what was approved".to_owned();
    }
    let of = |change: &FileChange| {
        let path = style::one_line(&change.path);
        match change.kind {
            FileChangeKind::Changed => format!("{path} (changed)"),
            FileChangeKind::New => format!("{path} (new)"),
            FileChangeKind::Gone => format!("{path} (gone)"),
        }
    };
    let files: Vec<String> = changes.iter().map(of).collect();
    format!(
        "was approved with other content in the files that its criteria run: {}",
        files.join(", ")
    )
}

/// Who approved the plan, when, and what that covers; nothing is said of a plan that nobody approved.
pub(crate) fn approval_summary(view: &PlanView) -> Option<String> {
    let Some(approval) = &view.approval else {
        let version = view.approved_version?;
        return Some(format!(
            "version {version} was approved before Baton recorded by whom and when"
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

/// Says the word. A plan that cannot run as it is needs `anyway`.
pub(crate) fn approve(
    client: &Client<'_>,
    view: &PlanView,
    anyway: bool,
) -> Result<PlanView, Failure> {
    let word = PlanApprove {
        plan: view.plan.id,
        revision: view.revision,
        anyway,
    };
    let approved = client.ask("approve the plan", "plan_approve", &word);
    approved.map_err(|failure| match failure {
        Failure::Operation { doing, error } if !error.faults.is_empty() => {
            let fix = format!(
                "to approve it anyway: baton plan approve {} --anyway",
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
            .map_or_else(|| "no directory yet".to_owned(), style::one_line)
    ))?;
    output.line("")?;
    plan_output::print(output, &view.plan, None)?;
    output.line("")
}

/// Tells what stands in the plan's way. Nothing runs when one of those things is essential.
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

/// Tells what a person may want to know before a plan runs, and returns all that was found.
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
        |mend| format!("{}: {mend}", check.sentence),
    )
}

/// Prints every check, for who wants to see them all.
pub(crate) fn print_checks(client: &Client<'_>, found: &Preflight) -> Result<(), Failure> {
    let rows: Vec<_> = found
        .checks
        .iter()
        .map(|check| {
            let (word, tone) = match check.verdict {
                CheckVerdict::Failed => ("failed", Tone::Bad),
                CheckVerdict::Warning => ("warning", Tone::Attention),
                CheckVerdict::Passed => ("passed", Tone::Good),
            };
            [table::Cell::from(word).tone(tone), sentence(check).into()]
        })
        .collect();
    table::print(client.output, ["check", ""], &rows)
}
