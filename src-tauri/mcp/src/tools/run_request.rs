//! `run_request`: asks for a run of an approved plan.

use std::time::{Duration, Instant};

use baton_api::wire::{Change, RunRequest, RunRequestState, RunRequested};
use baton_api::{ApiError, HeldCallId};
use baton_model::{PlanId, RunId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::answer::{Answer, INBOX};
use crate::operations::ask;
use crate::tool::{Effect, ToolContext, ToolDefinition, ToolText};
use crate::tools::run_get::run_url;

/// How a person starts a process that executes runs.
const START_EXECUTOR: &str =
    "No executor is running. A person can open Baton, or run `baton serve` or `baton worker`.";
/// How long an executor has to start a run that needs no person. Later, the next call shows it.
const START_TIMEOUT: Duration = Duration::from_secs(5);

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct RunRequestArguments {
    #[schemars(with = "String")]
    #[serde(alias = "plan_id")]
    pub(super) plan: PlanId,
    /// The approved version.
    pub(super) version: u32,
    /// For the person who decides.
    pub(super) reason: String,
    /// Your name for this request. Repeating the call with it shows what became of it.
    pub(super) request_id: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Requested {
    /// waits_for_person, waits_for_executor, started, denied, failed, outdated
    #[schemars(with = "String")]
    state: RunRequestState,
    request_id: String,
    #[schemars(with = "Option<String>")]
    #[serde(skip_serializing_if = "Option::is_none")]
    request: Option<HeldCallId>,
    #[schemars(with = "Option<String>")]
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<RunId>,
    /// Where a person answers or looks.
    url: String,
    message: String,
}

impl Answer for Requested {
    fn text(&self) -> String {
        let run = self.run.map(|run| format!("\nrun: {run}"));
        format!(
            "{}\nrequestId: {}{}\n{}",
            self.message,
            self.request_id,
            run.unwrap_or_default(),
            self.url
        )
    }
}

pub(crate) fn tool() -> ToolDefinition {
    let text = ToolText {
        name: "run_request",
        title: "Ask for a run",
        description: "Asks a person to run an approved plan. Starts it at once only where a person \
            lets agents start this version. Never executes anything itself.",
    };
    ToolDefinition::new(text, Effect::Ask, run_request)
}

pub(super) fn run_request(
    context: &ToolContext,
    input: RunRequestArguments,
) -> Result<Requested, ApiError> {
    let request_id = input
        .request_id
        .unwrap_or_else(|| Uuid::new_v4().to_string());
    let request = RunRequest {
        plan: input.plan,
        version: input.version,
        reason: input.reason,
        request_id: Some(request_id.clone()),
    };
    let answer = ask_and_wait(context, &request)?;
    Ok(Requested {
        state: answer.state,
        request_id,
        request: answer.request,
        url: answer
            .run
            .map_or_else(|| INBOX.to_owned(), |run| run_url(input.plan, run)),
        run: answer.run,
        message: message(&answer),
    })
}

/// Asks for the run, and waits until an executor has started it if one is alive and no person has
/// to allow it.
fn ask_and_wait(context: &ToolContext, request: &RunRequest) -> Result<RunRequested, ApiError> {
    let end = Instant::now() + START_TIMEOUT;
    let changes = context.operations.changes();
    loop {
        let answer: RunRequested = ask(&*context.operations, "run_request", request)?;
        let is_starting = match answer.state {
            RunRequestState::WaitsForExecutor => answer.has_executor,
            RunRequestState::Started => answer.run.is_none(),
            _ => false,
        };
        let (true, Some(changes)) = (is_starting, &changes) else {
            return Ok(answer);
        };
        loop {
            match changes.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(Some(Change::Requests | Change::Run { .. } | Change::All)) => break,
                Ok(Some(_)) => {}
                Ok(None) | Err(_) => return Ok(answer),
            }
        }
    }
}

fn message(answer: &RunRequested) -> String {
    match answer.state {
        RunRequestState::WaitsForPerson => {
            "A person has to allow this run in Baton's Inbox.".to_owned()
        }
        RunRequestState::WaitsForExecutor if answer.has_executor => {
            "The run is about to start. Call again with the same requestId.".to_owned()
        }
        RunRequestState::WaitsForExecutor => {
            format!("The run starts as soon as there is an executor. {START_EXECUTOR}")
        }
        RunRequestState::Started => "The run was started. Follow it with run_get.".to_owned(),
        RunRequestState::Denied => "A person denied this run.".to_owned(),
        RunRequestState::Failed => answer
            .message
            .clone()
            .unwrap_or_else(|| "The run couldn't be started.".to_owned()),
        RunRequestState::Outdated => {
            "The plan changed before a person answered. Read it again, then ask again.".to_owned()
        }
    }
}
