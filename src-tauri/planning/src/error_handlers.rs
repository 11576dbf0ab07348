//! Starting the plan that another one names for its failures, once for each end of a run.
//!
//! A run that has failed says in its state that its handler is due, and with which event it failed.
//! The ID of the handler's run is derived from both, and the store refuses it once the handler is no
//! longer due. So it starts exactly once, even if several processes see the failure or one dies in
//! between. A run that a person reruns before the handler has started needs none; if it fails again,
//! that is another failure with another handler run.

mod facts;

use std::sync::Arc;

use baton_model::run::{Caller, Command, FailedRun, HandlerOutcome, HandlerProblem, HandlerState};
use baton_model::{Plan, PlanId, ReviewState, RunId};
use baton_store::RunRow;
use uuid::Uuid;

use crate::approvals::ApprovalStatus;
use crate::named_plan::{UnresolvedName, find_named};
use crate::plan_versions::plan_version;
use crate::{Context, PlanningError, RefusalReason, approvals, preflight};

/// How many of the last ended runs are looked at after a restart.
const CATCH_UP_LIMIT: u32 = 10_000;

/// Starts the error handler of `run`, if it has failed and its handler is due. Returns the run of
/// the handler, even if another process started it.
pub fn start_if_due(context: &Context, run: RunId) -> Result<Option<RunId>, PlanningError> {
    let row = context.store.runs().get(run)?;
    if let Some(HandlerState::Due { plan, end }) = row.state.handler()
        && row.parent.is_none()
        && !awaits_replan(context, run)?
        && !context.store.runs().lacks_approval_after_import(run)?
    {
        let (plan, end) = (plan.clone(), *end);
        decide(context, &row, &plan, end)?;
    }
    let state = context.store.runs().get(run)?.state;
    Ok(match state.handler() {
        Some(HandlerState::Started { run, .. }) => Some(*run),
        _ => None,
    })
}

/// What became of a handler that a person starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HandlerStart {
    /// It was started, by this call or an earlier one.
    Started {
        /// The handler's run.
        run: RunId,
    },
    /// It still can't be started.
    Refused {
        /// The plan's title or ID, as in the setting.
        plan: String,
        /// Why.
        problem: HandlerProblem,
    },
    /// The run has no handler that was refused: it was rerun, or never had one.
    NotRefused,
}

/// Starts the error handler of `run` after it was refused. Like the automatic start, it has an
/// effect once for each failure.
pub fn start_refused(context: &Context, run: RunId) -> Result<HandlerStart, PlanningError> {
    let row = context.store.runs().get(run)?;
    // States that earlier versions stored don't say which event ended the run. The history does.
    let (failed, _) = context.store.runs().replay(run)?;
    let (plan, end) = match failed.state().handler() {
        Some(HandlerState::Started { run, .. }) => return Ok(HandlerStart::Started { run: *run }),
        Some(HandlerState::NotStarted {
            plan,
            end: Some(end),
            ..
        }) => (plan.clone(), *end),
        _ => return Ok(HandlerStart::NotRefused),
    };
    match start(context, &row, &plan, end)? {
        None => Ok(HandlerStart::NotRefused),
        Some(HandlerOutcome::NotStarted { problem }) => Ok(HandlerStart::Refused { plan, problem }),
        Some(outcome @ HandlerOutcome::Started { run, .. }) => {
            baton_engine::crash_point("after handler");
            let command = Command::DecideHandler { end, outcome };
            context.engine.command(row.id, command, context.actor())?;
            Ok(HandlerStart::Started { run })
        }
    }
}

/// The plan that the error handler `name` of a run of `failed` is now; `None` if there isn't
/// exactly one, or if it is `failed` itself.
pub fn find_handler(
    context: &Context,
    failed: PlanId,
    name: &str,
) -> Result<Option<PlanId>, PlanningError> {
    let known = context.store.plans().list()?.rows;
    let found = find_named(&known, name).ok();
    Ok(found.filter(|plan| *plan != failed))
}

/// Starts the handlers that became due while no long-running process existed.
pub(crate) fn catch_up(context: &Context) -> Result<(), PlanningError> {
    for row in context
        .store
        .runs()
        .with_handler("due", CATCH_UP_LIMIT)?
        .rows
    {
        start_logged(context, row.id);
    }
    for row in context
        .store
        .runs()
        .with_handler("not_started", CATCH_UP_LIMIT)?
        .rows
    {
        record_started(context, &row)?;
    }
    Ok(())
}

/// Records that a refused handler was started, if the process that started it died before that.
fn record_started(context: &Context, row: &RunRow) -> Result<(), PlanningError> {
    if let Some(HandlerState::NotStarted { end: Some(end), .. }) = row.state.handler()
        && let Some(outcome) = started(context, handler_run_id(row.id, *end))
    {
        let command = Command::DecideHandler { end: *end, outcome };
        context.engine.command(row.id, command, context.actor())?;
    }
    Ok(())
}

