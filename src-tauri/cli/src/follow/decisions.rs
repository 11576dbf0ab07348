//! The decisions that a stalled or replanning run waits for. Resuming it doesn't help before they
//! are made.

use baton_api::wire::*;
use baton_model::{RunId, RunState};

use crate::client::Client;
use crate::failure::Failure;
use crate::inbox_output;

/// Returns the decisions that a run waits for, including those of its sub-plans' runs. Empty if the
/// run can continue.
pub(crate) fn pending(client: &Client<'_>, run: &RunSummary) -> Result<Vec<InboxItem>, Failure> {
    if !matches!(
        run.state,
        RunState::Stalled { .. } | RunState::Replanning { .. }
    ) {
        return Ok(Vec::new());
    }
    let items: Vec<InboxItem> = client.ask("load the inbox", "inbox_list", &Nothing {})?;
    Ok(items
        .into_iter()
        .filter(|item| is_part_of_run(item, run.id) && is_decision(&item.ask))
        .collect())
}

fn is_part_of_run(item: &InboxItem, run: RunId) -> bool {
    item.run == run || item.path.iter().any(|step| step.run == run)
}

/// Whether a person has to decide something. A stalled run alone needs no
/// decision, nor does an error handler that did not start.
fn is_decision(ask: &InboxRequest) -> bool {
    !matches!(
        ask,
        InboxRequest::Stalled { .. } | InboxRequest::HandlerNotStarted { .. }
    )
}

/// Prints the decisions with the commands to make them.
pub(crate) fn print(client: &Client<'_>, decisions: &[InboxItem]) -> Result<(), Failure> {
    client.output.line("Waiting for your decision:")?;
    inbox_output::print(client, decisions)
}
