//! `replan_propose`: changes to the plan that the attempt is a part of, for a person to decide on.

use baton_api::ApiError;
use baton_api::wire::{RunRef, RunView};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::attempt;
use crate::operations::ask;
use crate::proposal_answer::ProposalAnswer;
use crate::proposed_content::ProposedContent;
use crate::tool::{Effect, ToolContext, ToolDefinition, ToolText};
use crate::tools::plan_propose::submit;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ReplanProposeArguments {
    /// The version that context_get showed.
    base_version: u32,
    /// In order: {op: add, node}, {op: edit, node, changes}, {op: remove, node, heal}, {op:
    /// connect|disconnect, from, to}, {op: set, changes}; each with why.
    changes: Vec<Map<String, Value>>,
    /// For the person who decides.
    reason: String,
    /// Your name for it. Repeating it returns the same proposal.
    request_id: Option<String>,
}

pub(super) fn tool() -> ToolDefinition {
    let text = ToolText {
        name: "replan_propose",
        title: "Propose changes to this plan",
        description: "Proposes changes to the plan that this node belongs to. A person decides, later. \
            This run goes on with the approved version: finish your own node.",
    };
    ToolDefinition::new(text, Effect::Ask, replan_propose)
}

fn replan_propose(
    context: &ToolContext,
    input: ReplanProposeArguments,
) -> Result<ProposalAnswer, ApiError> {
    let run = attempt(context)?.run;
    let view: RunView = ask(&*context.operations, "run_get", RunRef { run })?;
    let content = ProposedContent {
        target: Some((view.summary.plan, input.base_version)),
        changes: Some(input.changes),
        ..ProposedContent::default()
    };
    let content = content.into_submission(None)?;
    let view = submit(context, content, input.reason, input.request_id)?;
    let mut answer = ProposalAnswer::new(&view);
    answer.add_comments(&view, view.summary.rounds, Default::default());
    Ok(answer)
}
