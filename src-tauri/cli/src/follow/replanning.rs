//! A run that failed and whose plan asks for a new version: waiting for the planner, and telling what waits then.

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

/// A glance at the planner at least this often.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Waits for the planner of a new version, if the plan of `run` asks for one. An exit code when a person ends the wait.
pub(super) fn wait(
    client: &Client<'_>,
    messages: &mut MessageQueue,
    run: RunId,
) -> Result<Option<Exit>, Failure> {
    let proposal = match client.app()?.replan_if_configured(run) {
        Ok(Some(proposal)) => proposal,
        Ok(None) => return Ok(None),
        Err(error) => {
            // The run is told all the same: no planner does not change how it ended.
            client.output.warn(&format!(
                "baton: couldn't ask for a new version of the plan: {error}"
            ));
            return Ok(None);
        }
    };
    let mut last_note = String::new();
    loop {
        let view: ProposalView = client.ask(
            "look at the proposal",
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
                    "left the planner; `baton serve` or the window waits for it: proposal {proposal}"
                );
                client.output.warn(&message);
                return Ok(Some(Exit::Terminated));
            }
        }
    }
}

fn cancel(client: &Client<'_>, proposal: ProposalId) -> Result<(), Failure> {
    client.output.warn("cancelling the planner");
    let _: ProposalView = client.ask(
        "cancel the planner",
        "proposal_cancel",
        &ProposalRef { proposal },
    )?;
    Ok(())
}

/// Says what came of it, and lets the run know before this process ends.
fn settle(client: &Client<'_>, run: RunId, view: &ProposalView) -> Result<(), Failure> {
    if let Err(error) = client.app()?.update_replanning_run(view.summary.id) {
        client.output.warn(&format!(
            "baton: run {run} was not told of its proposal: {error}"
        ));
    }
    let message = match &view.summary.state {
        ProposalState::Failed { why } => {
            format!("baton: no new version came of it: {}", style::one_line(why))
        }
        ProposalState::Cancelled => "The planner was cancelled.".to_owned(),
        _ => return Ok(()),
    };
    client.output.warn(&message);
    Ok(())
}
