//! Where a proposal is between its submission and a person's decision, and what its submitter does
//! next.

use baton_api::wire::ProposalView;
use baton_model::planning::ProposalState;
use schemars::JsonSchema;
use serde::Serialize;

/// The state of a proposal, as its submitter sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ProposalStage {
    /// A planner of Baton is working on it.
    Working,
    WaitsForPerson,
    /// A person rejected the draft and wants another one.
    ChangesRequested,
    NeedsReview,
    Accepted,
    Rejected,
    Withdrawn,
    Expired,
    Failed,
}

impl ProposalStage {
    pub(crate) fn of(view: &ProposalView) -> Self {
        match &view.summary.state {
            ProposalState::Working if view.summary.author.submitted_by.is_none() => Self::Working,
            ProposalState::Working => Self::ChangesRequested,
            ProposalState::Ready => Self::WaitsForPerson,
            ProposalState::NeedsReview => Self::NeedsReview,
            ProposalState::Accepted { .. } => Self::Accepted,
            ProposalState::Rejected => Self::Rejected,
            ProposalState::Cancelled => Self::Withdrawn,
            ProposalState::Expired => Self::Expired,
            ProposalState::Failed { .. } => Self::Failed,
        }
    }

    /// The serialized name.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Working => "working",
            Self::WaitsForPerson => "waits_for_person",
            Self::ChangesRequested => "changes_requested",
            Self::NeedsReview => "needs_review",
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::Withdrawn => "withdrawn",
            Self::Expired => "expired",
            Self::Failed => "failed",
        }
    }

    /// What the submitter does now. `open` says how many comments have no answer.
    pub(crate) fn next_step(self, open: usize) -> &'static str {
        match self {
            Self::WaitsForPerson if open > 0 => {
                "A person commented. Answer each comment with proposal_revise, and change what it \
                 asks for. A person decides after that."
            }
            Self::WaitsForPerson => {
                "A person decides in Baton. Tell them what waits and where, then do something else \
                 or stop. Read it later with proposal_get. Don't propose it again."
            }
            Self::ChangesRequested => {
                "A person rejected this draft and wants another one. Read rejections and comments, \
                 then call proposal_revise with this round."
            }
            Self::NeedsReview => {
                "It was rejected three times, so a person is next. Don't revise or repeat it."
            }
            Self::Accepted => {
                "A person accepted it as this version of the plan. Read it with plan_get. Once \
                 review is approved, ask for a run with run_request."
            }
            Self::Rejected => {
                "A person rejected it for good. Read rejections. Don't propose the same again."
            }
            Self::Withdrawn => "It was withdrawn. Propose again only with another requestId.",
            Self::Expired => "Nobody decided in time. Ask the person whether it is still wanted.",
            Self::Failed => "The planner has no usable answer. A person can let it try again.",
            Self::Working => "A planner of Baton is working on it. Only a person can change that.",
        }
    }
}
