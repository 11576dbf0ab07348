//! `POST /api/operations/{name}`: JSON in, JSON out.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::{Extension, Path, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use baton_api::wire::RunWait;
use baton_api::{AccessLevel, App, Code, OPERATIONS};
use serde_json::Value;

use crate::connections::{BODY_LIMIT, Limits, ORDINARY_BODY_LIMIT, read_body, reject_and_close};
use crate::error_response::ErrorResponse;
use crate::guard::Caller;
use crate::waiting::WaitingRequests;

/// The operations whose input may be a whole plan.
const TAKING_PLANS: &[&str] = &[
    "plan_save",
    "plan_save_copy",
    "plan_check",
    "plan_import",
    "plan_bring",
    "plan_look",
    "plan_read",
    "plan_draw",
    "plan_arrange",
    "proposal_submit",
    "proposal_revise",
];

/// Calls an operation. An empty body stands for no input.
pub(crate) async fn call(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Extension(waiting): Extension<WaitingRequests>,
    Extension(limits): Extension<Limits>,
    Path(name): Path<String>,
    request: Request,
) -> Result<Json<Value>, Response> {
    // Whoever may not call it doesn't make the server read a large body.
    let checked = check_right(&app, &caller, &name).await;
    checked.map_err(reject_and_close)?;
    let (head, body) = request.into_parts();
    let body = read_body(limits, body_limit(&name), &head.headers, body).await?;
    answer(app, caller, waiting, name, &body)
        .await
        .map_err(IntoResponse::into_response)
}

/// The largest input of an operation, in bytes.
fn body_limit(operation: &str) -> usize {
    if TAKING_PLANS.contains(&operation) {
        BODY_LIMIT
    } else {
        ORDINARY_BODY_LIMIT
    }
}

async fn check_right(app: &Arc<App>, caller: &Caller, name: &str) -> Result<(), ErrorResponse> {
    // An unknown operation is reported as such.
    let known = OPERATIONS.iter().find(|operation| operation.name == name);
    let Some(operation) = known.filter(|operation| operation.right > AccessLevel::Read) else {
        return Ok(());
    };
    let app = app.acting_as(caller.bearer.clone());
    let check = move || baton_api::check_right(&app, operation.name, operation.right);
    let checked = tokio::task::spawn_blocking(check).await;
    Ok(checked.map_err(|_| internal_error())??)
}

async fn answer(
    app: Arc<App>,
    caller: Caller,
    waiting: WaitingRequests,
    name: String,
    body: &[u8],
) -> Result<Json<Value>, ErrorResponse> {
    let input = parse_input(&name, body)?;
    if let Some(wait) = RunWait::of_call(&name, &input) {
        return wait_for_run(app, caller, waiting, wait).await;
    }
    // An operation may wait for a disk or another process, and must not block the async threads.
    let work = tokio::task::spawn_blocking(move || {
        let actor = caller.actor(&app, &name)?;
        baton_api::call(&app.acting_as(actor), &name, input)
    });
    match work.await {
        Ok(answer) => Ok(Json(answer?)),
        Err(error) => {
            tracing::error!(%error, "an operation panicked");
            Err(internal_error())
        }
    }
}

/// Waits without holding a thread.
async fn wait_for_run(
    app: Arc<App>,
    caller: Caller,
    waiting: WaitingRequests,
    wait: RunWait,
) -> Result<Json<Value>, ErrorResponse> {
    let place = waiting.enter(&caller.bearer)?;
    let app = app.acting_as(caller.bearer);
    let (run, limit) = (wait.run, Duration::from_millis(wait.timeout_ms.into()));
    let look = move |is_last| wait.look(&app, is_last);
    let waited = waiting.wait(run, Some(limit), look).await;
    drop(place);
    let waited = waited.ok_or_else(internal_error)?;
    Ok(Json(waited?))
}

fn internal_error() -> ErrorResponse {
    ErrorResponse::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        Code::Internal,
        "Internal error. See Baton's log for details.",
    )
}

fn parse_input(name: &str, body: &[u8]) -> Result<Value, ErrorResponse> {
    if body.is_empty() {
        return Ok(Value::Null);
    }
    serde_json::from_slice(body).map_err(|error| {
        let message = format!("the input of {name} isn't valid JSON: {error}");
        ErrorResponse::new(StatusCode::BAD_REQUEST, Code::BadInput, message)
    })
}
