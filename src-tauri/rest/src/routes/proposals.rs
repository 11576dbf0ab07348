//! `/api/proposals`: plans and changes that agents made and that wait for a person.

use baton_api::wire::{Nothing, ProposalAccepted, ProposalSummary, ProposalView};
use baton_model::planning::ProposedChange;
use baton_model::review::RejectionReason;
use baton_model::{PlanId, ProposalId, RunId};
use serde_json::json;

use super::runs::check_limit;
use super::submissions::seen_round;
use crate::answer::Reply;
use crate::request::Call;
use crate::resources::PlanResource;
use crate::route::RequestBody;
use crate::schema::{answers, inputs};
use crate::{ErrorCode, Method, RestError, Route};

inputs! {
    /// Selects proposals.
    pub(crate) struct ProposalsQuery {
        /// Only those that need an agent or a person.
        pub(crate) open: Option<bool>,
        /// Only those about this plan.
        pub(crate) plan: Option<PlanId>,
        /// From 1 to 1,000; 20 by default.
        pub(crate) limit: Option<u32>,
    }
    /// What to accept.
    pub(crate) struct AcceptBody {
        /// The proposal's `summary.rounds` that the person saw. Refused if there is another draft by
        /// now.
        pub(crate) round: Option<u32>,
        /// Only these changes of the proposal's `changes`; by default all.
        pub(crate) changes: Option<Vec<ProposedChange>>,
        /// Also approve the new version and continue the run that was replanned.
        pub(crate) resume: bool,
    }
    /// What is wrong with it.
    pub(crate) struct FeedbackBody {
        /// The proposal's `summary.rounds` that the person saw. Refused if there is another draft by
        /// now.
        pub(crate) round: Option<u32>,
        /// From a list.
        pub(crate) reason: Option<RejectionReason>,
        /// The planner receives this.
        pub(crate) feedback: String,
        /// Let the planner try again at once.
        pub(crate) again: bool,
    }
    /// Instructions for another try.
    pub(crate) struct RetryProposalBody {
        /// The planner receives this.
        pub(crate) feedback: String,
    }
}
impl RequestBody for AcceptBody {}
impl RequestBody for FeedbackBody {}
impl RequestBody for RetryProposalBody {}

answers! {
    /// Proposals, latest first.
    pub(crate) struct Proposals {
        pub(crate) proposals: Vec<ProposalSummary>,
        pub(crate) limit: u32,
    }
    /// What became of an accepted proposal.
    pub(crate) struct Accepted {
        pub(crate) plan: PlanResource,
        /// The run that continues with the new version.
        pub(crate) run: Option<RunId>,
    }
}

pub(super) fn routes() -> Vec<Route> {
    let gone = [ErrorCode::NotFound];
    let refused = [ErrorCode::NotFound, ErrorCode::Refused];
    let (get, post) = (Method::Get, Method::Post);
    let one = |act: &str| format!("/api/proposals/{{proposal}}{act}");
    vec![
        Route::new(
            get,
            "/api/proposals",
            "listProposals",
            "lists proposals, latest first",
            list,
        ),
        Route::new(
            get,
            one(""),
            "getProposal",
            "shows a proposal and its changes",
            show,
        )
        .errors(&gone),
        Route::new(
            post,
            one("/accept"),
            "acceptProposal",
            "accepts a proposal, in full or in part",
            accept,
        )
        .decide()
        .errors(&[
            ErrorCode::NotFound,
            ErrorCode::Conflict,
            ErrorCode::Refused,
            ErrorCode::Invalid,
        ])
        .example(r#"{"round": 1, "resume": false}"#),
        Route::new(
            post,
            one("/reject"),
            "rejectProposal",
            "rejects a proposal, with feedback",
            reject,
        )
        .decide()
        .errors(&[ErrorCode::NotFound, ErrorCode::Conflict, ErrorCode::Refused])
        .example(
            r#"{"round": 1, "reason": "risk", "feedback": "Keep the old tests.", "again": true}"#,
        ),
        Route::new(
            post,
            one("/retry"),
            "retryProposal",
            "asks the planner to try again",
            retry,
        )
        .write()
        .success(202)
        .errors(&refused)
        .example(r#"{"feedback": "Shorter, please."}"#),
        Route::new(
            post,
            one("/cancel"),
            "cancelProposal",
            "stops the planner, or discards the proposal",
            cancel,
        )
        .write()
        .errors(&refused),
    ]
}

fn list(call: &Call<ProposalsQuery, Nothing>) -> Result<Reply<Proposals>, RestError> {
    let ProposalsQuery { open, plan, limit } = call.query;
    let limit = limit.unwrap_or(20);
    check_limit(limit)?;
    let input = json!({ "open": open.unwrap_or(false), "plan": plan, "limit": limit });
    let proposals: Vec<ProposalSummary> = call.operations().call("proposals_list", &input)?;
    Ok(Reply::of(Proposals { proposals, limit }))
}

fn show(call: &Call<Nothing, Nothing>) -> Result<Reply<ProposalView>, RestError> {
    let proposal: ProposalId = call.id("proposal")?;
    let input = json!({ "proposal": proposal });
    Ok(Reply::of(call.operations().call("proposal_get", &input)?))
}

fn accept(call: &Call<Nothing, AcceptBody>) -> Result<Reply<Accepted>, RestError> {
    let proposal: ProposalId = call.id("proposal")?;
    let AcceptBody {
        round,
        changes,
        resume,
    } = &call.body;
    let input = json!({
        "proposal": proposal, "round": seen_round(*round)?, "changes": changes, "resume": resume,
    });
    let accepted: ProposalAccepted = call.operations().call("proposal_accept", &input)?;
    Ok(Reply::of(Accepted {
        plan: PlanResource::new(&accepted.plan, None),
        run: accepted.run,
    })
    .at(accepted.plan.revision))
}

fn reject(call: &Call<Nothing, FeedbackBody>) -> Result<Reply<ProposalView>, RestError> {
    let proposal: ProposalId = call.id("proposal")?;
    let FeedbackBody {
        round,
        reason,
        feedback,
        again,
    } = &call.body;
    let input = json!({
        "proposal": proposal, "round": seen_round(*round)?, "reason": reason,
        "feedback": feedback, "again": again,
    });
    Ok(Reply::of(
        call.operations().call("proposal_reject", &input)?,
    ))
}

fn retry(call: &Call<Nothing, RetryProposalBody>) -> Result<Reply<ProposalView>, RestError> {
    let proposal: ProposalId = call.id("proposal")?;
    let input = json!({ "proposal": proposal, "feedback": call.body.feedback });
    let view: ProposalView = call.operations().call("proposal_retry", &input)?;
    Ok(Reply::of(view).accepted())
}

fn cancel(call: &Call<Nothing, Nothing>) -> Result<Reply<ProposalView>, RestError> {
    let proposal: ProposalId = call.id("proposal")?;
    let input = json!({ "proposal": proposal });
    Ok(Reply::of(
        call.operations().call("proposal_cancel", &input)?,
    ))
}
