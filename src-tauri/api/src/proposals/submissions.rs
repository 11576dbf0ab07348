//! Proposals that agents and programs submit complete, their revisions, and comments.

use baton_formats::plan_file::edit;
use baton_model::planning::Draft;
use baton_model::{Edge, Plan, PlanId};
use baton_planning::proposals::{self, Revision, Submitted};
use serde_json::json;
use uuid::Uuid;

use super::view::view;
use crate::wire::*;
use crate::{ApiError, App, Code, absolute_path, imports, plan_edits, plan_formats};

/// Submits a new plan, or a change to one, as a proposal.
pub(crate) fn submit(app: &App, input: ProposalSubmit) -> Result<ProposalView, ApiError> {
    let ProposalSubmit {
        content,
        reason,
        request_id,
    } = input;
    let base = content
        .target()
        .map(|(plan, _)| content_of(app, plan))
        .transpose()?;
    let submitted = submitted(content, base, &reason)?;
    let proposal = proposals::submit(app.context(), submitted, &reason, request_id.as_deref())?;
    view(app, &proposal)
}

/// Sends another draft of a submitted proposal.
pub(crate) fn revise(app: &App, input: ProposalRevise) -> Result<ProposalView, ApiError> {
    let current = proposals::current(app.context(), input.proposal)?;
    // Changes to a new plan are made to the draft itself.
    let base = match (input.content.target(), current.draft) {
        (Some((plan, _)), _) => Some(content_of(app, plan)?),
        (None, Some(Draft::Plan { plan, .. })) => Some(*plan),
        (None, _) => None,
    };
    let revision = Revision {
        draft: submitted(input.content, base, &input.reason)?,
        round: input.round,
        answers: input.answers,
    };
    view(
        app,
        &proposals::revise(app.context(), input.proposal, revision)?,
    )
}

/// Adds a comment to a proposal.
pub(crate) fn comment(app: &App, input: ProposalComment) -> Result<ProposalView, ApiError> {
    let ProposalComment {
        proposal,
        round,
        place,
        text,
    } = input;
    let commented = proposals::comment(app.context(), proposal, round, place, &text)?;
    view(app, &commented)
}

fn content_of(app: &App, plan: PlanId) -> Result<Plan, ApiError> {
    Ok(app.store.plans().current(plan)?.1)
}

/// The whole new content that `content` describes. `base` is what changes apply to.
fn submitted(
    content: SubmittedContent,
    base: Option<Plan>,
    reason: &str,
) -> Result<Submitted, ApiError> {
    if content.plan.is_some() != content.base_version.is_some() {
        let message = "plan and baseVersion belong together";
        return Err(ApiError::new(Code::BadInput, message)
            .with_fix("send the version of the plan that you read, or neither for a new plan"));
    }
    let target = content.target();
    let mut reasoning = reason.to_owned();
    let (mut plan, notes) = match (content.text, content.nodes, content.changes) {
        (Some(text), None, None) => read(base.as_ref(), "proposal", &text)?,
        (None, Some(nodes), None) => {
            let file = json!({"baton": 1, "title": content.title, "nodes": nodes});
            let (read, notes) = read(base.as_ref(), "proposal.json", &file.to_string())?;
            (with_nodes(base, read), notes)
        }
        (None, None, Some(changes)) => {
            let base = base.ok_or_else(|| {
                ApiError::new(Code::BadInput, "changes need a plan that they change")
                    .with_fix("name the plan and its version, or send the whole plan")
            })?;
            let whys = changes.iter().filter_map(SubmittedEdit::why);
            for why in whys {
                reasoning.push_str("\n- ");
                reasoning.push_str(why);
            }
            (changed(base, &changes)?, Vec::new())
        }
        _ => {
            let message = "a proposal has exactly one of text, nodes and changes";
            return Err(ApiError::new(Code::BadInput, message).with_fix("send one of them"));
        }
    };
    if let Some(title) = content.title {
        plan.title = title;
    }
    if let Some(goal) = content.goal {
        plan.description = goal;
    }
    if let Some(cwd) = content.cwd {
        plan.cwd = Some(absolute_path::absolute(&cwd)?);
    }
    Ok(Submitted {
        target,
        content: plan,
        reasoning,
        notes,
    })
}

