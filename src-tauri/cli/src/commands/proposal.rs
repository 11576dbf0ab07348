//! `baton proposal`.

use baton_api::wire::*;
use baton_model::RunId;
use baton_model::planning::{ProposalKind, ProposalState};
use clap::Subcommand;

use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::id_lookup;
use crate::proposal_output;
use crate::style::{self, Tone};
use crate::table::{self, Cell};
use crate::time_format::date;

/// What can be done with proposals.
#[derive(Debug, Subcommand)]
pub(crate) enum ProposalVerb {
    /// List proposals, the latest first.
    List {
        /// Also those that were decided, failed or expired.
        #[arg(long)]
        all: bool,
    },
    /// Show a proposal: what it changes, why, and what to mind.
    Show {
        /// The proposal by id, beginning of the id, or title.
        proposal: String,
    },
    /// Take a proposal over.
    Accept {
        /// The proposal by id, beginning of the id, or title.
        proposal: String,
        /// Of a replan: approve the new version and begin a run in which what is done stays done.
        #[arg(long)]
        resume: bool,
    },
    /// Say no to a proposal.
    Reject {
        /// The proposal by id, beginning of the id, or title.
        proposal: String,
        /// What is wrong with it; the planner gets it on the next try.
        #[arg(default_value = "", hide_default_value = true)]
        feedback: String,
        /// Let the planner try again, and wait for it.
        #[arg(long)]
        again: bool,
    },
}

/// Carries out a verb on proposals.
pub(crate) fn proposal(client: &Client<'_>, verb: ProposalVerb) -> Result<Exit, Failure> {
    match verb {
        ProposalVerb::List { all } => list(client, all).map(|()| Exit::Done),
        ProposalVerb::Show { proposal } => show(client, &proposal).map(|()| Exit::Done),
        ProposalVerb::Accept { proposal, resume } => {
            let proposal = id_lookup::find_proposal(client, &proposal)?;
            accept(
                client,
                ProposalAccept {
                    proposal,
                    changes: None,
                    resume,
                },
            )
        }
        ProposalVerb::Reject {
            proposal,
            feedback,
            again,
        } => reject(client, &proposal, feedback, again),
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
        ProposalKind::Replan => "replan",
    }
}

fn state_word(state: &ProposalState) -> &'static str {
    match state {
        ProposalState::Working => "working",
        ProposalState::Ready => "ready",
        ProposalState::NeedsReview => "needs review",
        ProposalState::Accepted { .. } => "accepted",
        ProposalState::Rejected => "rejected",
        ProposalState::Cancelled => "cancelled",
        ProposalState::Failed { .. } => "failed",
        ProposalState::Expired => "expired",
    }
}

fn show(client: &Client<'_>, given: &str) -> Result<(), Failure> {
    let proposal = id_lookup::find_proposal(client, given)?;
    let view: ProposalView = client.ask(
        "show the proposal",
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

/// Takes a proposal over. The id of the plan, or of the run that goes on, alone is the result.
pub(crate) fn accept(client: &Client<'_>, wish: ProposalAccept) -> Result<Exit, Failure> {
    let accepted: ProposalAccepted =
        client.ask("take the proposal over", "proposal_accept", &wish)?;
    if client.output.json {
        client.output.json(&accepted)?;
    } else {
        let title = style::one_line(&accepted.plan.plan.title);
        client.output.note(&format!(
            "'{title}' is there, version {}:",
            accepted.plan.version
        ));
        client.output.line(&accepted.plan.plan.id.to_string())?;
    }
    if let Some(run) = accepted.run {
        client
            .output
            .note(&format!("run {run} goes on: baton runs show {run}"));
        client
            .wait_for_run(run)
            .map_err(|error| Failure::Operation {
                doing: "go on with the run".to_owned(),
                error,
            })?;
        wait_for_next(client, run)?;
    }
    Ok(Exit::Done)
}

/// Waits for the planner of the next version, if the run failed again and its plan asks for one.
fn wait_for_next(client: &Client<'_>, run: RunId) -> Result<(), Failure> {
    let failed = |error| Failure::Operation {
        doing: "ask for a new version of the plan".to_owned(),
        error,
    };
    let Some(proposal) = client.app()?.replan_if_configured(run).map_err(failed)? else {
        return Ok(());
    };
    let view: ProposalView = client.ask(
        "look at the proposal",
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
            "the run failed. Accept the next version with: baton proposal accept {proposal} --resume"
        );
        client.output.note(&message);
    }
    Ok(())
}

fn reject(
    client: &Client<'_>,
    given: &str,
    feedback: String,
    again: bool,
) -> Result<Exit, Failure> {
    let proposal = id_lookup::find_proposal(client, given)?;
    let wish = ProposalReject {
        proposal,
        feedback,
        again,
    };
    let view: ProposalView = client.ask("reject the proposal", "proposal_reject", &wish)?;
    if view.summary.state == ProposalState::Working {
        return proposal_output::follow(client, view)
            .and_then(|view| proposal_output::result(client, &view));
    }
    if client.output.json {
        client.output.json(&view)?;
    } else {
        client.output.note(&format!(
            "the proposal {}",
            match view.summary.state {
                ProposalState::NeedsReview =>
                    "was rejected three times: nothing is tried by itself any more",
                _ => "is rejected",
            }
        ));
    }
    Ok(Exit::Done)
}
