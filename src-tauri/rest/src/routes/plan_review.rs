//! The review of a plan: a draft is proposed, and a person approves or rejects it.

use baton_api::wire::{Nothing, PlanView};
use baton_model::PlanId;
use baton_model::review::RejectionReason;
use serde_json::{Value, json};

use super::life::{life, plan_reply};
use super::plans::current;
use crate::answer::Reply;
use crate::request::Call;
use crate::resources::ChangedPlan;
use crate::route::RequestBody;
use crate::schema::inputs;
use crate::{ErrorCode, RestError, Route};

inputs! {
    /// Says which revision the person saw.
    pub(crate) struct ApproveBody {
        /// By default, the current one, or the one in `If-Match`.
        pub(crate) revision: Option<u64>,
    }
    /// Says which revision is proposed.
    pub(crate) struct ProposeBody {
        /// By default, the current one, or the one in `If-Match`.
        pub(crate) revision: Option<u64>,
    }
    /// What is wrong with a plan.
    pub(crate) struct RejectPlanBody {
        /// In words. Whoever proposed it receives this.
        pub(crate) feedback: String,
        /// From a list.
        pub(crate) reason: Option<RejectionReason>,
        /// The revision that the person saw. By default, the current one, or the one in `If-Match`.
        pub(crate) revision: Option<u64>,
    }
}
impl RequestBody for ApproveBody {}
impl RequestBody for ProposeBody {}
impl RequestBody for RejectPlanBody {}

pub(super) fn routes() -> Vec<Route> {
    let refused = [
        ErrorCode::NotFound,
        ErrorCode::Conflict,
        ErrorCode::Refused,
        ErrorCode::Invalid,
    ];
    vec![
        life(
            "approve",
            "approvePlan",
            "approves a plan so that it can run",
            approve,
        )
        .decide()
        .errors(&refused)
        .conditional()
        .example(r#"{"revision": 3}"#),
        life(
            "propose",
            "proposePlan",
            "submits a draft so that a person approves or rejects it",
            propose,
        )
        .errors(&refused)
        .conditional()
        .example(r#"{"revision": 3}"#),
        life(
            "withdraw",
            "withdrawPlan",
            "withdraws a plan that waits for a person's review",
            withdraw,
        )
        .errors(&refused)
        .conditional(),
        life(
            "reject",
            "rejectPlan",
            "rejects a plan that waits for review, with feedback",
            reject,
        )
        .decide()
        .errors(&refused)
        .conditional()
        .example(r#"{"feedback": "Nothing tests it.", "reason": "missing_check", "revision": 3}"#),
    ]
}

fn approve(call: &Call<Nothing, ApproveBody>) -> Result<Reply<ChangedPlan>, RestError> {
    let (plan, revision) = seen(call, call.body.revision)?;
    let input = json!({ "plan": plan, "revision": revision });
    act(call, "plan_approve", &input, "Plan approved.")
}

fn propose(call: &Call<Nothing, ProposeBody>) -> Result<Reply<ChangedPlan>, RestError> {
    let (plan, revision) = seen(call, call.body.revision)?;
    let input = json!({ "plan": plan, "baseRevision": revision });
    let message = "The plan waits for a person's review.";
    act(call, "plan_submit", &input, message)
}

fn withdraw(call: &Call<Nothing, Nothing>) -> Result<Reply<ChangedPlan>, RestError> {
    let (plan, _) = seen(call, None)?;
    act(
        call,
        "plan_withdraw",
        &json!({ "plan": plan }),
        "Plan withdrawn.",
    )
}

fn reject(call: &Call<Nothing, RejectPlanBody>) -> Result<Reply<ChangedPlan>, RestError> {
    let RejectPlanBody {
        feedback,
        reason,
        revision,
    } = &call.body;
    let (plan, revision) = seen(call, *revision)?;
    let input = json!({
        "plan": plan, "baseRevision": revision, "feedback": feedback, "reason": reason,
    });
    act(call, "plan_reject", &input, "Plan rejected.")
}

/// The plan, and the revision of it that the caller saw.
fn seen<B>(call: &Call<Nothing, B>, revision: Option<u64>) -> Result<(PlanId, u64), RestError> {
    let view = current(call)?.view;
    call.conditions.if_match.require(view.revision)?;
    Ok((view.plan.id, revision.unwrap_or(view.revision)))
}

fn act<B>(
    call: &Call<Nothing, B>,
    operation: &str,
    input: &Value,
    message: &str,
) -> Result<Reply<ChangedPlan>, RestError> {
    let _: PlanView = call.operations().call(operation, input)?;
    plan_reply(call, message)
}
