//! Formats inbox items as a table, as a line, and as the command that answers them.

use baton_api::wire::*;
use baton_model::planning::ProposalKind;
use baton_model::run::Conflict;

use crate::actor_text::describe_actor;
use crate::client::Client;
use crate::failure::Failure;
use crate::style::Tone;
use crate::table::{self, Cell};
use crate::time_format::date;

/// Prints a table of items, then the commands that answer them. The commands are not in the table,
/// because its columns may be truncated.
pub(crate) fn print(client: &Client<'_>, items: &[InboxItem]) -> Result<(), Failure> {
    let row = |item: &InboxItem| {
        [
            Cell::from(date(item.since)).tone(Tone::Faint),
            Cell::from(
                item.path
                    .first()
                    .map_or(&item.plan_title, |step| &step.plan_title),
            )
            .tone(Tone::Strong),
            Cell::from(describe_location(item)),
            Cell::from(describe(&item.ask)),
        ]
    };
    let rows: Vec<_> = items.iter().map(row).collect();
    table::print(client.output, ["since", "plan", "node", "asks"], &rows)?;
    if !items.is_empty() {
        client.output.line("Answer with:")?;
    }
    items.iter().try_for_each(|item| {
        let slug = item
            .node
            .as_ref()
            .map(|node| node.slug.to_string())
            .unwrap_or_default();
        // Use the full ID, because runs that start at the same time share the start of their IDs.
        client.output.line(&format!(
            "  {}",
            answer_command(&item.ask, &item.run.to_string(), &slug)
        ))
    })
}

/// Returns the path from the top-level run to the node that asks: `deploy › check`.
fn describe_location(item: &InboxItem) -> String {
    let steps = item.path.iter().map(|step| step.slug.as_str());
    steps
        .chain(item.node.as_ref().map(|node| node.slug.as_str()))
        .collect::<Vec<_>>()
        .join(" › ")
}

/// Describes the question on one line.
pub(crate) fn describe(ask: &InboxRequest) -> String {
    match ask {
        InboxRequest::Permission { question, .. } | InboxRequest::Approval { question } => {
            question.clone()
        }
        InboxRequest::Merge { conflict } => {
            let files: Vec<_> = conflict
                .files
                .iter()
                .map(|file| file.path.as_str())
                .collect();
            let Conflict {
                ours,
                theirs,
                place,
                ..
            } = conflict;
            format!(
                "'{ours}' and '{theirs}' conflict in {}; resolve them in {place}",
                files.join(", ")
            )
        }
        InboxRequest::Input {
            question, options, ..
        } if options.is_empty() => question.clone(),
        InboxRequest::Input {
            question, options, ..
        } => format!("{question} ({})", options.join(", ")),
        InboxRequest::Interrupted { detail, .. } => format!("interrupted: {detail}"),
        InboxRequest::Proposal { what, author, .. } => {
            format!("{author} {}", describe_proposal(*what))
        }
        InboxRequest::PlanReview {
            needs_review: true, ..
        } => "was rejected three times and needs your review".to_owned(),
        InboxRequest::PlanReview {
            submitted_by: Some(by),
            ..
        } => format!("submitted for review by {}", describe_actor(by)),
        InboxRequest::PlanReview { .. } => "submitted for review".to_owned(),
        InboxRequest::Stalled { message } => format!("stalled: {message}"),
        InboxRequest::HandlerNotStarted { message, fix } => format!("{message}: {fix}"),
        InboxRequest::Takeover { message, .. } => format!("{message}: resume or cancel the run"),
    }
}

/// Returns a command that answers the question. Other commands may answer it differently.
pub(crate) fn answer_command(ask: &InboxRequest, run: &str, slug: &str) -> String {
    match ask {
        InboxRequest::Permission { .. } => format!("baton node answer {run} {slug} --allow"),
        InboxRequest::Approval { .. } => format!("baton node approve {run} {slug}"),
        InboxRequest::Merge { .. } => format!("baton node merge {run} {slug} --by-hand"),
        InboxRequest::Input { .. } => format!("baton node input {run} {slug} ANSWER"),
        InboxRequest::Interrupted {
            can_resume: true, ..
        } => format!("baton node retry {run} {slug} --resume"),
        InboxRequest::Interrupted { .. } => format!("baton node retry {run} {slug}"),
        InboxRequest::Proposal {
            proposal,
            what: ProposalKind::Replan,
            ..
        } => {
            format!("baton proposal accept {proposal} --resume")
        }
        InboxRequest::Proposal { proposal, .. } => format!("baton proposal accept {proposal}"),
        // Its item carries the plan's ID.
        InboxRequest::PlanReview { .. } => format!("baton plan approve {run}"),
        InboxRequest::HandlerNotStarted { .. } => format!("baton runs start-handler {run}"),
        InboxRequest::Stalled { .. } | InboxRequest::Takeover { .. } => {
            format!("baton resume {run}")
        }
    }
}

/// Completes the author's name to a sentence.
fn describe_proposal(what: ProposalKind) -> &'static str {
    match what {
        ProposalKind::Generate => "proposes a plan",
        ProposalKind::FromSession => "proposes a plan from a session",
        ProposalKind::Split => "proposes to split a node",
        ProposalKind::Fill => "proposes nodes for a plan",
        ProposalKind::Replan => "proposes a new version after a failed run",
        ProposalKind::Explain => "wrote an explanation",
        ProposalKind::Submitted => "submitted a plan",
    }
}

#[cfg(test)]
mod tests {
    use baton_model::ProposalId;
    use baton_model::node::InputType;
    use clap::Parser;

    use super::*;
    use crate::arguments::Arguments;

    fn conflict() -> Conflict {
        let text = String::new;
        Conflict {
            id: text(),
            ours: text(),
            theirs: text(),
            files: Vec::new(),
            place: text(),
            still: None,
        }
    }

    #[test]
    fn every_answer_command_parses() {
        let text = String::new;
        let asks = [
            InboxRequest::Permission {
                question: text(),
                request: text(),
                call: None,
            },
            InboxRequest::Approval { question: text() },
            InboxRequest::Input {
                question: text(),
                input_type: InputType::Text,
                options: Vec::new(),
                due: None,
            },
            InboxRequest::Merge {
                conflict: conflict(),
            },
            InboxRequest::Interrupted {
                detail: text(),
                can_resume: true,
            },
            InboxRequest::Interrupted {
                detail: text(),
                can_resume: false,
            },
            InboxRequest::Proposal {
                proposal: ProposalId(uuid::Uuid::nil()),
                what: ProposalKind::Replan,
                author: text(),
            },
            InboxRequest::PlanReview {
                revision: 1,
                submitted_by: None,
                needs_review: false,
            },
            InboxRequest::Stalled { message: text() },
            InboxRequest::HandlerNotStarted {
                message: text(),
                fix: text(),
            },
            InboxRequest::Takeover {
                message: text(),
                details: Vec::new(),
            },
        ];
        for ask in asks {
            let line = answer_command(&ask, "0123abcd", "collect");
            assert!(Arguments::try_parse_from(line.split(' ')).is_ok(), "{line}");
        }
    }
}
