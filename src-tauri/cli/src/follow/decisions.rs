//! What a run that has come to rest waits for: no command that goes on helps before somebody has decided.

use baton_api::wire::*;
use baton_model::{RunId, RunState};

use crate::client::Client;
use crate::failure::Failure;
use crate::inbox_output;

/// The decisions for which a run waits, those of the runs of its nodes among them; none while it can go on by itself.
pub(crate) fn pending(client: &Client<'_>, run: &RunSummary) -> Result<Vec<InboxItem>, Failure> {
    if !matches!(
        run.state,
        RunState::Stalled { .. } | RunState::Replanning { .. }
    ) {
        return Ok(Vec::new());
    }
    let items: Vec<InboxItem> = client.ask("list what waits for you", "inbox_list", &Nothing {})?;
    Ok(items
        .into_iter()
        .filter(|item| is_part_of_run(item, run.id) && is_decision(&item.ask))
        .collect())
}

fn is_part_of_run(item: &InboxItem, run: RunId) -> bool {
    item.run == run || item.path.iter().any(|step| step.run == run)
}

/// Whether there is something to decide; that a run is stalled only says that there may be.
fn is_decision(ask: &InboxRequest) -> bool {
    !matches!(ask, InboxRequest::Stalled { .. })
}

/// Names them with the commands that take them.
pub(crate) fn print(client: &Client<'_>, decisions: &[InboxItem]) -> Result<(), Failure> {
    client.output.line("It waits for your decision:")?;
    inbox_output::print(client, decisions)
}
