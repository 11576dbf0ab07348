//! `baton proposal submit`, `revise` and `comment`.

use std::path::{Path, PathBuf};

use baton_api::wire::*;
use baton_model::planning::CommentPlace;
use baton_model::{Edge, NodeId, Plan};
use clap::Args;

use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{id_lookup, plan_file, proposal_output};

/// Submit a plan file as a proposal
///
/// A person accepts or rejects it. Nothing runs before that.
#[derive(Debug, Args)]
pub(crate) struct SubmitArgs {
    /// A plan file: YAML, JSON, or a Mermaid flowchart
    file: PathBuf,
    /// The plan that it changes: its ID, the start of its ID, or its title [default: a new plan]
    #[arg(long, value_name = "PLAN")]
    plan: Option<String>,
    /// Why it is proposed
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    reason: String,
    /// Directory the plan runs in; overrides the file
    #[arg(long, value_name = "DIR")]
    cwd: Option<String>,
    /// Your own name of this request; repeated with the same one, it returns the same proposal
    #[arg(long, value_name = "ID")]
    request_id: Option<String>,
}

/// Send another draft of a proposal that you submitted
#[derive(Debug, Args)]
pub(crate) struct ReviseArgs {
    /// The proposal: its ID, the start of its ID, or its title
    proposal: String,
    /// A plan file: YAML, JSON, or a Mermaid flowchart
    file: PathBuf,
    /// What is different
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    reason: String,
    /// Answer a comment by its number; can be given several times
    #[arg(long = "answer", value_name = "NUMBER=TEXT", value_parser = parse_answer)]
    answers: Vec<(u32, String)>,
}

/// Comment on a proposal, or on a node or edge of it
#[derive(Debug, Args)]
pub(crate) struct CommentArgs {
    /// The proposal: its ID, the start of its ID, or its title
    proposal: String,
    /// The comment
    text: String,
    /// The node that it is about, by its ID in the plan file
    #[arg(long, value_name = "NODE")]
    node: Option<String>,
    /// The field of the node that it is about, by its key in the plan file
    #[arg(long, value_name = "KEY", requires = "node")]
    field: Option<String>,
    /// The edge that it is about, by the IDs of its nodes
    #[arg(long, num_args = 2, value_names = ["FROM", "TO"], conflicts_with = "node")]
    edge: Vec<String>,
}

/// An answer to a comment that isn't a number and a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("write the comment's number, '=' and the answer")]
struct InvalidAnswer;

fn parse_answer(text: &str) -> Result<(u32, String), InvalidAnswer> {
    let split = text.split_once('=');
    let parsed = split.and_then(|(number, answer)| Some((number.parse().ok()?, answer.to_owned())));
    parsed.ok_or(InvalidAnswer)
}

/// Submits a plan file.
pub(super) fn submit(client: &Client<'_>, args: SubmitArgs) -> Result<Exit, Failure> {
    let target = args
        .plan
        .as_deref()
        .map(|given| id_lookup::find_plan(client, given))
        .transpose()?;
    let view: Option<PlanView> = target
        .map(|plan| client.ask("load the plan", "plan_get", &PlanRef { plan }))
        .transpose()?;
    let input = ProposalSubmit {
        content: SubmittedContent {
            plan: target,
            base_version: view.map(|view| view.version),
            cwd: args.cwd,
            ..content(&args.file)?
        },
        reason: args.reason,
        request_id: args.request_id,
    };
    let view: ProposalView = client.ask("submit the proposal", "proposal_submit", &input)?;
    proposal_output::result(client, &view)
}

/// Sends another draft.
pub(super) fn revise(client: &Client<'_>, args: ReviseArgs) -> Result<Exit, Failure> {
    let proposal = id_lookup::find_proposal(client, &args.proposal)?;
    let found = load(client, proposal)?;
    let target = found.summary.target.as_ref().map(|target| target.plan);
    // A draft is for the plan as it is now.
    let current: Option<PlanView> = target
        .map(|plan| client.ask("load the plan", "plan_get", &PlanRef { plan }))
        .transpose()?;
    let input = ProposalRevise {
        proposal,
        round: found.summary.rounds,
        content: SubmittedContent {
            plan: target,
            base_version: current.map(|view| view.version),
            cwd: found.draft.and_then(|draft| draft.cwd),
            ..content(&args.file)?
        },
        reason: args.reason,
        answers: args.answers.into_iter().collect(),
    };
    let view: ProposalView = client.ask("revise the proposal", "proposal_revise", &input)?;
    proposal_output::result(client, &view)
}

/// Adds a comment.
pub(super) fn comment(client: &Client<'_>, args: CommentArgs) -> Result<Exit, Failure> {
    let proposal = id_lookup::find_proposal(client, &args.proposal)?;
    let found = load(client, proposal)?;
    let place = match (&args.node, args.edge.as_slice()) {
        (Some(node), _) => {
            let node = node_of(found.draft.as_ref(), node)?;
            match args.field {
                Some(field) => CommentPlace::Field { node, field },
                None => CommentPlace::Node { node },
            }
        }
        (None, [from, to]) => CommentPlace::Edge {
            edge: edge_of(found.draft.as_ref(), from, to)?,
        },
        (None, _) => CommentPlace::Plan,
    };
    let input = ProposalComment {
        proposal,
        round: Some(found.summary.rounds),
        place,
        text: args.text,
    };
    let view: ProposalView = client.ask("comment on the proposal", "proposal_comment", &input)?;
    if client.output.json {
        client.output.json(&view)?;
    } else {
        client.output.note("Added the comment.");
    }
    Ok(Exit::Done)
}

fn load(client: &Client<'_>, proposal: baton_model::ProposalId) -> Result<ProposalView, Failure> {
    client.ask(
        "load the proposal",
        "proposal_get",
        &ProposalRef { proposal },
    )
}

fn content(file: &Path) -> Result<SubmittedContent, Failure> {
    Ok(SubmittedContent {
        plan: None,
        base_version: None,
        text: Some(plan_file::read(file)?),
        nodes: None,
        changes: None,
        title: None,
        goal: None,
        cwd: None,
    })
}

fn node_of(draft: Option<&Plan>, name: &str) -> Result<NodeId, Failure> {
    let nodes = draft.map(|plan| plan.nodes.as_slice()).unwrap_or_default();
    let found = nodes
        .iter()
        .find(|node| node.slug.as_str() == name || node.id.to_string() == name);
    found.map(|node| node.id).ok_or_else(|| {
        Failure::Usage(format!(
            "the draft has no node '{name}'; `baton proposal show` lists them"
        ))
    })
}

fn edge_of(draft: Option<&Plan>, from: &str, to: &str) -> Result<Edge, Failure> {
    let (parent, child) = (node_of(draft, from)?, node_of(draft, to)?);
    let edges = draft.map(|plan| plan.edges.as_slice()).unwrap_or_default();
    let found = edges
        .iter()
        .find(|edge| (edge.parent, edge.child) == (parent, child));
    found
        .copied()
        .ok_or_else(|| Failure::Usage(format!("the draft has no edge from '{from}' to '{to}'")))
}
