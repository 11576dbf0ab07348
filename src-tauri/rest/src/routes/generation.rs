//! Plans that an agent generates, and nodes that it generates for a plan. Both are proposals.

use baton_api::wire::{Nothing, PlanFill, ProposalView};
use serde_json::{Value, json};

use super::plans::{CreatedPlan, missing};
use crate::answer::Reply;
use crate::request::Call;
use crate::resources::PlanCreateBody;
use crate::route::RequestBody;
use crate::schema::{answers, inputs};
use crate::{ErrorCode, Method, RestError, Route};

inputs! {
    /// What the planner of a plan's nodes gets beside the plan.
    pub(crate) struct GenerateBody {
        /// The agent that plans; by default, the default agent.
        pub(crate) agent: Option<String>,
        /// The planner's model; by default, the agent's own.
        pub(crate) model: Option<String>,
        /// Constraints on the work beside those of the plan, one sentence each: at most 50, of 2 KB
        /// each.
        pub(crate) constraints: Vec<String>,
        /// Code that exists already and matters for the goal, as text: at most 50 entries, and 200 KB
        /// in total.
        pub(crate) existing_code: Vec<String>,
        /// What you learned from earlier work: at most 50 entries, of 2 KB each. The plan keeps them.
        pub(crate) memories: Vec<String>,
    }
}
impl RequestBody for GenerateBody {}

answers! {
    /// Nodes for a plan, on which an agent works.
    pub(crate) struct GeneratedNodes {
        pub(crate) proposal: ProposalView,
    }
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(
            Method::Post,
            "/api/plans/{plan}/generate",
            "generateNodes",
            "asks an agent to propose the nodes of a plan for its description",
            fill,
        )
        .write()
        .success(202)
        .errors(&[
            ErrorCode::NotFound,
            ErrorCode::Refused,
            ErrorCode::Conflict,
            ErrorCode::NoAgent,
        ])
        .example(
            r#"{"constraints": ["Offline."], "memories": ["The tests need a running database."]}"#,
        ),
    ]
}

fn fill(call: &Call<Nothing, GenerateBody>) -> Result<Reply<GeneratedNodes>, RestError> {
    let body = call.body.clone();
    let input = PlanFill {
        plan: call.id("plan")?,
        agent: body.agent,
        model: body.model,
        constraints: body.constraints,
        existing_code: body.existing_code,
        memories: body.memories,
    };
    let proposal: ProposalView = call.operations().call("plan_fill", &input)?;
    let location = format!("/api/proposals/{}", proposal.summary.id);
    Ok(Reply::of(GeneratedNodes { proposal })
        .created(location)
        .accepted())
}

/// Asks an agent for a new plan.
pub(super) fn from_goal(
    call: &Call<Nothing, PlanCreateBody>,
) -> Result<Reply<CreatedPlan>, RestError> {
    let body = &call.body;
    let mut keys = body.keys.clone();
    let goal = body.goal.clone().map(Value::from);
    let goal = goal.or_else(|| keys.remove("description")).or_else(|| {
        body.title
            .clone()
            .or_else(|| body.name.clone())
            .map(Value::from)
    });
    let cwd = keys.remove("cwd").ok_or_else(|| missing("cwd"))?;
    let constraints = keys.remove("constraints").unwrap_or_else(|| json!([]));
    if let Some(other) = keys.keys().next() {
        let message = format!("a plan that an agent generates can't have '{other}' yet");
        return Err(RestError::new(ErrorCode::InvalidRequest, message)
            .with_fix("change it when the proposal was accepted"));
    }
    let input = json!({
        "goal": goal.ok_or_else(|| missing("goal"))?, "cwd": cwd, "agent": body.agent,
        "model": body.model, "constraints": constraints,
        "existingCode": body.existing_code.clone().unwrap_or_default(),
        "memories": body.memories.clone().unwrap_or_default(),
    });
    let proposal: ProposalView = call.operations().call("plan_generate", &input)?;
    let location = format!("/api/proposals/{}", proposal.summary.id);
    let proposal = Box::new(proposal);
    Ok(Reply::of(CreatedPlan::Proposed { proposal })
        .created(location)
        .accepted())
}
