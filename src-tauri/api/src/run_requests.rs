//! Runs that agents ask for: a person allows each, or lets agents start the approved version of a
//! plan.
//!
//! The request waits in the Inbox like any held call. A request that needs no person is carried out
//! by a process that executes runs, never by the shell command that an agent's tool server is.

use std::io;
use std::thread;

use baton_model::{RunId, Timestamp};
use baton_planning::approvals;
use baton_store::{Actor, ExecutorKind, HeldCallId, HeldCallOutcome, HeldCallRow};
use serde::Deserialize;
use serde_json::Value;

use crate::wire::*;
use crate::{ApiError, App, Code, Role, admission, executors, held_calls, runs};

/// The operation's name, under which requests are held.
pub(crate) const OPERATION: &str = "run_request";

/// Asks for a run. A person who asks starts it at once.
pub(crate) fn request(app: &App, input: RunRequest) -> Result<RunRequested, ApiError> {
    refuse_other_versions(app, &input)?;
    let actor = app.actor();
    if actor.is_person() {
        let run = start(app, &input)?;
        return view(app, RunRequestState::Started, None, Some(run), None);
    }
    let id = hold(app, &input)?;
    if executes_requests(app, &actor) {
        carry_out(app, id)?;
    }
    let row = held_calls::refresh(app, app.store.held_calls().get(id)?)?;
    requested(app, &row, &input)
}

/// Refuses anything but the current version of the plan, if it is approved.
fn refuse_other_versions(app: &App, input: &RunRequest) -> Result<(), ApiError> {
    let (record, content) = app.store.plans().current(input.plan)?;
    if record.version != input.version {
        let message = format!(
            "the plan is at version {}, not {}",
            record.version, input.version
        );
        return Err(ApiError::new(Code::Conflict, message)
            .with_fix("read the plan again, then ask for its current version"));
    }
    Ok(approvals::require(app.context(), &record, &content)?)
}

fn hold(app: &App, input: &RunRequest) -> Result<HeldCallId, ApiError> {
    let value = serde_json::to_value(input)
        .map_err(|error| ApiError::new(Code::Internal, error.to_string()))?;
    let waiting = held_calls::hold(app, OPERATION, &value)?;
    waiting.request.ok_or(waiting)
}

/// Starts the run that a held request asks for, on behalf of whoever allowed it.
pub(crate) fn start_allowed(app: &App, input: Value) -> Result<(), ApiError> {
    let input: RunRequest = serde_json::from_value(input)
        .map_err(|error| ApiError::new(Code::BadInput, error.to_string()))?;
    refuse_other_versions(app, &input)?;
    start(app, &input).map(drop)
}

/// Whether this process may start runs for `actor`. A session's call is served by a process that
/// executes runs.
fn executes_requests(app: &App, actor: &Actor) -> bool {
    app.role != Role::Cli || matches!(actor, Actor::Session(_))
}

fn start(app: &App, input: &RunRequest) -> Result<RunId, ApiError> {
    let start = RunStart {
        plan: input.plan,
        goal: RunGoal::All,
        limit: None,
        base_revision: None,
        finished: Vec::new(),
    };
    Ok(runs::start(app, start)?.summary.id)
}

/// Starts the run of a waiting request that needs no person. Does nothing for other requests, and
/// if another process is quicker.
fn carry_out(app: &App, id: HeldCallId) -> Result<(), ApiError> {
    let calls = app.store.held_calls();
    let row = held_calls::refresh(app, calls.get(id)?)?;
    let call = row.call;
    let is_open = row.outcome.is_none() && call.operation == OPERATION;
    let Ok(input) = RunRequest::deserialize(&call.input) else {
        return Ok(());
    };
    if !is_open || !admission::may_start_approved_plan(app, input.plan)? {
        return Ok(());
    }
    if !calls.resolve(id, &HeldCallOutcome::Allowed, &Actor::Baton, app.now())? {
        return Ok(());
    }
    if let Err(error) = start(&app.acting_as(call.actor), &input) {
        calls.record_failure(id, &error.message)?;
    }
    Ok(())
}

/// What became of a request.
fn requested(app: &App, row: &HeldCallRow, input: &RunRequest) -> Result<RunRequested, ApiError> {
    let mut message = None;
    let state = match &row.outcome {
        None if admission::may_start_approved_plan(app, input.plan)? => {
            RunRequestState::WaitsForExecutor
        }
        None => RunRequestState::WaitsForPerson,
        Some(HeldCallOutcome::Allowed) => RunRequestState::Started,
        Some(HeldCallOutcome::Failed { message: why }) => {
            message = Some(why.clone());
            RunRequestState::Failed
        }
        Some(HeldCallOutcome::Refused) => RunRequestState::Denied,
        Some(
            HeldCallOutcome::Outdated
            | HeldCallOutcome::RunEnded
            | HeldCallOutcome::Answered { .. },
        ) => RunRequestState::Outdated,
    };
    let run = match state {
        RunRequestState::Started => started_run(app, row.call.asked_at, input)?,
        _ => None,
    };
    view(app, state, Some(row.call.id), run, message)
}

/// The run that was started or continued for a request, or a later one; `None` for the moment
/// between the permission and the start. A plan has one run at a time.
fn started_run(
    app: &App,
    asked_at: Timestamp,
    input: &RunRequest,
) -> Result<Option<RunId>, ApiError> {
    let rows = app.store.runs().list(Some(input.plan), 1)?.rows;
    let latest = rows.into_iter().find(|row| {
        let is_requested = row.created_at >= asked_at || !row.state.has_ended();
        row.version == input.version && row.parent.is_none() && is_requested
    });
    Ok(latest.map(|row| row.id))
}

fn view(
    app: &App,
    state: RunRequestState,
    request: Option<HeldCallId>,
    run: Option<RunId>,
    message: Option<String>,
) -> Result<RunRequested, ApiError> {
    let alive = executors::list(app, Nothing {})?.executors;
    let executes = |executor: &ExecutorView| {
        executor.kind != ExecutorKind::Cli && executor.health != ExecutorHealth::Gone
    };
    Ok(RunRequested {
        state,
        request,
        run,
        message,
        has_executor: alive.iter().any(executes),
    })
}

/// Starts requested runs that need no person, now and whenever requests or plans change.
pub(crate) fn follow(app: &App) -> io::Result<()> {
    let changes = app.changes();
    let weak = app.downgrade();
    thread::Builder::new()
        .name("run-requests".to_owned())
        .spawn(move || {
            loop {
                let Some(app) = weak.upgrade() else { return };
                if let Err(error) = carry_out_all(&app) {
                    tracing::warn!(%error, "couldn't start the runs that agents asked for");
                }
                drop(app);
                loop {
                    match changes.recv() {
                        Some(Change::Requests | Change::Plan { .. } | Change::All) => break,
                        Some(_) => {}
                        None => return,
                    }
                }
            }
        })?;
    Ok(())
}

fn carry_out_all(app: &App) -> Result<(), ApiError> {
    for row in app.store.held_calls().list_open()? {
        carry_out(app, row.call.id)?;
    }
    Ok(())
}
