//! `baton plan submit`, `withdraw` and `reject`.

use baton_api::wire::*;
use baton_model::review::RejectionReason;
use clap::{Args, ValueEnum};

use crate::client::Client;
use crate::failure::Failure;
use crate::{id_lookup, style};

/// Reject a plan that waits for review
#[derive(Debug, Args)]
pub(crate) struct RejectArgs {
    /// The plan: its ID, the start of its ID, or its title
    plan: String,
    /// What is wrong with it
    #[arg(default_value = "", hide_default_value = true)]
    feedback: String,
    /// What is wrong with it, from a list
    #[arg(long, value_enum)]
    reason: Option<ReasonArg>,
}

/// A reason for a rejection.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ReasonArg {
    WrongGoal,
    TooBig,
    MissingCheck,
    WrongOrder,
    WrongAgent,
    Risk,
    Other,
}

impl From<ReasonArg> for RejectionReason {
    fn from(reason: ReasonArg) -> Self {
        match reason {
            ReasonArg::WrongGoal => Self::WrongGoal,
            ReasonArg::TooBig => Self::TooBig,
            ReasonArg::MissingCheck => Self::MissingCheck,
            ReasonArg::WrongOrder => Self::WrongOrder,
            ReasonArg::WrongAgent => Self::WrongAgent,
            ReasonArg::Risk => Self::Risk,
            ReasonArg::Other => Self::Other,
        }
    }
}

/// Submits a draft for review.
pub(super) fn submit(client: &Client<'_>, given: &str) -> Result<(), Failure> {
    let input = PlanSubmit {
        plan: id_lookup::find_plan(client, given)?,
        base_revision: None,
    };
    let view: PlanView = client.ask("submit the plan", "plan_submit", &input)?;
    done(client, &view, "now waits for a person's review")
}

/// Takes a plan back from review.
pub(super) fn withdraw(client: &Client<'_>, given: &str) -> Result<(), Failure> {
    let plan = id_lookup::find_plan(client, given)?;
    let view: PlanView = client.ask("withdraw the plan", "plan_withdraw", &PlanRef { plan })?;
    done(client, &view, "is a draft again")
}

/// Rejects a plan that waits for review.
pub(super) fn reject(client: &Client<'_>, args: RejectArgs) -> Result<(), Failure> {
    let input = PlanReject {
        plan: id_lookup::find_plan(client, &args.plan)?,
        base_revision: None,
        reason: args.reason.map(RejectionReason::from),
        feedback: args.feedback,
    };
    let view: PlanView = client.ask("reject the plan", "plan_reject", &input)?;
    done(client, &view, "was rejected")
}

fn done(client: &Client<'_>, view: &PlanView, what: &str) -> Result<(), Failure> {
    if client.output.json {
        return client.output.json(view);
    }
    let title = style::one_line(&view.plan.title);
    client.output.note(&format!("'{title}' {what}."));
    Ok(())
}
