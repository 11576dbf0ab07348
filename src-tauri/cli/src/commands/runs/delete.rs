//! `baton runs delete`.

use std::collections::BTreeSet;

use baton_api::wire::*;
use baton_model::RunId;
use baton_model::count::format_quantity;
use clap::Args;

use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{id_lookup, style};

/// The most runs in one call.
const MAX_RUNS: usize = 500;

/// Delete ended runs with their handoffs and sessions
///
/// Runs stay if something still needs them: a question that waits for you, a worktree with work that
/// isn't merged, or a later run that reuses their work.
#[derive(Debug, Args)]
pub(crate) struct DeleteArgs {
    /// The runs: their IDs, the start of their IDs, PLAN#NUMBER, or their plans' titles
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
    /// Delete without asking
    #[arg(long, short)]
    yes: bool,
}

pub(super) fn delete(client: &Client<'_>, args: &DeleteArgs) -> Result<Exit, Failure> {
    let runs: BTreeSet<RunId> = args
        .runs
        .iter()
        .map(|given| id_lookup::find_run(client, given))
        .collect::<Result<_, _>>()?;
    let runs: Vec<RunId> = runs.into_iter().collect();
    let count = format_quantity(runs.len(), "run", "runs");
    if !args.yes {
        if !client.output.can_ask() {
            let message = format!("can't prompt here; rerun with --yes to delete {count}");
            return Err(Failure::Usage(message));
        }
        let question = format!("Delete {count} with handoffs and sessions?");
        if !client.output.ask(&question)? {
            return Err(Failure::Declined("nothing was deleted".to_owned()));
        }
    }
    let mut done = RunsDeleted {
        deleted: Vec::new(),
        refused: Vec::new(),
    };
    for chunk in runs.chunks(MAX_RUNS) {
        let input = RunsDelete {
            runs: chunk.to_vec(),
        };
        let part: RunsDeleted = client.ask("delete the runs", "runs_delete", &input)?;
        done.deleted.extend(part.deleted);
        done.refused.extend(part.refused);
    }
    print(client, &done)?;
    Ok(if done.refused.is_empty() {
        Exit::Done
    } else {
        Exit::Usage
    })
}

fn print(client: &Client<'_>, done: &RunsDeleted) -> Result<(), Failure> {
    if client.output.json {
        return client.output.json(done);
    }
    for refusal in &done.refused {
        let fix = refusal.error.fix.as_deref().unwrap_or_default();
        let message = style::one_line(&format!("{} {fix}", refusal.error.message));
        client
            .output
            .warn(format!("Kept {}: {message}", refusal.run).trim_end());
    }
    let deleted = format_quantity(done.deleted.len(), "run", "runs");
    client.output.note(&format!("Deleted {deleted}."));
    Ok(())
}
