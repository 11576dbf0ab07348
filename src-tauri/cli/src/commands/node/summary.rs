//! `baton node summary`: shows the summary that a node wrote.

use baton_api::wire::*;
use baton_model::Attempt;
use clap::Args;

use super::{NodeArgs, find};
use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::style;

/// Show the Markdown summary that a node wrote to the file in BATON_SUMMARY
#[derive(Debug, Args)]
pub(crate) struct SummaryArgs {
    #[command(flatten)]
    node: NodeArgs,
    /// The attempt whose summary to show [default: the latest]
    #[arg(long, value_name = "NUMBER")]
    attempt: Option<u32>,
}

pub(super) fn show(client: &Client<'_>, args: &SummaryArgs) -> Result<Exit, Failure> {
    let (view, node) = find(client, &args.node)?;
    let input = AttemptRef {
        run: view.summary.id,
        node,
        attempt: args.attempt.map(Attempt),
    };
    let summary: SummaryView = client.ask("load the summary", "node_summary", &input)?;
    if client.output.json {
        client.output.json(&summary)?;
    } else if summary.markdown.is_empty() {
        client.output.note("This attempt wrote no summary.");
    } else {
        client
            .output
            .line(style::lines(&summary.markdown).trim_end())?;
        note_cut(client, &summary);
    }
    Ok(Exit::Done)
}

fn note_cut(client: &Client<'_>, summary: &SummaryView) {
    if summary.cut {
        let shown = summary.markdown.len();
        client.output.note(&format!(
            "The summary is too long: {shown} of {} bytes are shown.",
            summary.bytes
        ));
    }
}
