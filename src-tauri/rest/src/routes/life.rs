//! What becomes of a plan: runs and checkpoints.

use std::sync::Arc;
use std::time::Duration;

use baton_api::wire::{CheckpointView, Nothing, RunProgress, RunSummary, RunView};
use baton_model::{NodeId, PlanId, PlanStatus, RunId, RunState, Timestamp};
use serde_json::{Value, json};

use super::plan_reading::{PlanReading, progress};
use super::plans::current;
use crate::answer::{Reply, WaitingReply};
use crate::request::{Call, Operations};
use crate::resources::{ChangedPlan, run_status};
use crate::route::{RequestBody, RouteFunction};
use crate::schema::{answers, inputs};
use crate::waiting::{duration_ms, is_at_rest};
use crate::{Caller, ErrorCode, Method, Request, Response, RestError, Route, Wait};

/// The longest time that `Prefer: wait` may ask for. The headers of such an answer come only then.
const MAX_WAIT: Duration = Duration::from_secs(600);

inputs! {
    /// How to run the plan.
    pub(crate) struct RunAllBody {
        /// The maximum number of parallel nodes.
        pub(crate) limit: Option<u32>,
    }
    /// Whether to wait.
    pub(crate) struct WaitQuery {
        /// `false` answers at once, as `Prefer: respond-async` does.
        pub(crate) wait: Option<bool>,
    }
    /// How to pause.
    pub(crate) struct PauseBody {
        /// Stop running nodes as well; they start again on resume.
        pub(crate) stop_running: bool,
    }
    /// How to resume.
    pub(crate) struct ResumeBody {
        /// The answer to the question of the node that waits for one.
        pub(crate) input: Option<String>,
    }
    /// A checkpoint to make.
    pub(crate) struct CheckpointBody {
        /// Any data to store with it.
        pub(crate) data: Option<Value>,
    }
    /// How to roll back.
    pub(crate) struct RollbackBody {
        /// Roll back files as well.
        pub(crate) files: bool,
    }
}
impl RequestBody for RunAllBody {}
impl RequestBody for PauseBody {}
impl RequestBody for ResumeBody {}
impl RequestBody for CheckpointBody {}
impl RequestBody for RollbackBody {}

answers! {
    /// A run that was started and is in progress.
    pub(crate) struct StartedRun {
        pub(crate) plan_id: PlanId,
        pub(crate) run: RunId,
        pub(crate) status: PlanStatus,
    }
    /// A run of one node that was started and is in progress.
    pub(crate) struct StartedNode {
        pub(crate) run: RunId,
        /// The node that runs.
        pub(crate) node: Option<NodeId>,
    }
    /// What a run came to.
    pub(crate) struct Execution {
        pub(crate) result: ExecutionResult,
        /// The same in a sentence.
        pub(crate) message: String,
    }
    /// The result of a run.
    pub(crate) struct ExecutionResult {
        pub(crate) plan_id: PlanId,
        pub(crate) run: RunId,
        /// `paused` if it waits for a person; `running` if nobody waited for its end.
        pub(crate) status: PlanStatus,
        /// Nodes that are done or skipped.
        pub(crate) completed_steps: u32,
        pub(crate) total_steps: u32,
        /// In milliseconds.
        pub(crate) duration: u64,
        /// Why it failed, or can't continue.
        pub(crate) error: Option<String>,
    }
    /// A checkpoint that was made.
    pub(crate) struct MadeCheckpoint {
        pub(crate) checkpoint: Checkpoint,
    }
    /// A checkpoint.
    pub(crate) struct Checkpoint {
        pub(crate) timestamp: Timestamp,
        pub(crate) data: Value,
    }
}

pub(super) fn life<Q, B>(
    act: &str,
    id: &str,
    summary: &'static str,
    handler: RouteFunction<Q, B, ChangedPlan>,
) -> Route
where
    Q: serde::de::DeserializeOwned + crate::schema::Described + 'static,
    B: RequestBody + 'static,
{
    Route::new(
        Method::Post,
        format!("/api/plans/{{plan}}/{act}"),
        id,
        summary,
        handler,
    )
    .write()
    .errors(&[ErrorCode::NotFound, ErrorCode::Refused])
    .etag()
}

