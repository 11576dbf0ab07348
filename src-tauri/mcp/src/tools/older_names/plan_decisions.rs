//! `plan_approve`, `plan_reject` and `delete_plan`: each only asks a person. An agent withdraws what
//! it proposed itself.

use baton_api::wire::{
    PlanRef, PlanReject, PlanSubmit, PlanView, ProposalRef, ProposalReject, ProposalView,
};
use baton_api::{ApiError, Code};
use baton_model::{PlanId, ProposalId, ReviewState};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::plan_writing::is_own_draft;
use crate::answer::plan_url;
use crate::answer::{Answer, INBOX};
use crate::operations::ask;
use crate::proposal_stage::ProposalStage;
use crate::tool::{Effect, ToolContext, ToolDefinition, ToolText};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SubjectArguments {
    /// ID of a plan or a proposal.
    #[schemars(with = "String")]
    #[serde(alias = "plan_id", alias = "proposal")]
    plan: Uuid,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RejectArguments {
    /// ID of a plan or a proposal.
    #[schemars(with = "String")]
    #[serde(alias = "plan_id", alias = "proposal")]
    plan: Uuid,
    feedback: Option<String>,
}

/// What became of the call.
#[derive(Serialize, JsonSchema)]
struct Asked {
    /// waits_for_person, approved, withdrawn, or the state of the proposal
    state: &'static str,
    message: &'static str,
    url: String,
}

impl Answer for Asked {
    fn text(&self) -> String {
        format!("{}: {}\n{}", self.state, self.message, self.url)
    }
}

/// What an ID names.
enum Subject {
    Plan(Box<PlanView>),
    Proposal(Box<ProposalView>),
}

pub(super) fn tools() -> Vec<ToolDefinition> {
    vec![
        ToolDefinition::new(
            ToolText {
                name: "plan_approve",
                title: "Ask for approval",
                description: "Asks a person to approve a plan. Never approves.",
            },
            Effect::Ask,
            plan_approve,
        ),
        ToolDefinition::new(
            ToolText {
                name: "plan_reject",
                title: "Withdraw, or ask for a rejection",
                description: "Withdraws a plan or proposal of your own. For others, asks a person \
                    to reject it.",
            },
            Effect::Stop,
            plan_reject,
        ),
        ToolDefinition::new(
            ToolText {
                name: "delete_plan",
                title: "Ask to delete a draft",
                description: "Asks a person to delete a draft that only you wrote. Refused for \
                    other plans.",
            },
            Effect::Ask,
            delete_plan,
        ),
    ]
}

fn subject(context: &ToolContext, id: Uuid) -> Result<Subject, ApiError> {
    let operations = &*context.operations;
    match ask(operations, "plan_get", PlanRef { plan: PlanId(id) }) {
        Ok(view) => Ok(Subject::Plan(Box::new(view))),
        Err(error) if matches!(error.code, Code::NotFound | Code::Forbidden) => {
            let proposal = ProposalRef {
                proposal: ProposalId(id),
            };
            let found: Result<ProposalView, _> = ask(operations, "proposal_get", proposal);
            // The ID was meant for a plan.
            found
                .map(|view| Subject::Proposal(Box::new(view)))
                .map_err(|_| error)
        }
        Err(error) => Err(error),
    }
}

fn plan_approve(context: &ToolContext, input: SubjectArguments) -> Result<Asked, ApiError> {
    let view = match subject(context, input.plan)? {
        Subject::Proposal(view) => return Ok(proposal_state(&view)),
        Subject::Plan(view) => view,
    };
    let url = plan_url(view.plan.id);
    match view.review {
        ReviewState::Approved => Ok(Asked {
            state: "approved",
            message: "A person approved this version already.",
            url,
        }),
        ReviewState::Proposed | ReviewState::NeedsReview => Ok(waits(url)),
        ReviewState::Draft | ReviewState::Rejected | ReviewState::Cancelled => {
            let submit = PlanSubmit {
                plan: view.plan.id,
                base_revision: Some(view.revision),
            };
            let _: PlanView = ask(&*context.operations, "plan_submit", submit)?;
            Ok(waits(url))
        }
    }
}

fn waits(url: String) -> Asked {
    Asked {
        state: "waits_for_person",
        message: "A person approves or rejects it in Baton. Tell them, and don't try another way.",
        url,
    }
}

fn proposal_state(view: &ProposalView) -> Asked {
    let stage = ProposalStage::of(view);
    let open = view.comments.iter().filter(|one| one.answer.is_none());
    Asked {
        state: stage.as_str(),
        message: stage.next_step(open.count()),
        url: INBOX.to_owned(),
    }
}

fn plan_reject(context: &ToolContext, input: RejectArguments) -> Result<Asked, ApiError> {
    let feedback = input.feedback.unwrap_or_default();
    match subject(context, input.plan)? {
        Subject::Plan(view) => reject_plan(context, &view, feedback),
        Subject::Proposal(view) => reject_proposal(context, &view, feedback),
    }
}

fn reject_plan(
    context: &ToolContext,
    view: &PlanView,
    feedback: String,
) -> Result<Asked, ApiError> {
    if !matches!(
        view.review,
        ReviewState::Proposed | ReviewState::NeedsReview
    ) {
        let error = ApiError::new(Code::Refused, "the plan isn't waiting for a decision");
        return Err(error.with_fix("nothing has to be done"));
    }
    let plan = view.plan.id;
    let withdrawn: Result<PlanView, _> =
        ask(&*context.operations, "plan_withdraw", PlanRef { plan });
    match withdrawn {
        Ok(_) => Ok(withdrawn_at(plan_url(plan))),
        Err(error) if error.code == Code::Refused => {
            let reject = PlanReject {
                plan,
                base_revision: Some(view.revision),
                reason: None,
                feedback,
            };
            request(context, "plan_reject", reject)
        }
        Err(error) => Err(error),
    }
}

fn reject_proposal(
    context: &ToolContext,
    view: &ProposalView,
    feedback: String,
) -> Result<Asked, ApiError> {
    let proposal = view.summary.id;
    let submitted_by = view.summary.author.submitted_by.as_deref();
    // The session's socket decides whether a proposal is the session's own.
    let author = context.operations.author();
    let is_own = submitted_by.is_some_and(|by| author.is_none_or(|author| author == by));
    if is_own {
        let reference = ProposalRef { proposal };
        let _: ProposalView = ask(&*context.operations, "proposal_cancel", reference)?;
        return Ok(withdrawn_at(INBOX.to_owned()));
    }
    let reject = ProposalReject {
        proposal,
        round: Some(view.summary.rounds),
        reason: None,
        feedback,
        again: false,
    };
    request(context, "proposal_reject", reject)
}

fn withdrawn_at(url: String) -> Asked {
    Asked {
        state: "withdrawn",
        message: "It was withdrawn.",
        url,
    }
}

fn delete_plan(context: &ToolContext, input: SubjectArguments) -> Result<Asked, ApiError> {
    let view = match subject(context, input.plan)? {
        Subject::Proposal(view) => return reject_proposal(context, &view, String::new()),
        Subject::Plan(view) => view,
    };
    // In a session, Baton holds the call, and a person sees whose plan it is.
    if context.operations.author().is_some() && !is_own_draft(context, &view)? {
        let error = ApiError::new(Code::Refused, "only a person deletes plans of others");
        return Err(error.with_fix("tell the person why it should be deleted"));
    }
    let plan = PlanRef { plan: view.plan.id };
    request(context, "plan_delete", plan)
}

/// Asks a person to make a call. Never answers itself: the error says what waits.
fn request(
    context: &ToolContext,
    operation: &str,
    input: impl Serialize,
) -> Result<Asked, ApiError> {
    let input = serde_json::to_value(input)
        .map_err(|error| ApiError::new(Code::Internal, error.to_string()))?;
    let waiting = context.operations.request_person(operation, input)?;
    Err(waiting)
}
