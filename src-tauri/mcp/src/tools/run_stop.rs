//! `run_pause` and `run_cancel`: an agent may always make things stop.

use baton_api::ApiError;
use baton_api::wire::{RunPause, RunRef, RunSummary};
use baton_model::RunId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::Answer;
use crate::operations::ask;
use crate::tool::{Effect, ToolContext, ToolDefinition, ToolText};
use crate::tools::run_get::run_url;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StopArguments {
    #[schemars(with = "String")]
    run: RunId,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Stopped {
    #[schemars(with = "String")]
    run: RunId,
    state: String,
    url: String,
}

impl Answer for Stopped {
    fn text(&self) -> String {
        format!("the run is {}\n{}", self.state, self.url)
    }
}

impl From<RunSummary> for Stopped {
    fn from(summary: RunSummary) -> Self {
        Self {
            run: summary.id,
            state: summary.state.as_str().to_owned(),
            url: run_url(summary.plan, summary.id),
        }
    }
}

pub(crate) fn pause_tool() -> ToolDefinition {
    let text = ToolText {
        name: "run_pause",
        title: "Pause a run",
        description: "Starts no more nodes. Running nodes finish. A person resumes the run.",
    };
    ToolDefinition::new(text, Effect::Ask, |context, input: StopArguments| {
        let pause = RunPause {
            run: input.run,
            stop_running: false,
        };
        stop(context, "run_pause", pause)
    })
}

pub(crate) fn cancel_tool() -> ToolDefinition {
    let text = ToolText {
        name: "run_cancel",
        title: "Cancel a run",
        description: "Cancels a run and ends its processes. It can't be undone.",
    };
    ToolDefinition::new(text, Effect::Stop, |context, input: StopArguments| {
        stop(context, "run_cancel", RunRef { run: input.run })
    })
}

fn stop(
    context: &ToolContext,
    operation: &str,
    input: impl Serialize,
) -> Result<Stopped, ApiError> {
    let summary: RunSummary = ask(&*context.operations, operation, input)?;
    Ok(summary.into())
}
