//! `baton node restore-git`: undoes changes to git settings and hooks.

use baton_api::wire::*;
use baton_model::Attempt;
use baton_model::evidence::GitChange;
use clap::Args;

use super::{NodeArgs, find};
use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{git_changes, style};

#[derive(Debug, Args)]
pub(crate) struct RestoreGitArgs {
    #[command(flatten)]
    node: NodeArgs,
    /// The attempt whose changes to restore [default: the latest]
    #[arg(long, value_name = "NUMBER")]
    attempt: Option<u32>,
    /// List what changed without restoring it
    #[arg(long, alias = "look", conflicts_with = "yes")]
    dry_run: bool,
    /// Restore without asking
    #[arg(long)]
    yes: bool,
}

/// Restores what changed, after confirmation unless `--yes` is given.
pub(super) fn restore_git(client: &Client<'_>, args: &RestoreGitArgs) -> Result<Exit, Failure> {
    let (view, node) = find(client, &args.node)?;
    let input = AttemptRef {
        run: view.summary.id,
        node,
        attempt: args.attempt.map(Attempt),
    };
    let known: EvidenceView = client.ask("load the evidence", "evidence_get", &input)?;
    let changes = known
        .evidence
        .as_ref()
        .map(|evidence| evidence.git_changes.clone())
        .unwrap_or_default();
    if changes.is_empty() {
        return Err(Failure::Declined(
            "no git settings or hooks changed while this node ran".to_owned(),
        ));
    }
    if args.dry_run {
        return preview(client, &known, &changes);
    }
    if !args.yes && !confirm(client, &known, &changes)? {
        return Err(Failure::Declined("nothing was restored".to_owned()));
    }
    let input = AttemptRef {
        attempt: Some(known.attempt),
        ..input
    };
    let done: GitRestored = client.ask("restore git settings and hooks", "git_restore", &input)?;
    print_result(client, &changes, &done)
}

fn preview(
    client: &Client<'_>,
    known: &EvidenceView,
    changes: &[GitChange],
) -> Result<Exit, Failure> {
    if client.output.json {
        client.output.json(&changes)?;
    } else {
        git_changes::print_list(client, known)?;
    }
    Ok(Exit::Done)
}

fn confirm(
    client: &Client<'_>,
    known: &EvidenceView,
    changes: &[GitChange],
) -> Result<bool, Failure> {
    if !client.output.can_ask() {
        return Err(Failure::Usage(
            "can't prompt here. Review the changes with --dry-run, then rerun with --yes"
                .to_owned(),
        ));
    }
    for change in changes {
        client.output.note(&style::one_line(&change.remedy()));
    }
    let more = known
        .evidence
        .as_ref()
        .map_or(0, |evidence| evidence.git_changes_left_out);
    if more > 0 {
        client.output.note(&format!("and {more} more"));
    }
    client.output.ask("Restore?")
}

fn print_result(
    client: &Client<'_>,
    changes: &[GitChange],
    done: &GitRestored,
) -> Result<Exit, Failure> {
    let exit = if done.left.is_empty() {
        Exit::Done
    } else {
        Exit::Failed
    };
    if client.output.json {
        client.output.json(done)?;
        return Ok(exit);
    }
    let sentence = |change: u32| {
        let change = usize::try_from(change).ok().and_then(|at| changes.get(at));
        change.map_or_else(
            || "an unlisted change".to_owned(),
            |change| style::one_line(&change.sentence()),
        )
    };
    for change in &done.restored {
        client
            .output
            .line(&format!("restored: {}", sentence(*change)))?;
    }
    for left in &done.left {
        client.output.line(&format!(
            "not restored: {}: {}",
            sentence(left.change),
            style::one_line(&left.message)
        ))?;
    }
    Ok(exit)
}
