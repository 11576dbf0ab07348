//! `proposal_revise`: the next draft of the caller's proposal, with answers to comments.

use std::collections::BTreeMap;

use baton_api::ApiError;
use baton_api::wire::{ProposalRevise, ProposalView};
use baton_model::ProposalId;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::proposal_get::{draft, load};
use crate::caller_error::bad_input;
use crate::operations::ask;
use crate::plan_source::NodeList;
use crate::proposal_answer::ProposalAnswer;
use crate::proposed_content::ProposedContent;
use crate::tool::{Effect, ToolContext, ToolDefinition, ToolText};

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ProposalReviseArguments {
    #[schemars(with = "String")]
    #[serde(alias = "proposal_id")]
    proposal: ProposalId,
    /// The round that you read.
    round: u32,
    /// What is different.
    reason: Option<String>,
    /// Answers by the numbers of comments.
    answers: Option<BTreeMap<String, String>>,
    yaml: Option<String>,
    nodes: Option<NodeList>,
    /// As in plan_propose. To the draft of a new plan; otherwise all changes, to the plan.
    changes: Option<Vec<Map<String, Value>>>,
    /// If the plan has a newer version by now.
    #[serde(alias = "base_version")]
    base_version: Option<u32>,
}

pub(crate) fn tool() -> ToolDefinition {
    let text = ToolText {
        name: "proposal_revise",
        title: "Revise a proposal",
        description: "Sends another draft of your proposal, with answers to comments. Without a \
            draft, only the answers. A person decides on the newest round.",
    };
    ToolDefinition::new(text, Effect::Ask, proposal_revise)
}

fn proposal_revise(
    context: &ToolContext,
    input: ProposalReviseArguments,
) -> Result<ProposalAnswer, ApiError> {
    let view = load(context, input.proposal)?;
    let answers = answers(input.answers.clone().unwrap_or_default())?;
    let (proposal, round) = (input.proposal, input.round);
    let reason = input.reason.clone().unwrap_or_default();
    let revise = ProposalRevise {
        proposal,
        round,
        content: content(&view, input)?.into_submission(None)?,
        reason,
        answers,
    };
    let view: ProposalView = ask(&*context.operations, "proposal_revise", revise)?;
    let mut answer = ProposalAnswer::new(&view);
    answer.add_comments(&view, round, Default::default());
    Ok(answer)
}

fn answers(given: BTreeMap<String, String>) -> Result<BTreeMap<u32, String>, ApiError> {
    let parsed = given.into_iter().map(|(number, text)| {
        let parsed = number.parse().map_err(|_| {
            bad_input(
                format!("'{number}' is no number of a comment"),
                "proposal_get lists the comments with their numbers",
            )
        });
        Ok((parsed?, text))
    });
    parsed.collect()
}

/// The draft that the caller sends, or the current one if it only answers.
fn content(
    view: &ProposalView,
    input: ProposalReviseArguments,
) -> Result<ProposedContent, ApiError> {
    let target = view.summary.target.as_ref();
    let is_empty = input.yaml.is_none() && input.nodes.is_none() && input.changes.is_none();
    let yaml = match (is_empty, &input.answers) {
        (true, Some(_)) => Some(draft(view)?),
        (true, None) => {
            return Err(bad_input(
                "the revision has neither a draft nor answers",
                "pass one of yaml, nodes and changes, or answers",
            ));
        }
        (false, _) => input.yaml,
    };
    Ok(ProposedContent {
        target: target.map(|target| (target.plan, input.base_version.unwrap_or(target.version))),
        yaml,
        nodes: input.nodes,
        changes: input.changes,
        ..ProposedContent::default()
    })
}