/// Reads whole content. Nodes that the base has keep their identity, by their IDs in the file, and
/// the plan keeps where it comes from.
fn read(base: Option<&Plan>, name: &str, text: &str) -> Result<(Plan, Vec<String>), ApiError> {
    let parsed = plan_formats::parse(name, text)?;
    if !parsed.plans.is_empty() {
        let message = "a proposal can't contain other plans";
        return Err(
            ApiError::new(Code::BadInput, message).with_fix("submit each as a proposal of its own")
        );
    }
    let plan = match base {
        Some(base) => Plan {
            origin: base.origin.clone(),
            ..imports::merge_into_existing(base, parsed.plan)
        },
        None => parsed.plan,
    };
    Ok((plan, parsed.warnings))
}

/// The base with other nodes. Without a base, the nodes are the plan.
fn with_nodes(base: Option<Plan>, read: Plan) -> Plan {
    let Some(base) = base else { return read };
    let mut plan = Plan {
        nodes: read.nodes,
        edges: read.edges,
        ..base
    };
    plan.prune_groups();
    plan
}

fn changed(base: Plan, changes: &[SubmittedEdit]) -> Result<Plan, ApiError> {
    if changes.is_empty() {
        let error = ApiError::new(Code::BadInput, "the list of changes is empty");
        return Err(error.with_fix("send at least one change"));
    }
    let mut plan = base;
    for (number, change) in (1..).zip(changes) {
        plan = apply(&plan, change).map_err(|error| in_change(number, error))?;
    }
    Ok(plan)
}

/// Names the change that an error is about.
fn in_change(number: u32, error: ApiError) -> ApiError {
    let faults = if error.faults.is_empty() {
        vec![error.message]
    } else {
        error.faults
    };
    ApiError {
        fix: error.fix,
        ..ApiError::from_faults(error.code, &format!("change {number}"), faults)
    }
}

fn apply(plan: &Plan, change: &SubmittedEdit) -> Result<Plan, ApiError> {
    let ids = &mut Uuid::now_v7;
    match change {
        SubmittedEdit::Add { node, .. } => {
            let added = edit::add_node(plan, node, None, ids);
            Ok(added
                .map_err(|error| plan_edits::refused("the node can't be added", error))?
                .plan)
        }
        SubmittedEdit::Edit { node, changes, .. } => {
            let id = plan_edits::find(plan, node)?;
            let changed = edit::change_node(plan, id, changes, ids)
                .map_err(|error| plan_edits::refused("the node can't be changed", error))?;
            changed.ok_or_else(|| plan_edits::unknown(node))
        }
        SubmittedEdit::Remove { node, heal, .. } => {
            let gone = [plan_edits::find(plan, node)?].into();
            let mut plan = plan.clone();
            match heal {
                true => plan.remove_and_reconnect(&gone),
                false => plan.remove_nodes(&gone),
            }
            Ok(plan)
        }
        SubmittedEdit::Connect { from, to, soft, .. } => {
            let edge = Edge {
                parent: plan_edits::find(plan, from)?,
                child: plan_edits::find(plan, to)?,
                soft: *soft,
                inferred: false,
            };
            let mut plan = plan.clone();
            plan.edges
                .retain(|other| (other.parent, other.child) != (edge.parent, edge.child));
            plan.edges.push(edge);
            Ok(plan)
        }
        SubmittedEdit::Disconnect { from, to, .. } => {
            let ends = (plan_edits::find(plan, from)?, plan_edits::find(plan, to)?);
            let mut changed = plan.clone();
            changed
                .edges
                .retain(|edge| (edge.parent, edge.child) != ends);
            if changed.edges.len() == plan.edges.len() {
                let message = format!("no edge leads from '{from}' to '{to}'");
                return Err(ApiError::new(Code::NotFound, message).with_fix("read the plan again"));
            }
            Ok(changed)
        }
        SubmittedEdit::Set { changes, .. } => edit::change_settings(plan, changes, ids)
            .map_err(|error| plan_edits::refused("the plan can't be changed", error)),
    }
}

impl SubmittedContent {
    fn target(&self) -> Option<(PlanId, u32)> {
        self.plan.zip(self.base_version)
    }
}

impl SubmittedEdit {
    /// Why the submitter wants it.
    fn why(&self) -> Option<&str> {
        let (Self::Add { why, .. }
        | Self::Edit { why, .. }
        | Self::Remove { why, .. }
        | Self::Connect { why, .. }
        | Self::Disconnect { why, .. }
        | Self::Set { why, .. }) = self;
        why.as_deref().filter(|why| !why.trim().is_empty())
    }
}
