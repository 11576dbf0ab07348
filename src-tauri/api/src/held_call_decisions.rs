//! Operations on held calls: showing, allowing, and denying them.
//!
//! Allowing a call runs its operation, so this module and the list of operations import each other.

use baton_planning::plan_versions::plan_version;
use baton_store::{Actor, HeldCallOutcome, HeldCallRow, NewHeldCall};

use crate::held_calls::{end, outdated_outcome, refresh, waiting};
use crate::operations;
use crate::questions;
use crate::run_requests;
use crate::wire::*;
use crate::{ApiError, App, Code};

/// Lists waiting calls, oldest first.
pub(crate) fn list(app: &App, _: Nothing) -> Result<Vec<RequestView>, ApiError> {
    let waiting = waiting(app)?;
    waiting.into_iter().map(|row| view(app, row)).collect()
}

/// Returns a call with its outcome. Sessions and agents see only their own.
pub(crate) fn get(app: &App, input: RequestRef) -> Result<RequestView, ApiError> {
    let row = app.store.held_calls().get(input.request)?;
    let actor = app.actor();
    if matches!(actor, Actor::Session(_) | Actor::Agent(_)) && actor != row.call.actor {
        return Err(ApiError::new(
            Code::Forbidden,
            "this request was made by another caller",
        ));
    }
    view(app, refresh(app, row)?)
}

/// Carries out a waiting call on behalf of the person who allowed it.
pub(crate) fn allow(app: &App, input: RequestRef) -> Result<RequestView, ApiError> {
    let id = input.request;
    let call = app.store.held_calls().get(id)?.call;
    if call.operation == questions::OPERATION {
        let error = ApiError::new(Code::BadInput, "a question is answered with words");
        return Err(error.with_fix(format!("use `baton request answer {id} TEXT`")));
    }
    if let Some(outcome) = outdated_outcome(app, &call)? {
        end(app, id, &outcome)?;
        return Err(match outcome {
            HeldCallOutcome::RunEnded => ApiError::new(
                Code::Conflict,
                "the run that made this request has ended, so the request is no longer valid",
            ),
            _ => ApiError::new(
                Code::Conflict,
                "the plan has changed since this request was made",
            )
            .with_fix("review the current plan; the agent can ask again"),
        });
    }
    // Record the decision before running the call, so that only one of two concurrent approvals
    // runs it.
    if !app
        .store
        .held_calls()
        .resolve(id, &HeldCallOutcome::Allowed, &app.actor(), app.now())?
    {
        return Err(ApiError::new(
            Code::Conflict,
            "this request has already been answered",
        ));
    }
    // Calling the operation again would only ask again, unless a person does.
    let done = if call.operation == run_requests::OPERATION {
        run_requests::start_allowed(app, call.input)
    } else {
        operations::dispatch(app, &call.operation, call.input).map(drop)
    };
    if let Err(error) = done {
        app.store.held_calls().record_failure(id, &error.message)?;
        return Err(error);
    }
    view(app, app.store.held_calls().get(id)?)
}

/// Answers a question of a session with words.
pub(crate) fn answer(app: &App, input: QuestionAnswer) -> Result<RequestView, ApiError> {
    let text = input.answer.trim();
    if text.is_empty() || text.len() > questions::MAX_BYTES {
        let message = format!("an answer has 1 to {} bytes", questions::MAX_BYTES);
        return Err(ApiError::new(Code::BadInput, message));
    }
    let calls = app.store.held_calls();
    let row = refresh(app, calls.get(input.request)?)?;
    if row.call.operation != questions::OPERATION {
        let error = ApiError::new(Code::BadInput, "this request is not a question");
        return Err(error.with_fix("allow or deny it"));
    }
    let outcome = HeldCallOutcome::Answered {
        text: text.to_owned(),
    };
    if row.outcome.is_some() || !calls.resolve(input.request, &outcome, &app.actor(), app.now())? {
        let message = "this question was answered before, or its run has ended";
        return Err(ApiError::new(Code::Conflict, message));
    }
    view(app, calls.get(input.request)?)
}

/// Denies a waiting call.
pub(crate) fn refuse(app: &App, input: RequestRef) -> Result<RequestView, ApiError> {
    let id = input.request;
    app.store.held_calls().get(id)?;
    if !app
        .store
        .held_calls()
        .resolve(id, &HeldCallOutcome::Refused, &app.actor(), app.now())?
    {
        return Err(ApiError::new(
            Code::Conflict,
            "this request has already been answered",
        ));
    }
    view(app, app.store.held_calls().get(id)?)
}

/// A call as shown to people.
pub(crate) fn view(app: &App, row: HeldCallRow) -> Result<RequestView, ApiError> {
    let call = row.call;
    let summary = operations::find(&call.operation)
        .map(|operation| operation.summary)
        .unwrap_or_default();
    let plan = call.plan.map(|(plan, _)| plan);
    let title = |plan| {
        app.store
            .plans()
            .current(plan)
            .map(|(_, plan)| plan.title)
            .ok()
    };
    Ok(RequestView {
        id: call.id,
        of: origin(app, &call)?,
        actor: call.actor,
        operation: call.operation,
        summary: summary.to_owned(),
        input: call.input,
        plan,
        plan_title: plan.and_then(title),
        asked_at: call.asked_at,
        outcome: row.outcome,
        decided_by: row.decided_by,
        decided_at: row.decided_at,
    })
}

fn origin(app: &App, call: &NewHeldCall) -> Result<Option<RequestOrigin>, ApiError> {
    let (Some((run, node)), Actor::Session(session)) = (call.run_node, &call.actor) else {
        return Ok(None);
    };
    let row = app.store.runs().get(run)?;
    let plan = plan_version(app.context(), row.plan, row.version)?;
    Ok(plan.node(node).map(|node| RequestOrigin {
        session: *session,
        run,
        plan: row.plan,
        plan_title: plan.title.clone(),
        node: node.id,
        slug: node.slug.clone(),
        title: node.title.clone(),
    }))
}
