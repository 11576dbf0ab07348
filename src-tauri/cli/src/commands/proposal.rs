//! `baton proposal`: lists, shows, accepts and rejects proposals.

mod submission;

use baton_api::wire::*;
use baton_model::planning::{ProposalKind, ProposalState};
use baton_model::review::RejectionReason;
use baton_model::{ProposalId, RunId};
use clap::Subcommand;

use self::submission::{CommentArgs, ReviseArgs, SubmitArgs};
use super::plan::review::ReasonArg;
use super::plan::{diff, simulate};
use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::freshness;
use crate::id_lookup;
use crate::proposal_output;
use crate::style::{self, Tone};
use crate::table::{self, Cell};
use crate::time_format::date;

#[derive(Debug, Subcommand)]
pub(crate) enum ProposalVerb {
    /// List proposals, newest first
    List {
        /// Include decided, failed and expired proposals
        #[arg(long)]
        all: bool,
    },
    /// Show a proposal, its reasoning and its warnings
    Show {
        /// The proposal: its ID, the start of its ID, or its title
        proposal: String,
    },
    /// Show what a run of a proposal's draft would do, without running anything
    Simulate {
        /// The proposal: its ID, the start of its ID, or its title
        proposal: String,
    },
    /// List the changes of a proposal, numbered
    Diff {
        /// The proposal: its ID, the start of its ID, or its title
        proposal: String,
    },
    /// Accept a proposal
    Accept {
        /// The proposal: its ID, the start of its ID, or its title
        proposal: String,
        /// For a replan, approve the new version and continue the run with it; done nodes stay done
        #[arg(long)]
        resume: bool,
        /// Accept only these changes, by their numbers in `baton proposal diff`, and what they need
        #[arg(long, value_name = "NUMBERS", value_delimiter = ',')]
        only: Vec<usize>,
    },
    /// Reject a proposal
    Reject {
        /// The proposal: its ID, the start of its ID, or its title
        proposal: String,
        /// What is wrong with it; the planner receives this on the next try
        #[arg(default_value = "", hide_default_value = true)]
        feedback: String,
        /// What is wrong with it, from a list
        #[arg(long, value_enum)]
        reason: Option<ReasonArg>,
        /// Let the planner try again and wait for the result, or ask the submitter for another
        /// draft
        #[arg(long)]
        again: bool,
    },
    Submit(SubmitArgs),
    Revise(ReviseArgs),
    Comment(CommentArgs),
    /// Discard a proposal, or take back one that you submitted
    Withdraw {
        /// The proposal: its ID, the start of its ID, or its title
        proposal: String,
    },
}

pub(crate) fn proposal(client: &Client<'_>, verb: ProposalVerb) -> Result<Exit, Failure> {
    match verb {
        ProposalVerb::List { all } => list(client, all).map(|()| Exit::Done),
        ProposalVerb::Show { proposal } => show(client, &proposal).map(|()| Exit::Done),
        ProposalVerb::Simulate { proposal } => {
            simulate::proposal(client, &proposal).map(|()| Exit::Done)
        }
        ProposalVerb::Diff { proposal } => diff::proposal(client, &proposal).map(|()| Exit::Done),
        ProposalVerb::Accept {
            proposal,
            resume,
            only,
        } => {
            let chosen = match only[..] {
                [] => None,
                _ => Some(diff::changes_of_proposal(client, &proposal, &only)?),
            };
            let (changes, round) = chosen.unzip();
            let proposal = id_lookup::find_proposal(client, &proposal)?;
            warn_if_stale(client, proposal)?;
            accept(
                client,
                ProposalAccept {
                    proposal,
                    changes,
                    round,
                    resume,
                },
            )
        }
        ProposalVerb::Reject {
            proposal,
            feedback,
            reason,
            again,
        } => {
            let input = ProposalReject {
                proposal: id_lookup::find_proposal(client, &proposal)?,
                round: None,
                reason: reason.map(RejectionReason::from),
                feedback,
                again,
            };
            reject(client, &input)
        }
        ProposalVerb::Submit(args) => submission::submit(client, args),
        ProposalVerb::Revise(args) => submission::revise(client, args),
        ProposalVerb::Comment(args) => submission::comment(client, args),
        ProposalVerb::Withdraw { proposal } => withdraw(client, &proposal),
    }
}

fn list(client: &Client<'_>, all: bool) -> Result<(), Failure> {
    let filter = ProposalsFilter {
        open: !all,
        plan: None,
        limit: 500,
    };
    let proposals: Vec<ProposalSummary> =
        client.ask("list the proposals", "proposals_list", &filter)?;
    if client.output.json {
        return client.output.json(&proposals);
    }
    let ids = id_lookup::short_ids(proposals.iter().map(|proposal| proposal.id.0));
    let row = |(proposal, id): (&ProposalSummary, String)| {
        [
            Cell::from(id).tone(Tone::Faint),
            Cell::from(&proposal.title).tone(Tone::Strong),
            Cell::from(kind_word(proposal.kind)),
            Cell::from(state_word(&proposal.state)),
            Cell::from(&proposal.author.title),
            date(proposal.updated_at).into(),
        ]
    };
    let rows: Vec<_> = proposals.iter().zip(ids).map(row).collect();
    table::print(
        client.output,
        ["proposal", "title", "kind", "state", "by", "changed"],
        &rows,
    )
}

