//! Waits for the planner after a failed run whose plan says `replan: propose`.

use std::time::Duration;

use baton_api::wire::*;
use baton_model::planning::ProposalState;
use baton_model::{ProposalId, RunId};

use super::message_queue::{MessageQueue, Signal};
use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::proposal_output;
use crate::style;

/// Time between two reads of the planner's state.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Waits for the planner of a new version, if the plan of `run` asks for one. Returns an exit code
/// if a signal ends the wait.
pub(super) fn wait(
    client: &Client<'_>,
    messages: &mut MessageQueue,
    run: RunId,
) -> Result<Option<Exit>, Failure> {
    let proposal = match client.app()?.replan_if_configured(run) {
        Ok(Some(proposal)) => proposal,
        Ok(None) => return Ok(None),
        Err(error) => {
            // Only warn: the run's own result is printed next.
            client
                .output
                .warn(&format!("baton: couldn't replan: {error}"));
            return Ok(None);
        }
    };
    let mut last_note = String::new();
    loop {
        let view: ProposalView = client.ask(
            "load the proposal",
            "proposal_get",
            &ProposalRef { proposal },
        )?;
        if view.summary.state != ProposalState::Working {
            settle(client, run, &view)?;
            return Ok(None);
        }
        let doing = proposal_output::doing(&view.summary);
        if doing != last_note {
            client.output.note(&doing);
            last_note = doing;
        }
        match messages.signal_within(POLL_INTERVAL) {
            None => {}
            Some(Signal::Interrupt) => cancel(client, proposal)?,
            Some(Signal::Terminate) => {
                let message = format!(
                    "The planner keeps running. The window or `baton serve` continues proposal {proposal}."
                );
                client.output.warn(&message);
                return Ok(Some(Exit::Terminated));
            }
        }
    }
}

fn cancel(client: &Client<'_>, proposal: ProposalId) -> Result<(), Failure> {
    client.output.warn("Canceling the planner");
    let _: ProposalView = client.ask(
        "cancel the planner",
        "proposal_cancel",
        &ProposalRef { proposal },
    )?;
    Ok(())
}

/// Prints the planner's result, and updates the run's state before this process ends.
fn settle(client: &Client<'_>, run: RunId, view: &ProposalView) -> Result<(), Failure> {
    if let Err(error) = client.app()?.update_replanning_run(view.summary.id) {
        client.output.warn(&format!(
            "baton: couldn't update run {run} with its proposal: {error}"
        ));
    }
    let message = match &view.summary.state {
        ProposalState::Failed { why } => {
            format!("baton: replanning failed: {}", style::one_line(why))
        }
        ProposalState::Cancelled => "Planner canceled.".to_owned(),
        _ => return Ok(()),
    };
    client.output.warn(&message);
    Ok(())
}
