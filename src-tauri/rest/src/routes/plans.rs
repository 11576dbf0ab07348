//! `/api/plans`: making plans, and facts about all of them.

use baton_api::wire::{ExecutorsView, Nothing, ParsedPlan, PlanImported, PlanView, ProposalView};
use baton_model::PlanId;
use serde::Serialize;
use serde_json::{Value, json};

use super::generation;
use super::plan_reading::PlanReading;
use crate::answer::Reply;
use crate::request::Call;
use crate::resources::{PlanCreateBody, PlanResource, plan_file_keys};
use crate::route::RequestBody;
use crate::schema::{answers, inputs};
use crate::{ErrorCode, Method, RestError, Route};

answers! {
    /// The plans that this machine is running.
    pub(crate) struct RunningPlans {
        pub(crate) running_plans: Vec<PlanId>,
    }
    /// A plan that was imported.
    pub(crate) struct ImportedPlan {
        pub(crate) plan: PlanResource,
        /// What the reader noticed but accepted.
        pub(crate) warnings: Vec<String>,
    }
}

/// What became of a request for a plan: the plan, or the proposal of an agent that is planning.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "bindings", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(crate) enum CreatedPlan {
    /// The plan exists.
    Made {
        plan: Box<PlanResource>,
        /// What happened, as a sentence.
        message: String,
    },
    /// An agent is planning.
    Proposed { proposal: Box<ProposalView> },
}

inputs! {
    /// A plan file.
    pub(crate) struct ImportBody {
        /// The file's name. Its ending says what format it has.
        pub(crate) file_name: Option<String>,
        /// YAML, JSON, or a Mermaid flowchart.
        pub(crate) text: String,
        /// The directory in which nodes work, instead of the one in the file.
        pub(crate) cwd: Option<String>,
    }
}
impl RequestBody for ImportBody {}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(Method::Post, "/api/plans", "createPlan", "creates a plan", create)
            .write()
            .large_body()
            .success(201)
            .errors(&[ErrorCode::Invalid, ErrorCode::DerivedField, ErrorCode::NoAgent])
            .etag()
            .example(CREATE_EXAMPLE),
        Route::new(Method::Post, "/api/plans/import", "importPlan", "imports a plan file", import)
            .write()
            .large_body()
            .success(201)
            .errors(&[ErrorCode::Invalid])
            .etag()
            .example(r#"{"fileName": "plan.yaml", "text": "baton: 1\ntitle: Tidy up\nnodes:\n  - {id: list, title: List, kind: command, command: ls}\n"}"#),
        Route::new(
            Method::Get,
            "/api/plans/executor/status",
            "getExecutorStatus",
            "lists the plans that are being executed",
            executor_status,
        ),
    ]
}

const CREATE_EXAMPLE: &str = r#"{"name": "Tidy up", "goal": "The repository has no unused files.", "priority": 5, "steps": [{"orderNum": 1, "type": "tool_call", "name": "List files", "config": {"toolName": "shell", "toolArgs": {"command": "git ls-files"}}}]}"#;

fn create(call: &Call<Nothing, PlanCreateBody>) -> Result<Reply<CreatedPlan>, RestError> {
    let body = &call.body;
    let title = body.name.as_ref().or(body.title.as_ref());
    let is_filled = |text: &&String| !text.trim().is_empty();
    if body.generate {
        return generation::from_goal(call);
    }
    let Some(title) = title.filter(is_filled) else {
        return Err(missing("name"));
    };
    if body.name.is_some() && body.goal.as_ref().filter(is_filled).is_none() {
        return Err(missing("goal"));
    }
    for (key, is_given) in [
        ("agent", body.agent.is_some()),
        ("model", body.model.is_some()),
        ("existingCode", body.existing_code.is_some()),
        ("memories", body.memories.is_some()),
    ] {
        if is_given {
            let message = format!("'{key}' is for plans that an agent generates");
            return Err(RestError::new(ErrorCode::InvalidRequest, message)
                .with_fix("add \"generate\": true, or leave it out"));
        }
    }
    let mut file = plan_file_keys(&body.keys)?;
    file.insert("title".to_owned(), title.trim().into());
    if let Some(goal) = &body.goal {
        file.insert("goal".to_owned(), goal.clone().into());
    }
    if let Some(user) = &call.user {
        file.entry("user").or_insert_with(|| user.clone().into());
    }
    let text = Value::Object(file).to_string();
    let input = json!({ "fileName": "body.json", "text": text });
    let read: ParsedPlan = call.operations().call("plan_read", &input)?;
    let made: PlanView = call
        .operations()
        .call("plan_save_copy", &json!({ "plan": read.plan }))?;
    let (id, revision) = (made.plan.id, made.revision);
    Ok(Reply::of(CreatedPlan::Made {
        plan: Box::new(PlanResource::new(&made, None)),
        message: "Plan created successfully.".to_owned(),
    })
    .created(format!("/api/plans/{id}"))
    .at(revision))
}

pub(super) fn missing(field: &str) -> RestError {
    let mut error = RestError::new(ErrorCode::InvalidRequest, format!("'{field}' is missing"));
    error.body.faults = vec![format!("missing field `{field}`")];
    error
}

fn import(call: &Call<Nothing, ImportBody>) -> Result<Reply<ImportedPlan>, RestError> {
    let ImportBody {
        file_name,
        text,
        cwd,
    } = &call.body;
    let input = json!({
        "fileName": file_name.as_deref().unwrap_or("plan.yaml"), "text": text, "cwd": cwd
    });
    let imported: PlanImported = call.operations().call("plan_import", &input)?;
    let (id, revision) = (imported.plan.plan.id, imported.plan.revision);
    Ok(Reply::of(ImportedPlan {
        plan: PlanResource::new(&imported.plan, None),
        warnings: imported.warnings,
    })
    .created(format!("/api/plans/{id}"))
    .at(revision))
}

fn executor_status(call: &Call<Nothing, Nothing>) -> Result<Reply<RunningPlans>, RestError> {
    let executors: ExecutorsView = call.operations().call("executors_list", &json!({}))?;
    let mut running_plans: Vec<PlanId> = executors
        .executors
        .into_iter()
        .flat_map(|executor| executor.runs)
        .map(|run| run.plan)
        .collect();
    running_plans.sort_unstable();
    running_plans.dedup();
    Ok(Reply::of(RunningPlans { running_plans }))
}

/// The plan as it is now, for an answer.
pub(super) fn current<Q, B>(call: &Call<Q, B>) -> Result<PlanReading, RestError> {
    PlanReading::of(&call.operations(), call.id("plan")?)
}
