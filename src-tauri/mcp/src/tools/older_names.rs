//! Tools under the names that other planners use for them. They do the same as the tools of this
//! server, and none decides.

mod plan_decisions;
mod plan_writing;
mod step_arguments;

use baton_api::ApiError;
use baton_api::wire::{PlanRef, PlanView, RunPause, RunSummary};
use baton_model::PlanId;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::caller_error::not_found;
use crate::operations::ask;
use crate::tool::{Effect, ToolContext, ToolDefinition, ToolText};

use super::run_request::{self, Requested, RunRequestArguments};
use super::run_stop::Stopped;
use super::{plan_find, plan_get};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PlanArguments {
    #[schemars(with = "String")]
    #[serde(alias = "plan")]
    plan_id: PlanId,
}

/// The tools, in a fixed order.
pub(crate) fn tools() -> Vec<ToolDefinition> {
    let mut tools = vec![
        plan_find::tool_named("list_plans"),
        plan_find::tool_named("plan_list"),
        plan_get::tool_named("get_plan_details"),
        ToolDefinition::new(
            ToolText {
                name: "execute_plan",
                title: "Ask for a run",
                description: "Asks a person to run the current version of a plan, like run_request.",
            },
            Effect::Ask,
            execute_plan,
        ),
        ToolDefinition::new(
            ToolText {
                name: "pause_plan",
                title: "Pause a plan",
                description: "Pauses the latest run of a plan, like run_pause.",
            },
            Effect::Ask,
            pause_plan,
        ),
    ];
    tools.extend(plan_writing::tools());
    tools.extend(plan_decisions::tools());
    tools
}

fn execute_plan(context: &ToolContext, input: PlanArguments) -> Result<Requested, ApiError> {
    let view = plan(context, input.plan_id)?;
    let request = RunRequestArguments {
        plan: input.plan_id,
        version: view.version,
        reason: "Requested with execute_plan.".to_owned(),
        request_id: None,
    };
    run_request::run_request(context, request)
}

fn pause_plan(context: &ToolContext, input: PlanArguments) -> Result<Stopped, ApiError> {
    let run = plan(context, input.plan_id)?
        .last_run
        .ok_or_else(|| not_found("the plan has no run", "ask for one with execute_plan"))?;
    let pause = RunPause {
        run: run.id,
        stop_running: false,
    };
    let summary: RunSummary = ask(&*context.operations, "run_pause", pause)?;
    Ok(summary.into())
}

fn plan(context: &ToolContext, plan: PlanId) -> Result<PlanView, ApiError> {
    ask(&*context.operations, "plan_get", PlanRef { plan })
}
