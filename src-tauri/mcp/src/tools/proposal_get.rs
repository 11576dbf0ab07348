//! `proposal_get`: what became of a proposal, and what people say about it.

use baton_api::ApiError;
use baton_api::wire::{PlanVersionRef, ProposalRef, ProposalView};
use baton_formats::plan_file::{self, Format};
use baton_model::planning::ProposalState;
use baton_model::{Plan, ProposalId};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::caller_error::not_found;
use crate::clip;
use crate::operations::ask;
use crate::page::Page;
use crate::proposal_answer::{Difference, ProposalAnswer};
use crate::tool::{Effect, ToolContext, ToolDefinition, ToolText};

/// The largest part of a text in one answer, in bytes. Quotes and line breaks count twice in JSON.
const TEXT_BYTES: usize = 3_500;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ProposalGetArguments {
    #[schemars(with = "String")]
    #[serde(alias = "proposal_id")]
    proposal: ProposalId,
    /// Also answered comments from this round on.
    since: Option<u32>,
    /// Number of a comment: its whole text.
    comment: Option<u32>,
    /// The draft as a plan file.
    #[serde(default)]
    draft: bool,
    limit: Option<usize>,
    cursor: Option<String>,
    /// nextOffset of a long text.
    offset: Option<usize>,
}

pub(crate) fn tool() -> ToolDefinition {
    let text = ToolText {
        name: "proposal_get",
        title: "Read a proposal",
        description: "Shows what became of a proposal, comments since your last revision, why it \
            was rejected, and what to do next.",
    };
    ToolDefinition::new(text, Effect::Read, proposal_get)
}

fn proposal_get(
    context: &ToolContext,
    input: ProposalGetArguments,
) -> Result<ProposalAnswer, ApiError> {
    let page = Page::new(input.limit, input.cursor.as_deref())?;
    let view = load(context, input.proposal)?;
    let mut answer = ProposalAnswer::new(&view);
    let offset = input.offset.unwrap_or_default();
    if let Some(difference) = not_taken(context, &view) {
        answer.set_not_taken(difference);
    }
    match (input.comment, input.draft) {
        (Some(number), _) => add_text(&mut answer, comment(&view, number)?, offset),
        (None, true) => add_text(&mut answer, &draft(&view)?, offset),
        (None, false) => {
            let since = input.since.unwrap_or(view.summary.rounds);
            answer.add_comments(&view, since, page);
        }
    }
    Ok(answer)
}

pub(super) fn load(context: &ToolContext, proposal: ProposalId) -> Result<ProposalView, ApiError> {
    ask(
        &*context.operations,
        "proposal_get",
        ProposalRef { proposal },
    )
}

fn add_text(answer: &mut ProposalAnswer, text: &str, offset: usize) {
    let part = clip::part(text, offset, TEXT_BYTES);
    answer.text = Some(part.text.to_owned());
    answer.next_offset = part.next;
}

fn comment(view: &ProposalView, number: u32) -> Result<&str, ApiError> {
    let found = view.comments.iter().find(|one| one.id == number);
    let found = found.map(|one| one.text.as_str());
    found.ok_or_else(|| {
        not_found(
            format!("the proposal has no comment {number}"),
            "proposal_get lists the comments",
        )
    })
}

/// The draft as a plan file.
pub(super) fn draft(view: &ProposalView) -> Result<String, ApiError> {
    let draft = view.draft.as_ref();
    let draft = draft.map(|plan| plan_file::write(plan, Format::Yaml));
    draft.ok_or_else(|| not_found("the proposal has no draft", "wait for the planner"))
}

/// What a person left out of the draft that they accepted; `None` if nothing, or if the caller may
/// not read the plan.
fn not_taken(context: &ToolContext, view: &ProposalView) -> Option<Difference> {
    let ProposalState::Accepted { plan, version, .. } = view.summary.state else {
        return None;
    };
    let version = PlanVersionRef { plan, version };
    let taken: Plan = ask(&*context.operations, "plan_version_get", version).ok()?;
    let difference = Difference::between(&taken, view.draft.as_ref()?);
    (!difference.is_empty()).then_some(difference)
}
