//! Collects the context that a planner gets besides the request. It has a limited size, and nothing
//! in it is executed.

use std::path::Path;

use baton_formats::plan_file::{self, Format};
use baton_formats::planner::{Briefing, open_comments};
use baton_model::planning::{Draft, Proposal, Subject};
use baton_model::{NodeId, Plan, RunId};

use super::base::base;
use super::{directory, given_context, inventory, session_text};
use crate::{Context, PlanningError, replans};

/// The maximum size of a plan in a briefing, in bytes.
const PLAN_LIMIT: usize = 200_000;

/// The briefing for the planner of `proposal`.
pub(super) fn build_briefing(
    context: &Context,
    proposal: &Proposal,
) -> Result<Briefing, PlanningError> {
    let request = &proposal.request;
    let was_reviewed = !proposal.feedback.is_empty() || !proposal.comments.is_empty();
    let last_draft = match &proposal.draft {
        Some(Draft::Plan { plan, .. }) if was_reviewed => Some(plan),
        _ => None,
    };
    Ok(Briefing {
        directory: directory::describe_directory(Path::new(&request.cwd)),
        inventory: inventory::describe_inventory(
            context,
            request.subject.target().map(|(plan, _)| plan),
        ),
        subject: subject(context, proposal)?,
        existing_code: given_context::as_quotes(&request.existing_code),
        memories: given_context::as_quotes(&request.memories),
        comments: last_draft
            .map(|plan| open_comments(plan, &proposal.comments))
            .unwrap_or_default(),
        last_draft: last_draft.map(|plan| file(plan)),
        feedback: proposal.feedback.clone(),
    })
}

fn subject(
    context: &Context,
    proposal: &Proposal,
) -> Result<Option<(&'static str, String)>, PlanningError> {
    let base = base(context, proposal)?;
    Ok(match (&proposal.request.subject, base) {
        (Subject::Session { session }, _) => Some((
            "The session",
            session_text::session_text(context, *session)?,
        )),
        (Subject::Transcript { transcript }, _) => Some((
            "The session",
            session_text::transcript_text(context, transcript)?,
        )),
        (Subject::Split { node, .. }, Some(plan)) => {
            Some(("The plan", with_node(&plan, *node, "The node to divide")))
        }
        (
            Subject::Explain {
                node: Some(node), ..
            },
            Some(plan),
        ) => Some(("The plan", with_node(&plan, *node, "The node to explain"))),
        (Subject::Explain { .. }, Some(plan)) => Some(("The plan", file(&plan))),
        (Subject::Fill { .. }, Some(plan)) => Some(("The plan so far", file(&plan))),
        (Subject::Replan { run, node, .. }, Some(plan)) => Some((
            "The plan and its run",
            plan_and_run(context, &plan, *run, *node)?,
        )),
        _ => None,
    })
}

fn with_node(plan: &Plan, node: NodeId, what: &str) -> String {
    let slug = plan
        .node(node)
        .map(|node| node.slug.to_string())
        .unwrap_or_default();
    format!("{}\n{what}: `{slug}`", file(plan))
}

fn plan_and_run(
    context: &Context,
    plan: &Plan,
    run: RunId,
    node: Option<NodeId>,
) -> Result<String, PlanningError> {
    let about = node
        .and_then(|node| plan.node(node))
        .map(|node| format!("\nIt is about the node `{}`.", node.slug));
    let story = replans::describe_run(context, plan, run)?;
    Ok(format!(
        "{}\n### How its run went\n{story}{}",
        file(plan),
        about.unwrap_or_default()
    ))
}

/// A plan as a plan file, without positions and notes.
fn file(plan: &Plan) -> String {
    let mut plan = plan.clone();
    for node in &mut plan.nodes {
        node.position = None;
    }
    plan.nodes.retain(baton_model::Node::is_executable);
    let mut text = plan_file::write(&plan, Format::Json);
    if text.len() > PLAN_LIMIT {
        text.truncate(text.floor_char_boundary(PLAN_LIMIT));
        text.push_str("\n… (cut)\n");
    }
    format!("```json\n{text}```\n")
}
