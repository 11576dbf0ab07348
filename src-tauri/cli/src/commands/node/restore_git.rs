//! `baton node restore-git`.

use baton_api::wire::*;
use baton_model::Attempt;
use baton_model::evidence::GitChange;
use clap::Args;

use super::{NodeArgs, find};
use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{git_changes, style};

/// Which node, and whether to ask.
#[derive(Debug, Args)]
pub(crate) struct RestoreGitArgs {
    #[command(flatten)]
    node: NodeArgs,
    /// Which attempt; the latest if it is not given.
    #[arg(long, value_name = "NUMBER")]
    attempt: Option<u32>,
    /// Only list what changed.
    #[arg(long, conflicts_with = "yes")]
    look: bool,
    /// Do not ask.
    #[arg(long)]
    yes: bool,
}

/// Lists what changed, and puts it back once a person has said so.
pub(super) fn restore_git(client: &Client<'_>, args: &RestoreGitArgs) -> Result<Exit, Failure> {
    let (view, node) = find(client, &args.node)?;
    let wish = AttemptRef {
        run: view.summary.id,
        node,
        attempt: args.attempt.map(Attempt),
    };
    let known: EvidenceView = client.ask("show the evidence", "evidence_get", &wish)?;
    let changes = known
        .evidence
        .as_ref()
        .map(|evidence| evidence.git_changes.clone())
        .unwrap_or_default();
    if changes.is_empty() {
        return Err(Failure::Declined(
            "nothing that git runs changed while this node ran".to_owned(),
        ));
    }
    if args.look {
        return preview(client, &known, &changes);
    }
    if !args.yes && !confirm(client, &known, &changes)? {
        return Err(Failure::Declined("nothing was restored".to_owned()));
    }
    let wish = AttemptRef {
        attempt: Some(known.attempt),
        ..wish
    };
    let done: GitRestored = client.ask("restore what git runs", "git_restore", &wish)?;
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
            "nobody can be asked whether to restore: look with --look, then add --yes".to_owned(),
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
    client.output.ask("Change this?")
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
            || "a change that is not listed".to_owned(),
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
