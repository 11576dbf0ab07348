//! Operations on calls of agents that only a person may carry out. Each waits in the inbox.

use baton_model::PlanId;
use baton_store::{
    Actor, HELD_CALLS_OF_ACTOR, Held, HeldCallId, HeldCallOutcome, HeldCallRow, NewHeldCall,
};
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use crate::operation::{self, Operation};
use crate::wire::*;
use crate::{ApiError, App, Code, plans};

/// Holds a call for a person. The answer to whoever called is this error.
pub(crate) fn hold(app: &App, operation: &Operation, input: &Value) -> Result<ApiError, ApiError> {
    let actor = app.actor();
    let of = match &actor {
        Actor::Session(session) => Some(
            app.store
                .sessions()
                .get(*session)
                .map(|row| (row.run, row.node))?,
        ),
        _ => None,
    };
    let call = NewHeldCall {
        id: HeldCallId(Uuid::now_v7()),
        actor,
        of,
        operation: operation.name.to_owned(),
        input: input.clone(),
        plan: plan_of(app, input)?,
        asked_at: app.now(),
    };
    // What has ended by itself no longer counts among the calls that wait.
    end_overtaken(app)?;
    match app.store.held_calls().add(&call)? {
        Held::Waits(id) => {
            let message = "only a person may do this, so it waits in the Inbox";
            Ok(ApiError {
                request: Some(id),
                ..ApiError::new(Code::WaitsForPerson, message).with_fix(format!(
                    "a person can look at it with `baton request show {id}`"
                ))
            })
        }
        Held::TooMany => {
            let message = format!("{HELD_CALLS_OF_ACTOR} requests wait for a person already");
            Ok(ApiError::new(Code::Busy, message).with_fix("wait until they are answered"))
        }
    }
}

/// The plan that an input is about, at the revision it has now: a person allows what the caller saw.
fn plan_of(app: &App, input: &Value) -> Result<Option<(PlanId, u64)>, ApiError> {
    let Some(plan) = input
        .get("plan")
        .and_then(|plan| PlanId::deserialize(plan).ok())
    else {
        return Ok(None);
    };
    let record = app.store.plans().record(plan)?;
    Ok(Some((plan, record.revision)))
}

/// Lists the calls that wait for a person, the oldest first.
pub(crate) fn list(app: &App, _: Nothing) -> Result<Vec<RequestView>, ApiError> {
    let waiting = waiting(app)?;
    waiting.into_iter().map(|row| view(app, row)).collect()
}

/// The calls that wait for a person, without those that have ended with their run or their plan's revision.
pub(crate) fn waiting(app: &App) -> Result<Vec<HeldCallRow>, ApiError> {
    let mut waiting = Vec::new();
    for row in app.store.held_calls().open()? {
        if overtaken(app, &row.call)?.is_none() {
            waiting.push(row);
        }
    }
    Ok(waiting)
}

/// Stores the end of the calls that have ended with their run or their plan's revision.
fn end_overtaken(app: &App) -> Result<(), ApiError> {
    for row in app.store.held_calls().open()? {
        if let Some(outcome) = overtaken(app, &row.call)? {
            end(app, row.call.id, &outcome)?;
        }
    }
    Ok(())
}

fn end(app: &App, id: HeldCallId, outcome: &HeldCallOutcome) -> Result<bool, ApiError> {
    let calls = app.store.held_calls();
    Ok(calls.end(id, outcome, &Actor::Baton, app.now())?)
}

/// A call as it is by now: one that was overtaken has ended, whether or not that is stored.
fn current(app: &App, row: HeldCallRow) -> Result<HeldCallRow, ApiError> {
    if row.outcome.is_some() {
        return Ok(row);
    }
    Ok(match overtaken(app, &row.call)? {
        None => row,
        Some(outcome) => HeldCallRow {
            outcome: Some(outcome),
            decided_by: Some(Actor::Baton),
            ..row
        },
    })
}

/// Why a call can no longer be allowed.
fn overtaken(app: &App, call: &NewHeldCall) -> Result<Option<HeldCallOutcome>, ApiError> {
    if let Some((run, _)) = call.of
        && app.store.runs().get(run)?.state.has_ended()
    {
        return Ok(Some(HeldCallOutcome::RunEnded));
    }
    let Some((plan, revision)) = call.plan else {
        return Ok(None);
    };
    let is_same = app
        .store
        .plans()
        .record(plan)
        .is_ok_and(|record| record.revision == revision);
    Ok((!is_same).then_some(HeldCallOutcome::Outdated))
}

/// Shows a call, or what became of it. A session and an agent see their own only.
pub(crate) fn get(app: &App, input: RequestRef) -> Result<RequestView, ApiError> {
    let row = app.store.held_calls().get(input.request)?;
    let actor = app.actor();
    if matches!(actor, Actor::Session(_) | Actor::Agent(_)) && actor != row.call.actor {
        return Err(ApiError::new(
            Code::Forbidden,
            "somebody else made this request",
        ));
    }
    view(app, current(app, row)?)
}

/// Carries out a call that waits, as the person who says so.
pub(crate) fn allow(app: &App, input: RequestRef) -> Result<RequestView, ApiError> {
    let id = input.request;
    let call = app.store.held_calls().get(id)?.call;
    if let Some(outcome) = overtaken(app, &call)? {
        end(app, id, &outcome)?;
        return Err(match outcome {
            HeldCallOutcome::RunEnded => ApiError::new(
                Code::Conflict,
                "the run that asked has ended, so this request has ended with it",
            ),
            _ => ApiError::new(Code::Conflict, "the plan has changed since this was asked")
                .with_fix("look at it again"),
        });
    }
    // First decided, then done: of two who allow it at once, one carries it out.
    if !app
        .store
        .held_calls()
        .end(id, &HeldCallOutcome::Allowed, &app.actor(), app.now())?
    {
        return Err(ApiError::new(
            Code::Conflict,
            "somebody has decided about this request already",
        ));
    }
    if let Err(error) = operation::answer(app, &call.operation, call.input) {
        app.store.held_calls().tell_failure(id, &error.message)?;
        return Err(error);
    }
    view(app, app.store.held_calls().get(id)?)
}

/// Says no to a call that waits.
pub(crate) fn refuse(app: &App, input: RequestRef) -> Result<RequestView, ApiError> {
    let id = input.request;
    app.store.held_calls().get(id)?;
    if !app
        .store
        .held_calls()
        .end(id, &HeldCallOutcome::Refused, &app.actor(), app.now())?
    {
        return Err(ApiError::new(
            Code::Conflict,
            "somebody has decided about this request already",
        ));
    }
    view(app, app.store.held_calls().get(id)?)
}

/// A call as people see it.
pub(crate) fn view(app: &App, row: HeldCallRow) -> Result<RequestView, ApiError> {
    let call = row.call;
    let summary = Operation::named(&call.operation)
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
    let (Some((run, node)), Actor::Session(session)) = (call.of, &call.actor) else {
        return Ok(None);
    };
    let row = app.store.runs().get(run)?;
    let plan = plans::content(app, row.plan, row.version)?;
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
