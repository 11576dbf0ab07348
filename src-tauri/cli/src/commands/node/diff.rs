//! `baton node diff`: prints what a node changed.

use baton_api::wire::*;
use baton_model::Attempt;
use clap::Args;

use super::{NodeArgs, find};
use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::style;
use crate::unified_diff::{DiffText, render_file};

/// Print what a node changed, as a unified diff
///
/// Changes of a node with its own worktree are exact. For a node in the plan's directory, the files
/// that it changed are compared with the commit that was checked out when it began.
#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    #[command(flatten)]
    node: NodeArgs,
    /// The attempt up to which to print changes [default: the latest]
    #[arg(long, value_name = "NUMBER")]
    attempt: Option<u32>,
    /// Compare with the files of this earlier attempt; only for nodes with their own worktree
    #[arg(long, value_name = "NUMBER")]
    since: Option<u32>,
    /// Print only the file with this path
    #[arg(long, value_name = "FILE")]
    path: Option<String>,
}

pub(super) fn show(client: &Client<'_>, args: &DiffArgs) -> Result<Exit, Failure> {
    let (run, node) = find(client, &args.node)?;
    let query = NodeDiffQuery {
        run: run.summary.id,
        node,
        attempt: args.attempt.map(Attempt),
        since: args.since.map(Attempt),
        path: args.path.clone(),
    };
    let diff = load(client, &query)?;
    if client.output.json {
        client.output.json(&diff)?;
    } else if diff.files.is_empty() {
        client.output.note("No changes.");
    } else {
        print(client, &diff)?;
    }
    Ok(Exit::Done)
}

/// Loads the changes, including those of files that one answer had no room for.
pub(super) fn load(client: &Client<'_>, query: &NodeDiffQuery) -> Result<NodeDiffView, Failure> {
    let ask = |query: &NodeDiffQuery| -> Result<NodeDiffView, Failure> {
        client.ask("load the changes", "node_diff", query)
    };
    let mut diff = ask(query)?;
    for file in &mut diff.files {
        if file.content == FileDiffContentView::NotLoaded {
            let path = Some(file.delta.path.clone());
            let alone = ask(&NodeDiffQuery {
                path,
                ..query.clone()
            })?;
            if let Some(loaded) = alone.files.into_iter().next() {
                *file = loaded;
            }
        }
    }
    Ok(diff)
}

fn print(client: &Client<'_>, diff: &NodeDiffView) -> Result<(), Failure> {
    let out = &client.output;
    for file in &diff.files {
        let DiffText { lines, note } = render_file(file);
        if out.is_terminal() {
            for (text, tone) in lines {
                out.line(&out.paint(&style::lines(&text), tone))?;
            }
        } else {
            let plain = lines.into_iter().map(|(text, _)| text + "\n");
            out.file(&plain.collect::<String>())?;
        }
        if let Some(note) = note {
            out.note(&format!("{}: {note}", style::one_line(&file.delta.path)));
        }
    }
    if diff.files_left_out > 0 {
        out.note(&format!("{} more files not shown.", diff.files_left_out));
    }
    if diff.basis == DiffBasis::Directory {
        let base: String = diff.base.chars().take(12).collect();
        out.note(&format!(
            "Compared with {base}. Changes that were there before the node began are included."
        ));
    }
    Ok(())
}