/// Does it for a run that changed.
pub(crate) fn start_logged(context: &Context, run: RunId) {
    match start_if_due(context, run) {
        Ok(_) => {}
        Err(error) if error.is_not_found() => {}
        Err(error) => tracing::warn!(%run, %error, "couldn't start the error handler of a run"),
    }
}

/// Whether a new version of the plan may still continue the run. Its end wakes this up again.
fn awaits_replan(context: &Context, run: RunId) -> Result<bool, PlanningError> {
    let about = context.store.proposals().about_run(run)?.rows;
    Ok(about
        .iter()
        .any(|row| row.proposal.state.replan_end().is_none()))
}

fn decide(context: &Context, row: &RunRow, name: &str, end: u64) -> Result<(), PlanningError> {
    baton_engine::crash_point("before handler");
    let Some(outcome) = start(context, row, name, end)? else {
        return Ok(());
    };
    baton_engine::crash_point("after handler");
    let command = Command::DecideHandler { end, outcome };
    Ok(context.engine.command(row.id, command, context.actor())?)
}

/// Starts the handler, or returns why a person has to do something first; `None` if it is no longer
/// due. After an error it is tried again later.
fn start(
    context: &Context,
    row: &RunRow,
    name: &str,
    end: u64,
) -> Result<Option<HandlerOutcome>, PlanningError> {
    let run = handler_run_id(row.id, end);
    if let Some(started) = started(context, run) {
        return Ok(Some(started));
    }
    let not_started = |problem| Ok(Some(HandlerOutcome::NotStarted { problem }));
    let (plan, version) = match approved_version(context, row.plan, name)? {
        Ok(found) => found,
        Err(problem) => return not_started(problem),
    };
    if let Err(error) = require_runnable(context, &plan) {
        return refusal(error).and_then(not_started);
    }
    let received = Caller::of_handler(failed_run(context, row, end)?, facts::of(context, row)?);
    let begun = context.engine.begin_handler(run, plan, version, received);
    // Another process may have been quicker, and it is the same run.
    match (begun, started(context, run)) {
        (_, Some(started)) => Ok(Some(started)),
        (Err(_), None) if !may_start(context, row.id, end)? => Ok(None),
        (begun, None) => Ok(begun.map(|()| None)?),
    }
}

fn started(context: &Context, run: RunId) -> Option<HandlerOutcome> {
    let known = context.store.runs().get(run).ok()?;
    let plan = known.plan;
    Some(HandlerOutcome::Started { run, plan })
}

fn may_start(context: &Context, run: RunId, failure: u64) -> Result<bool, PlanningError> {
    let state = context.store.runs().get(run)?.state;
    Ok(state
        .handler()
        .is_some_and(|handler| handler.may_start(failure)))
}

/// Checks the handler as it runs: its own error handler is ignored.
fn require_runnable(context: &Context, plan: &Plan) -> Result<(), PlanningError> {
    let mut plan = plan.clone();
    plan.settings.on_failure = None;
    preflight::require_runnable(context, &plan)
}

fn refusal(error: PlanningError) -> Result<HandlerProblem, PlanningError> {
    match error {
        PlanningError::Refused(refused) if refused.reason == RefusalReason::Refused => {
            let detail = refused.faults.first().unwrap_or(&refused.message).clone();
            Ok(HandlerProblem::Refused { detail })
        }
        error => Err(error),
    }
}

/// Differs for each failure of each run.
fn handler_run_id(run: RunId, end: u64) -> RunId {
    RunId(Uuid::from_u128(run.0.as_u128().wrapping_add(end.into())))
}

fn failed_run(context: &Context, row: &RunRow, end: u64) -> Result<FailedRun, PlanningError> {
    let plan = plan_version(context, row.plan, row.version)?;
    Ok(FailedRun {
        run: row.id,
        end,
        plan: row.plan,
        number: row.number,
        title: plan.title.clone(),
    })
}

/// The newest approved version of the plan that `name` identifies.
fn approved_version(
    context: &Context,
    failed: PlanId,
    name: &str,
) -> Result<Result<(Arc<Plan>, u32), HandlerProblem>, PlanningError> {
    let known = context.store.plans().list()?.rows;
    let plan = match find_named(&known, name) {
        Ok(plan) if plan == failed => return Ok(Err(HandlerProblem::Itself)),
        Ok(plan) => plan,
        Err(UnresolvedName::Unknown) => return Ok(Err(HandlerProblem::Unknown)),
        Err(UnresolvedName::Ambiguous { .. }) => return Ok(Err(HandlerProblem::Ambiguous)),
    };
    let Some(version) = approvals::newest_approved(context, plan)? else {
        return Ok(Err(HandlerProblem::NotApproved));
    };
    let mut record = context.store.plans().record(plan)?;
    // The status of that version, whatever became of later ones.
    (record.version, record.review) = (version, ReviewState::Approved);
    let content = plan_version(context, plan, version)?;
    Ok(
        match approvals::approval_status(context, &record, &content)? {
            ApprovalStatus::Approved => Ok((content, version)),
            ApprovalStatus::NotApproved => Err(HandlerProblem::NotApproved),
            ApprovalStatus::Outdated(_) => Err(HandlerProblem::Outdated),
        },
    )
}