fn execution(act: &str, id: &str) -> Route {
    let path = format!("/api/plans/{{plan}}/{act}");
    Route::new(
        Method::Post,
        path,
        id,
        "runs a plan and waits for its end",
        execute,
    )
    .write()
    .errors(&[
        ErrorCode::AlreadyRunning,
        ErrorCode::NotFound,
        ErrorCode::NotApproved,
        ErrorCode::Refused,
        ErrorCode::Conflict,
        ErrorCode::ExecutionError,
    ])
    .conditional()
    .waits()
    .starts_run(attach)
}

pub(super) fn routes() -> Vec<Route> {
    let stop = "cancels the plan's run and ends its processes";
    vec![
        Route::new(
            Method::Post,
            "/api/plans/{plan}/run",
            "runNextNode",
            "runs the next node of a plan",
            run_next,
        )
        .write()
        .success(202)
        .errors(&[
            ErrorCode::NotFound,
            ErrorCode::NotApproved,
            ErrorCode::Refused,
            ErrorCode::Conflict,
        ])
        .conditional(),
        Route::new(
            Method::Post,
            "/api/plans/{plan}/run-all",
            "runAllNodes",
            "starts a run of a plan and doesn't wait",
            run_all,
        )
        .write()
        .success(202)
        .errors(&[
            ErrorCode::AlreadyRunning,
            ErrorCode::NotFound,
            ErrorCode::NotApproved,
            ErrorCode::Refused,
            ErrorCode::Conflict,
        ])
        .conditional()
        .starts_run(attach)
        .example(r#"{"limit": 2}"#),
        execution("execute", "executePlan"),
        execution("start", "startPlan"),
        life(
            "pause",
            "pausePlan",
            "pauses the plan's run so that no more nodes start",
            pause,
        )
        .example(r#"{"stopRunning": true}"#),
        Route::new(
            Method::Post,
            "/api/plans/{plan}/resume",
            "resumePlan",
            "resumes the plan's run, or answers its question, and waits for its end",
            resume,
        )
        .write()
        .errors(&[
            ErrorCode::NotPaused,
            ErrorCode::NotFound,
            ErrorCode::Refused,
            ErrorCode::ExecutionError,
        ])
        .waits()
        .example(r#"{"input": "yes"}"#),
        life("abort", "abortPlan", stop, cancel),
        life("cancel", "cancelPlan", stop, cancel),
        Route::new(
            Method::Post,
            "/api/plans/{plan}/checkpoint",
            "createCheckpoint",
            "saves the state of the plan's run",
            checkpoint,
        )
        .write()
        .errors(&[ErrorCode::NotFound, ErrorCode::Refused])
        .example(r#"{"data": {"note": "before the migration"}}"#),
        life(
            "rollback",
            "rollBackPlan",
            "rolls the plan's run back to its last checkpoint",
            roll_back,
        )
        .decide()
        .errors(&[
            ErrorCode::NoCheckpoint,
            ErrorCode::NotFound,
            ErrorCode::Refused,
            ErrorCode::Conflict,
        ])
        .conditional()
        .example(r#"{"files": false}"#),
    ]
}

/// The plan as it is now, and what happened to it.
pub(super) fn plan_reply<Q, B>(
    call: &Call<Q, B>,
    message: &str,
) -> Result<Reply<ChangedPlan>, RestError> {
    let reading = current(call)?;
    Ok(Reply::of(ChangedPlan {
        plan: reading.resource(),
        message: message.to_owned(),
    })
    .at(reading.view.revision))
}

/// What to run, and on what the caller bases that.
#[derive(Debug, Default)]
pub(super) struct Start {
    pub(super) goal: Value,
    /// The maximum number of parallel nodes.
    pub(super) limit: Option<u32>,
    /// The plan's revision without which nothing starts.
    pub(super) base: Option<u64>,
    /// Nodes that must be finished.
    pub(super) finished: Vec<NodeId>,
}

impl Start {
    /// A start under the conditions of a request.
    fn of<Q, B>(call: &Call<Q, B>, want: &str) -> Self {
        Self {
            goal: json!({ "want": want }),
            base: call.conditions.if_match.base(),
            ..Self::default()
        }
    }
}

/// Starts a run, or says that the plan is running already.
fn start(
    operations: &Operations,
    reading: &PlanReading,
    start: &Start,
) -> Result<RunView, RestError> {
    let input = json!({
        "plan": reading.view.plan.id, "goal": start.goal, "limit": start.limit,
        "baseRevision": start.base, "finished": start.finished,
    });
    operations
        .call("run_start", &input)
        .map_err(|error: RestError| {
            let last = reading.view.last_run.as_ref();
            let is_running = last.is_some_and(|run| run.state.is_running());
            if is_running && error.request.is_none() && error.is(ErrorCode::Refused) {
                return RestError {
                    status: ErrorCode::AlreadyRunning.status(),
                    body: crate::error::ErrorBody {
                        code: ErrorCode::AlreadyRunning,
                        ..error.body
                    },
                    request: None,
                };
            }
            error
        })
}

/// Starts the wanted nodes, in the open run if there is one.
pub(super) fn start_or_continue(
    operations: &Operations,
    reading: &PlanReading,
    wanted: &Start,
) -> Result<RunId, RestError> {
    let last = reading.run_of_version().map(|run| &run.summary);
    let open = last.filter(|run| !run.state.has_ended() && !run.state.stopped_at_goal());
    if let Some(run) = open {
        let input = json!({
            "run": run.id, "goal": wanted.goal, "finished": wanted.finished,
        });
        let run: RunSummary = operations.call("run_want", &input)?;
        return Ok(run.id);
    }
    Ok(start(operations, reading, wanted)?.summary.id)
}

fn run_next(call: &Call<Nothing, Nothing>) -> Result<Reply<StartedNode>, RestError> {
    let operations = call.operations();
    let reading = unchanged(call)?;
    refuse_completed(&reading)?;
    let run = start_or_continue(&operations, &reading, &Start::of(call, "next"))?;
    let summary = progress(&operations, run)?.summary;
    let node = match &summary.goal {
        baton_model::Goal::Only { nodes } => nodes.last().copied(),
        baton_model::Goal::All => None,
    };
    Ok(Reply::of(StartedNode { run, node }).accepted())
}

/// Fails if the latest run of this version left no node to run: the next one would begin again.
fn refuse_completed(reading: &PlanReading) -> Result<(), RestError> {
    let last = reading.run_of_version();
    if !last.is_some_and(|run| run.summary.state == RunState::Completed) {
        return Ok(());
    }
    let message = "no node can start: all of them have ended";
    Err(RestError::new(ErrorCode::Refused, message)
        .with_fix("run the whole plan again with POST /api/plans/{plan}/run-all"))
}

/// The plan as it is now, if it is the one that the caller saw. That suffices for acts on a run,
/// whose version of the plan never changes. Whatever starts a run sends the revision along.
pub(super) fn unchanged<Q, B>(call: &Call<Q, B>) -> Result<PlanReading, RestError> {
    let reading = current(call)?;
    call.conditions.if_match.require(reading.view.revision)?;
    Ok(reading)
}

fn run_all(call: &Call<Nothing, RunAllBody>) -> Result<Reply<StartedRun>, RestError> {
    let reading = unchanged(call)?;
    let all = Start {
        limit: call.body.limit,
        ..Start::of(call, "all")
    };
    let run = start(&call.operations(), &reading, &all)?;
    Ok(started(reading.view.plan.id, run.summary.id))
}

fn started(plan_id: PlanId, run: RunId) -> Reply<StartedRun> {
    Reply::of(StartedRun {
        plan_id,
        run,
        status: PlanStatus::Running,
    })
    .accepted()
}

/// Answers a repeated request that started `run` before, as the first one is answered.
fn attach(
    route: &Route,
    caller: Arc<dyn Caller>,
    request: &Request,
    run: RunId,
) -> Result<Response, RestError> {
    let call: Call<Value, Nothing> = Call {
        caller,
        path: request.path.clone(),
        query: Value::Null,
        body: Nothing {},
        conditions: request.conditions.clone(),
        user: None,
    };
    if !route.traits.waits {
        return Ok(started(call.id("plan")?, run).into_response());
    }
    let declines = |(name, value): &(String, String)| name == "wait" && value == "false";
    let limit = match request.query.iter().any(declines) {
        true => Wait::No,
        false => request.conditions.wait,
    };
    Ok(wait_for(&call, limit, run)?.into_response())
}

fn execute(call: &Call<WaitQuery, Nothing>) -> Result<Reply<Execution>, RestError> {
    let reading = unchanged(call)?;
    let run = start(&call.operations(), &reading, &Start::of(call, "all"))?;
    wait(call, run.summary.id)
}

fn resume(call: &Call<WaitQuery, ResumeBody>) -> Result<Reply<Execution>, RestError> {
    let operations = call.operations();
    let reading = current(call)?;
    let not_paused = || {
        RestError::new(ErrorCode::NotPaused, "the plan has no run that is paused")
            .with_fix("start the plan instead")
    };
    let run = reading.run.as_ref().ok_or_else(not_paused)?;
    if run.summary.state.has_ended() {
        return Err(not_paused());
    }
    let id = run.summary.id;
    if let Some(input) = &call.body.input {
        let asks = run.nodes.iter().find(|node| asks_for_input(node));
        let node = asks.ok_or_else(|| {
            RestError::new(
                ErrorCode::Refused,
                "no node of the plan waits for an answer",
            )
            .with_fix("resume it without 'input'")
        })?;
        let answer = json!({ "run": id, "node": node.node, "value": input });
        let _: RunSummary = operations.call("node_input", &answer)?;
    }
    let is_running = run.summary.state.is_running();
    if !is_running || call.body.input.is_none() {
        let resumed: Result<RunSummary, _> = operations.call("run_resume", &json!({ "run": id }));
        match resumed {
            Err(error) if is_running && error.is(ErrorCode::Refused) && error.request.is_none() => {
                return Err(not_paused());
            }
            resumed => drop(resumed?),
        }
    }
    wait(call, id)
}

fn asks_for_input(node: &baton_api::wire::NodeRunView) -> bool {
    use baton_model::NodeState;
    use baton_model::run::WaitingFor;
    matches!(
        node.state,
        NodeState::Waiting {
            what: WaitingFor::Input { .. }
        }
    )
}

/// Answers when a run is at rest, or as soon as the request wants.
fn wait<B>(call: &Call<WaitQuery, B>, run: RunId) -> Result<Reply<Execution>, RestError> {
    let wait = match call.query.wait {
        Some(false) => Wait::No,
        _ => call.conditions.wait,
    };
    wait_for(call, wait, run)
}

fn wait_for<Q, B>(
    call: &Call<Q, B>,
    wait: Wait,
    run: RunId,
) -> Result<Reply<Execution>, RestError> {
    let operations = call.operations();
    let plan: PlanId = call.id("plan")?;
    let limit = match wait {
        Wait::No => return Ok(executed(plan, &progress(&operations, run)?)),
        Wait::UntilEnd => None,
        Wait::Seconds(seconds) => Some(Duration::from_secs(seconds).min(MAX_WAIT)),
    };
    let look = move |is_last| match progress(&operations, run) {
        Ok(run) if is_last || is_at_rest(&run) => Some(Ok(executed(plan, &run))),
        Ok(_) => None,
        Err(error) => Some(Err(error)),
    };
    Ok(Reply::later(WaitingReply {
        run,
        limit,
        look: Box::new(look),
    }))
}

/// The result of a run, in the shape of an execution. Later runs of the plan don't change it.
fn executed(plan: PlanId, run: &RunProgress) -> Reply<Execution> {
    let status = run_status(run);
    let settled = run.nodes.iter().filter(|node| {
        matches!(
            node.state,
            baton_model::NodeState::Done { .. } | baton_model::NodeState::Skipped { .. }
        )
    });
    let error = match &run.summary.state {
        RunState::Failed { message, .. } | RunState::Stalled { message } => Some(message.clone()),
        _ => None,
    };
    let message = match status {
        PlanStatus::Completed => "Plan executed successfully.",
        PlanStatus::Failed => "Plan execution failed.",
        PlanStatus::Cancelled => "The run was canceled.",
        PlanStatus::Paused => "The run waits for a person.",
        PlanStatus::Running | PlanStatus::Pending => "The run is still in progress.",
    };
    let failure = error.clone().filter(|_| status == PlanStatus::Failed);
    let reply = Reply::of(Execution {
        result: ExecutionResult {
            plan_id: plan,
            run: run.summary.id,
            status,
            completed_steps: u32::try_from(settled.count()).unwrap_or(u32::MAX),
            total_steps: u32::try_from(run.nodes.len()).unwrap_or(u32::MAX),
            duration: duration_ms(run),
            error,
        },
        message: message.to_owned(),
    });
    match failure {
        Some(message) => reply.failed(RestError::new(ErrorCode::ExecutionError, message)),
        None if is_at_rest(run) => reply,
        None => reply.accepted(),
    }
}

fn pause(call: &Call<Nothing, PauseBody>) -> Result<Reply<ChangedPlan>, RestError> {
    let run = current(call)?.latest_run()?;
    let input = json!({ "run": run, "stopRunning": call.body.stop_running });
    let _: RunSummary = call.operations().call("run_pause", &input)?;
    plan_reply(call, "Plan paused.")
}

fn cancel(call: &Call<Nothing, Nothing>) -> Result<Reply<ChangedPlan>, RestError> {
    let run = current(call)?.latest_run()?;
    let _: RunSummary = call
        .operations()
        .call("run_cancel", &json!({ "run": run }))?;
    plan_reply(call, "The run is being canceled.")
}

/// The act that a changed `status` asks for, and what happened.
pub(super) fn act(
    operations: &Operations,
    reading: &PlanReading,
    status: crate::resources::WantedStatus,
    base: Option<u64>,
) -> Result<&'static str, RestError> {
    use crate::resources::WantedStatus;
    let run = reading.view.last_run.as_ref();
    let open = run.filter(|run| !run.state.has_ended()).map(|run| run.id);
    match status {
        WantedStatus::Running => {
            match open.filter(|_| !run.is_some_and(|run| run.state.stopped_at_goal())) {
                Some(run) => {
                    let _: RunSummary = operations.call("run_resume", &json!({ "run": run }))?;
                }
                None => {
                    let all = Start {
                        goal: json!({ "want": "all" }),
                        base,
                        ..Start::default()
                    };
                    drop(start(operations, reading, &all)?);
                }
            }
            Ok("The plan is running.")
        }
        WantedStatus::Paused => {
            let input = json!({ "run": reading.latest_run()?, "stopRunning": false });
            let _: RunSummary = operations.call("run_pause", &input)?;
            Ok("Plan paused.")
        }
        WantedStatus::Cancelled => {
            let input = json!({ "run": reading.latest_run()? });
            let _: RunSummary = operations.call("run_cancel", &input)?;
            Ok("The run is being canceled.")
        }
    }
}

fn checkpoint(call: &Call<Nothing, CheckpointBody>) -> Result<Reply<MadeCheckpoint>, RestError> {
    let operations = call.operations();
    let run = current(call)?.latest_run()?;
    let data = call.body.data.clone().unwrap_or_default();
    let name = jiff::Timestamp::now().to_string();
    let input = json!({ "run": run, "name": name, "data": data });
    let _: RunSummary = operations.call("run_checkpoint", &input)?;
    let made = last_checkpoint(&operations, run)?
        .ok_or_else(|| RestError::new(ErrorCode::Unavailable, "the checkpoint can't be found"))?;
    Ok(Reply::of(MadeCheckpoint {
        checkpoint: Checkpoint {
            timestamp: made.at,
            data: made.data,
        },
    }))
}

fn last_checkpoint(
    operations: &Operations,
    run: RunId,
) -> Result<Option<CheckpointView>, RestError> {
    let input = json!({ "run": run });
    let all: Vec<CheckpointView> = operations.call("run_checkpoints", &input)?;
    Ok(all.into_iter().next_back())
}

fn roll_back(call: &Call<Nothing, RollbackBody>) -> Result<Reply<ChangedPlan>, RestError> {
    let operations = call.operations();
    let none = || {
        RestError::new(ErrorCode::NoCheckpoint, "the plan has no checkpoint")
            .with_fix("make one first with POST /api/plans/{plan}/checkpoint")
    };
    let run = unchanged(call)?.view.last_run.ok_or_else(none)?.id;
    let last = last_checkpoint(&operations, run)?.ok_or_else(none)?;
    let input = json!({ "run": run, "checkpoint": last.number, "files": call.body.files });
    let _: RunSummary = operations.call("run_rollback", &input)?;
    plan_reply(call, "Plan rolled back.")
}
