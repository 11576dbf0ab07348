//! A proposal on a terminal: how far its planner is, and what it proposes.

use std::time::Duration;

use baton_api::wire::*;
use baton_model::planning::ProposalState;

use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::plan_output;
use crate::style::{self, Tone};

/// A glance at least this often, should news be lost.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// Waits until the planner of `view` is done, and tells meanwhile what it does.
pub(crate) fn follow(client: &Client<'_>, mut view: ProposalView) -> Result<ProposalView, Failure> {
    let changes = client.app()?.changes();
    let proposal = view.summary.id;
    let mut told = String::new();
    while view.summary.state == ProposalState::Working {
        let doing = doing(&view.summary);
        if doing != told {
            client.output.note(&doing);
            told = doing;
        }
        // News of anything, or none for a while, only means another look.
        drop(changes.recv_timeout(POLL_INTERVAL));
        while changes.try_recv().is_some() {}
        view = client.ask(
            "look at the proposal",
            "proposal_get",
            &ProposalRef { proposal },
        )?;
    }
    Ok(view)
}

/// What the planner does at the moment, on one line.
pub(crate) fn doing(summary: &ProposalSummary) -> String {
    let who = style::one_line(&summary.author.title);
    let what = if summary.repairing {
        "mends its answer"
    } else {
        "plans"
    };
    let activity = summary
        .activity
        .as_deref()
        .map(style::one_line)
        .filter(|line| !line.is_empty());
    activity.map_or_else(
        || format!("{who} {what}"),
        |line| format!("{who} {what}: {line}"),
    )
}

/// Prints what came of a planner's work.
pub(crate) fn result(client: &Client<'_>, view: &ProposalView) -> Result<Exit, Failure> {
    if client.output.json {
        client.output.json(view)?;
    } else {
        print(client.output, view)?;
    }
    Ok(match &view.summary.state {
        ProposalState::Failed { why } => {
            client.output.warn(&format!(
                "baton: no plan came of it: {}",
                style::lines(why).trim_end()
            ));
            Exit::Failed
        }
        ProposalState::Cancelled => Exit::Cancelled,
        _ => Exit::Done,
    })
}

/// Prints what is proposed, why, and what to mind.
pub(crate) fn print(output: &Output, view: &ProposalView) -> Result<(), Failure> {
    if let Some(text) = &view.explanation {
        return output.line(style::lines(text).trim_end());
    }
    let Some(draft) = &view.draft else {
        return Ok(());
    };
    output.line("")?;
    plan_output::print(output, draft, None)?;
    if !view.reasoning.is_empty() {
        output.line("")?;
        output.line(style::lines(&view.reasoning).trim_end())?;
    }
    let checks = view.checks.iter().map(|check| &check.sentence);
    for sentence in view
        .impact_sentences
        .iter()
        .chain(&view.remark_sentences)
        .chain(checks)
    {
        output.line(&output.paint(&format!("! {}", style::one_line(sentence)), Tone::Faint))?;
    }
    Ok(())
}
