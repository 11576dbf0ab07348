//! `POST /api/operations/{name}`: JSON in, JSON out.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Extension, Path, State};
use axum::http::StatusCode;
use baton_api::{App, Code};
use serde_json::Value;

use crate::error_response::ErrorResponse;
use crate::guard::Caller;

/// Calls an operation. An empty body stands for no input.
pub(crate) async fn call(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(name): Path<String>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<Value>, ErrorResponse> {
    let input = parse_input(&name, &body.map_err(body_error)?)?;
    // An operation may wait for a disk or another process, and must not block the async threads.
    let work = tokio::task::spawn_blocking(move || {
        let actor = caller.actor(&app, &name)?;
        baton_api::call(&app.acting_as(actor), &name, input)
    });
    match work.await {
        Ok(answer) => Ok(Json(answer?)),
        Err(error) => {
            tracing::error!(%error, "an operation panicked");
            Err(ErrorResponse::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                Code::Internal,
                "Internal error. See Baton's log for details.",
            ))
        }
    }
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

fn body_error(rejection: BytesRejection) -> ErrorResponse {
    // `connections::read_body` has already read the body within its limits.
    ErrorResponse::new(
        rejection.status(),
        Code::BadInput,
        "The request body was cut off. Send it again.",
    )
}
