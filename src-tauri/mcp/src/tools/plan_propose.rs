//! `plan_propose`: a new plan, or a change to one, for a person to decide on.

use baton_api::ApiError;
use baton_api::wire::{ProposalSubmit, ProposalView, SubmittedContent};
use baton_model::PlanId;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::caller_error::bad_input;
use crate::operations::ask;
use crate::plan_source::NodeList;
use crate::proposal_answer::ProposalAnswer;
use crate::proposed_content::{ProposedContent, ProposedStep};
use crate::tool::{Effect, ToolContext, ToolDefinition, ToolText};

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct PlanProposeArguments {
    title: Option<String>,
    /// What is true at the end.
    goal: Option<String>,
    /// Absolute path. Default: the project.
    cwd: Option<String>,
    /// For the person who decides.
    reason: Option<String>,
    /// A plan file (YAML or JSON).
    yaml: Option<String>,
    /// Or nodes with the keys of a plan file.
    nodes: Option<NodeList>,
    /// Or steps, one after another.
    steps: Option<Vec<ProposedStep>>,
    /// Or changes to a plan, in order: {op: add, node}, {op: edit, node, changes}, {op: remove,
    /// node, heal}, {op: connect|disconnect, from, to}, {op: set, changes}; each with why.
    changes: Option<Vec<Map<String, Value>>>,
    /// With steps or nodes: notes for all of them.
    context: Option<String>,
    /// The plan to change.
    #[schemars(with = "Option<String>")]
    #[serde(alias = "plan_id")]
    plan: Option<PlanId>,
    /// The version of it that you read.
    #[serde(alias = "base_version")]
    base_version: Option<u32>,
    /// Your name for it. Repeating it returns the same proposal.
    #[serde(alias = "request_id")]
    request_id: Option<String>,
}

pub(crate) fn tool() -> ToolDefinition {
    let text = ToolText {
        name: "plan_propose",
        title: "Propose a plan",
        description: "Proposes a new plan, or changes to one, to a person, who decides. Nothing \
            runs. Pass one of yaml, nodes, steps and changes; changes also need plan and \
            baseVersion.",
    };
    ToolDefinition::new(text, Effect::Ask, plan_propose)
}

fn plan_propose(
    context: &ToolContext,
    input: PlanProposeArguments,
) -> Result<ProposalAnswer, ApiError> {
    let reason = input.reason.clone().unwrap_or_default();
    let request_id = input.request_id.clone();
    let content = content(input)?.into_submission(context.project.as_deref())?;
    let view = submit(context, content, reason, request_id)?;
    let mut answer = ProposalAnswer::new(&view);
    answer.add_comments(&view, view.summary.rounds, Default::default());
    Ok(answer)
}

fn content(input: PlanProposeArguments) -> Result<ProposedContent, ApiError> {
    let target = match (input.plan, input.base_version) {
        (Some(plan), Some(version)) => Some((plan, version)),
        (None, None) => None,
        _ => {
            return Err(bad_input(
                "plan and baseVersion belong together",
                "pass the version that plan_get showed, or neither for a new plan",
            ));
        }
    };
    let needs_title = target.is_none() && (input.nodes.is_some() || input.steps.is_some());
    if needs_title
        && input
            .title
            .as_deref()
            .is_none_or(|title| title.trim().is_empty())
    {
        return Err(bad_input("the plan has no title", "pass title, one line"));
    }
    Ok(ProposedContent {
        target,
        yaml: input.yaml,
        nodes: input.nodes,
        steps: input.steps,
        changes: input.changes,
        title: input.title,
        goal: input.goal,
        cwd: input.cwd,
        context: input.context,
    })
}

/// Submits a proposal. Without a name, equal requests are one request.
pub(super) fn submit(
    context: &ToolContext,
    content: SubmittedContent,
    reason: String,
    request_id: Option<String>,
) -> Result<ProposalView, ApiError> {
    let request_id = request_id.unwrap_or_else(|| digest(&content));
    let submit = ProposalSubmit {
        content,
        reason,
        request_id: Some(request_id),
    };
    ask(&*context.operations, "proposal_submit", submit)
}

fn digest(content: &SubmittedContent) -> String {
    let text = serde_json::to_vec(content).unwrap_or_default();
    Uuid::new_v5(&Uuid::NAMESPACE_OID, &text).to_string()
}