fn kind_word(kind: ProposalKind) -> &'static str {
    match kind {
        ProposalKind::Generate => "new plan",
        ProposalKind::FromSession => "from a session",
        ProposalKind::Split => "split",
        ProposalKind::Explain => "explanation",
        ProposalKind::Fill => "nodes for a plan",
        ProposalKind::Replan => "replan",
        ProposalKind::Submitted => "submitted",
    }
}

fn state_word(state: &ProposalState) -> &'static str {
    match state {
        ProposalState::Working => "working",
        ProposalState::Ready => "ready",
        ProposalState::NeedsReview => "needs review",
        ProposalState::Accepted { .. } => "accepted",
        ProposalState::Rejected => "rejected",
        ProposalState::Cancelled => "canceled",
        ProposalState::Failed { .. } => "failed",
        ProposalState::Expired => "expired",
    }
}

fn show(client: &Client<'_>, given: &str) -> Result<(), Failure> {
    let proposal = id_lookup::find_proposal(client, given)?;
    let view: ProposalView = client.ask(
        "load the proposal",
        "proposal_get",
        &ProposalRef { proposal },
    )?;
    if client.output.json {
        return client.output.json(&view);
    }
    let summary = &view.summary;
    client.output.line(
        &client
            .output
            .paint(&style::one_line(&summary.title), Tone::Strong),
    )?;
    let (kind, state) = (kind_word(summary.kind), state_word(&summary.state));
    client.output.line(&format!(
        "{proposal}, {kind} by {}, {state}",
        style::one_line(&summary.author.title)
    ))?;
    if let ProposalState::Failed { why } = &summary.state {
        client.output.line(style::lines(why).trim_end())?;
    }
    proposal_output::print(client.output, &view)
}

/// Says what has changed since the proposal was made. It doesn't keep a person from accepting.
fn warn_if_stale(client: &Client<'_>, proposal: ProposalId) -> Result<(), Failure> {
    let view: ProposalView = client.ask(
        "load the proposal",
        "proposal_get",
        &ProposalRef { proposal },
    )?;
    let stale = view.freshness.filter(|freshness| freshness.stale);
    for line in stale.iter().flat_map(freshness::render) {
        client.output.note(&format!("Since it was made: {line}"));
    }
    Ok(())
}

/// Accepts a proposal. Only the plan's ID goes to standard output, for scripts.
pub(crate) fn accept(client: &Client<'_>, input: ProposalAccept) -> Result<Exit, Failure> {
    let accepted: ProposalAccepted =
        client.ask("accept the proposal", "proposal_accept", &input)?;
    if client.output.json {
        client.output.json(&accepted)?;
    } else {
        let title = style::one_line(&accepted.plan.plan.title);
        client.output.note(&format!(
            "Accepted as version {} of '{title}':",
            accepted.plan.version
        ));
        client.output.line(&accepted.plan.plan.id.to_string())?;
    }
    if let Some(run) = accepted.run {
        client
            .output
            .note(&format!("Run {run} continues: baton runs show {run}"));
        client
            .wait_for_run(run)
            .map_err(|error| Failure::Operation {
                doing: "continue the run".to_owned(),
                error,
            })?;
        wait_for_next(client, run)?;
    }
    Ok(Exit::Done)
}

/// Waits for another replan if the run failed again and its plan asks for one.
fn wait_for_next(client: &Client<'_>, run: RunId) -> Result<(), Failure> {
    let failed = |error| Failure::Operation {
        doing: "replan".to_owned(),
        error,
    };
    let Some(proposal) = client.app()?.replan_if_configured(run).map_err(failed)? else {
        return Ok(());
    };
    let view: ProposalView = client.ask(
        "load the proposal",
        "proposal_get",
        &ProposalRef { proposal },
    )?;
    let view = proposal_output::follow(client, view)?;
    client
        .app()?
        .update_replanning_run(proposal)
        .map_err(failed)?;
    if matches!(
        view.summary.state,
        ProposalState::Ready | ProposalState::NeedsReview
    ) {
        let message = format!(
            "The run failed again. Accept the next version with: baton proposal accept {proposal} --resume"
        );
        client.output.note(&message);
    }
    Ok(())
}

fn withdraw(client: &Client<'_>, given: &str) -> Result<Exit, Failure> {
    let proposal = id_lookup::find_proposal(client, given)?;
    let input = ProposalRef { proposal };
    let view: ProposalView = client.ask("withdraw the proposal", "proposal_cancel", &input)?;
    if client.output.json {
        client.output.json(&view)?;
    } else {
        client.output.note("The proposal was withdrawn.");
    }
    Ok(Exit::Done)
}

fn reject(client: &Client<'_>, input: &ProposalReject) -> Result<Exit, Failure> {
    let view: ProposalView = client.ask("reject the proposal", "proposal_reject", input)?;
    // One that was submitted complete has no planner to follow.
    if view.summary.state == ProposalState::Working && view.summary.run.is_some() {
        return proposal_output::follow(client, view)
            .and_then(|view| proposal_output::result(client, &view));
    }
    if client.output.json {
        client.output.json(&view)?;
    } else {
        client.output.note(&format!(
            "The proposal {}",
            match view.summary.state {
                ProposalState::NeedsReview =>
                    "was rejected three times, so it waits for a person's review",
                ProposalState::Working => "was rejected; its submitter may send another draft",
                _ => "was rejected",
            }
        ));
    }
    Ok(Exit::Done)
}
