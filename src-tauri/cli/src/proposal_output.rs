//! Prints a planner's progress and its proposal.

use std::time::Duration;

use baton_api::wire::*;
use baton_model::Plan;
use baton_model::planning::{Comment, ProposalState};

use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::freshness;
use crate::output::Output;
use crate::plan_output;
use crate::risks_and_context;
use crate::style::{self, Tone};

/// Longest time between two reads, in case a change notification is lost.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// Waits until the planner of `view` is done, and prints its activity meanwhile.
pub(crate) fn follow(client: &Client<'_>, mut view: ProposalView) -> Result<ProposalView, Failure> {
    let changes = client.app()?.changes();
    let proposal = view.summary.id;
    let mut last_note = String::new();
    while view.summary.state == ProposalState::Working {
        let doing = doing(&view.summary);
        if doing != last_note {
            client.output.note(&doing);
            last_note = doing;
        }
        // Any change, like the timeout, only triggers another read.
        drop(changes.recv_timeout(POLL_INTERVAL));
        while changes.try_recv().is_some() {}
        view = client.ask(
            "load the proposal",
            "proposal_get",
            &ProposalRef { proposal },
        )?;
    }
    Ok(view)
}

/// Describes the planner's current activity on one line.
pub(crate) fn doing(summary: &ProposalSummary) -> String {
    let who = style::one_line(&summary.author.title);
    let what = if summary.repairing {
        "is fixing its answer"
    } else {
        "is planning"
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

/// Prints the result of a planner.
pub(crate) fn result(client: &Client<'_>, view: &ProposalView) -> Result<Exit, Failure> {
    if client.output.json {
        client.output.json(view)?;
    } else {
        print(client.output, view)?;
    }
    Ok(match &view.summary.state {
        ProposalState::Failed { why } => {
            client.output.warn(&format!(
                "baton: planning failed: {}",
                style::lines(why).trim_end()
            ));
            Exit::Failed
        }
        ProposalState::Cancelled => Exit::Cancelled,
        _ => Exit::Done,
    })
}

/// Prints the proposed plan, the planner's reasoning, and warnings.
pub(crate) fn print(output: &Output, view: &ProposalView) -> Result<(), Failure> {
    if let Some(text) = &view.explanation {
        return output.line(style::lines(text).trim_end());
    }
    let Some(draft) = &view.draft else {
        return Ok(());
    };
    output.line("")?;
    plan_output::print(output, draft, None)?;
    risks_and_context::print(output, draft)?;
    if !view.reasoning.is_empty() {
        output.line("")?;
        output.line(style::lines(&view.reasoning).trim_end())?;
    }
    for comment in &view.comments {
        output.line(&comment_line(draft, comment))?;
    }
    if let Some(freshness) = &view.freshness {
        for line in freshness::render(freshness) {
            output.line(&output.paint(&format!("! {line}"), Tone::Faint))?;
        }
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

/// A comment with its place and its answer, on one line.
fn comment_line(draft: &Plan, comment: &Comment) -> String {
    let title = |node| draft.node(node).map(|node| style::one_line(&node.title));
    let place = comment.place.node().and_then(title);
    let place = place.map_or_else(String::new, |title| format!(" on '{title}'"));
    let text = style::one_line(&comment.text);
    let answer = comment.answer.as_ref().map_or_else(String::new, |answer| {
        format!(" → {}", style::one_line(&answer.text))
    });
    let by = style::one_line(&comment.author);
    format!("#{}{place} ({by}): {text}{answer}", comment.id)
}
