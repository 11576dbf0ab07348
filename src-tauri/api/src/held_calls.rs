//! Holding calls for a person, and resolving those that are outdated because their run ended or
//! their plan changed.

use baton_model::PlanId;
use baton_store::{
    Actor, HeldCallId, HeldCallOutcome, HeldCallRow, HoldOutcome, MAX_HELD_CALLS_PER_ACTOR,
    NewHeldCall, StoreError,
};
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use crate::{ApiError, App, Code};

/// Holds a call of `operation` for a person. Returns the error to send to the caller.
pub(crate) fn hold(app: &App, operation: &str, input: &Value) -> Result<ApiError, ApiError> {
    let actor = app.actor();
    let run_node = match &actor {
        Actor::Session(session) => Some(
            app.store
                .sessions()
                .get(*session)
                .map(|row| (row.run, row.node))?,
        ),
        _ => None,
    };
    let (id, is_named) = id_of(&actor, operation, input);
    if is_named && let Some(error) = known(app, id, input)? {
        return Ok(error);
    }
    let call = NewHeldCall {
        id,
        actor,
        run_node,
        operation: operation.to_owned(),
        input: input.clone(),
        plan: plan_of(app, input)?,
        asked_at: app.now(),
    };
    // Outdated calls must not count toward the limit.
    resolve_outdated(app)?;
    match app.store.held_calls().add(&call)? {
        HoldOutcome::Waiting(id) => Ok(waits_for_person(id)),
        HoldOutcome::TooMany => {
            let message =
                format!("{MAX_HELD_CALLS_PER_ACTOR} requests are already waiting for a person");
            Ok(ApiError::new(Code::Busy, message).with_fix("wait until they are answered"))
        }
    }
}

fn waits_for_person(id: HeldCallId) -> ApiError {
    let message = "a person has to allow this, so it is waiting in the Inbox";
    ApiError {
        request: Some(id),
        ..ApiError::new(Code::WaitsForPerson, message).with_fix(format!(
            "a person can review it with `baton request show {id}`"
        ))
    }
}

/// The ID of a call, and whether it follows from the name that its caller gave it: then a repeated
/// call has the same ID.
fn id_of(actor: &Actor, operation: &str, input: &Value) -> (HeldCallId, bool) {
    let Some(name) = input.get("requestId").and_then(Value::as_str) else {
        return (HeldCallId(Uuid::now_v7()), false);
    };
    let text = format!("{actor}\n{operation}\n{name}");
    let id = Uuid::new_v5(&Uuid::NAMESPACE_OID, text.as_bytes());
    (HeldCallId(id), true)
}

/// The error for a call that its caller has made before under the same name.
fn known(app: &App, id: HeldCallId, input: &Value) -> Result<Option<ApiError>, ApiError> {
    let row = match app.store.held_calls().get(id) {
        Err(StoreError::NotFound { .. }) => return Ok(None),
        found => found?,
    };
    if row.call.input == *input {
        return Ok(Some(waits_for_person(id)));
    }
    let message = "this requestId was used for another request";
    Err(ApiError::new(Code::Conflict, message).with_fix("choose a new requestId"))
}

/// The plan that an input is about, at its current revision: a person approves what the caller saw.
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

/// Calls that wait for a person, without outdated ones.
pub(crate) fn waiting(app: &App) -> Result<Vec<HeldCallRow>, ApiError> {
    let mut waiting = Vec::new();
    for row in app.store.held_calls().list_open()? {
        if outdated_outcome(app, &row.call)?.is_none() {
            waiting.push(row);
        }
    }
    Ok(waiting)
}

/// Stores the outcome of outdated calls.
fn resolve_outdated(app: &App) -> Result<(), ApiError> {
    for row in app.store.held_calls().list_open()? {
        if let Some(outcome) = outdated_outcome(app, &row.call)? {
            end(app, row.call.id, &outcome)?;
        }
    }
    Ok(())
}

pub(crate) fn end(app: &App, id: HeldCallId, outcome: &HeldCallOutcome) -> Result<bool, ApiError> {
    let calls = app.store.held_calls();
    Ok(calls.resolve(id, outcome, &Actor::Baton, app.now())?)
}

/// A call in its current state. An outdated call has ended even if that isn't stored yet.
pub(crate) fn refresh(app: &App, row: HeldCallRow) -> Result<HeldCallRow, ApiError> {
    if row.outcome.is_some() {
        return Ok(row);
    }
    Ok(match outdated_outcome(app, &row.call)? {
        None => row,
        Some(outcome) => HeldCallRow {
            outcome: Some(outcome),
            decided_by: Some(Actor::Baton),
            ..row
        },
    })
}

/// Returns why a call can't be allowed any more.
pub(crate) fn outdated_outcome(
    app: &App,
    call: &NewHeldCall,
) -> Result<Option<HeldCallOutcome>, ApiError> {
    if let Some((run, _)) = call.run_node
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
