//! Error handlers of failed runs: the links between both runs, and why one did not start.

use baton_model::run::{HandlerOutcome, HandlerProblem, HandlerState};
use baton_model::{PlanId, RunId, RunState};
use baton_planning::error_handlers::{self, HandlerStart};
use baton_planning::plan_versions::plan_version;
use baton_store::{RunRow, StoreError};

use crate::wire::*;
use crate::{ApiError, App, Code, run_summary};

/// How many of the last ended runs are checked for a handler that did not start.
const INBOX_LIMIT: u32 = 1_000;

/// The failed run for which `run` was started.
pub(crate) fn handled_run(app: &App, run: RunId) -> Result<Option<HandledRun>, ApiError> {
    let caller = app.store.run_events().caller(run)?;
    let Some(failed) = caller.as_ref().and_then(|caller| caller.handles.as_ref()) else {
        return Ok(None);
    };
    Ok(Some(HandledRun {
        run: failed.run,
        plan: failed.plan,
        number: failed.number,
        title: failed.title.clone(),
        is_deleted: find_run(app, failed.run)?.is_none(),
    }))
}

/// What became of the error handler of a failed run.
pub(crate) fn handler_view(app: &App, row: &RunRow) -> Result<Option<HandlerView>, ApiError> {
    Ok(match row.state.handler() {
        None => None,
        Some(HandlerState::Due { plan, .. }) => Some(HandlerView::Due {
            name: NamedHandler::find(app, row.plan, plan)?.title,
        }),
        Some(HandlerState::Started { run, .. }) => Some(HandlerView::Started {
            handler: handler_run(app, *run)?,
        }),
        Some(HandlerState::NotStarted { plan, problem, .. }) => {
            let handler = NamedHandler::find(app, row.plan, plan)?;
            Some(HandlerView::NotStarted {
                message: describe_problem(&handler.title, problem),
                fix: fix_for(problem).to_owned(),
                plan: handler.plan,
            })
        }
    })
}

/// The plan that a run names as its error handler, as it is now.
struct NamedHandler {
    /// `None` if there isn't exactly one such plan.
    plan: Option<PlanId>,
    /// Its title, or the name in the setting.
    title: String,
}

impl NamedHandler {
    fn find(app: &App, failed: PlanId, name: &str) -> Result<Self, ApiError> {
        let plan = error_handlers::find_handler(app.context(), failed, name)?;
        let title = match plan {
            Some(plan) => app.store.plans().current(plan)?.1.title.clone(),
            None => name.to_owned(),
        };
        Ok(Self { plan, title })
    }
}

fn handler_run(app: &App, run: RunId) -> Result<Option<HandlerRun>, ApiError> {
    let Some(row) = find_run(app, run)? else {
        return Ok(None);
    };
    let plan = plan_version(app.context(), row.plan, row.version)?;
    Ok(Some(HandlerRun {
        run,
        plan: row.plan,
        number: row.number,
        title: plan.title.clone(),
        state: row.state,
    }))
}

/// `None` if the run or its plan was deleted.
fn find_run(app: &App, run: RunId) -> Result<Option<RunRow>, ApiError> {
    match app.store.runs().get(run) {
        Err(StoreError::NotFound { .. } | StoreError::PlanDeleted { .. }) => Ok(None),
        row => Ok(Some(row?)),
    }
}

/// Starts the error handler of a failed run, after it was refused and a person has fixed the cause.
pub(crate) fn start(app: &App, input: RunRef) -> Result<RunSummary, ApiError> {
    match error_handlers::start_refused(app.context(), input.run)? {
        HandlerStart::Started { run } => run_summary::summary(app, app.store.runs().get(run)?),
        HandlerStart::Refused { plan, problem } => {
            let failed = app.store.runs().get(input.run)?.plan;
            let handler = NamedHandler::find(app, failed, &plan)?;
            let message = describe_problem(&handler.title, &problem);
            Err(ApiError::new(Code::Refused, message).with_fix(fix_for(&problem)))
        }
        HandlerStart::NotRefused => {
            let message = "no error handler of this run waits for you";
            let fix = "reload the run: it was rerun, or its error handler has started";
            Err(ApiError::new(Code::Refused, message).with_fix(fix))
        }
    }
}

/// Items for failed runs whose handler could not be started. A later run of the plan removes them.
pub(crate) fn inbox_items(app: &App) -> Result<Vec<InboxItem>, ApiError> {
    let runs = app.store.runs();
    let mut items = Vec::new();
    for row in runs.with_handler("not_started", INBOX_LIMIT)?.rows {
        if !runs.is_followed(&row)? {
            items.extend(inbox_item(app, &row)?);
        }
    }
    Ok(items)
}

fn inbox_item(app: &App, row: &RunRow) -> Result<Option<InboxItem>, ApiError> {
    let RunState::Failed {
        handler: Some(HandlerState::NotStarted { plan, problem, .. }),
        ..
    } = &row.state
    else {
        return Ok(None);
    };
    let title = plan_version(app.context(), row.plan, row.version)?
        .title
        .clone();
    Ok(Some(InboxItem {
        run: row.id,
        plan: row.plan,
        plan_title: title,
        node: None,
        path: Vec::new(),
        since: row.ended_at.unwrap_or(row.created_at),
        ask: InboxRequest::HandlerNotStarted {
            message: describe_problem(&NamedHandler::find(app, row.plan, plan)?.title, problem),
            fix: fix_for(problem).to_owned(),
        },
    }))
}

/// What became of a handler, for the history of the failed run.
pub(crate) fn describe_outcome(outcome: &HandlerOutcome) -> String {
    match outcome {
        HandlerOutcome::Started { run, .. } => format!("the error handler was started: run {run}"),
        HandlerOutcome::NotStarted { problem } => {
            let reason = reason(problem);
            format!(
                "the error handler did not start: {reason}; {}",
                fix_for(problem)
            )
        }
    }
}

fn describe_problem(title: &str, problem: &HandlerProblem) -> String {
    format!(
        "the error handler '{title}' did not start: {}",
        reason(problem)
    )
}

fn reason(problem: &HandlerProblem) -> String {
    match problem {
        HandlerProblem::Unknown => "there is no such plan".to_owned(),
        HandlerProblem::Ambiguous => "several plans have that title".to_owned(),
        HandlerProblem::Itself => "it is the plan that failed".to_owned(),
        HandlerProblem::NotApproved => "no version of it is approved".to_owned(),
        HandlerProblem::Outdated => {
            "files that its criteria run have changed since its approval".to_owned()
        }
        HandlerProblem::Refused { detail } => detail.clone(),
    }
}

fn fix_for(problem: &HandlerProblem) -> &'static str {
    match problem {
        HandlerProblem::Unknown | HandlerProblem::Itself => "choose another error handler",
        HandlerProblem::Ambiguous => "rename one of them, or choose it again",
        HandlerProblem::NotApproved => "review and approve it, then start it",
        HandlerProblem::Outdated => "review the changes, approve it again, then start it",
        HandlerProblem::Refused { .. } => "fix the cause, then start it",
    }
}
