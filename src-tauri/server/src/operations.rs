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

/// Carries out an operation. An empty body is the input of an operation that needs nothing.
pub(crate) async fn call(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(name): Path<String>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<Value>, ErrorResponse> {
    let input = parse_input(&name, &body.map_err(body_error)?)?;
    // An operation may wait for a disk or another process; the threads that serve requests must not.
    let work = tokio::task::spawn_blocking(move || {
        let actor = caller.actor(&app, &name)?;
        baton_api::call(&app.acting_as(actor), &name, input)
    });
    match work.await {
        Ok(answer) => Ok(Json(answer?)),
        Err(error) => {
            tracing::error!(%error, "an operation did not come to its end");
            Err(ErrorResponse::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                Code::Internal,
                "Baton failed at this; its log tells more",
            ))
        }
    }
}

fn parse_input(name: &str, body: &[u8]) -> Result<Value, ErrorResponse> {
    if body.is_empty() {
        return Ok(Value::Null);
    }
    serde_json::from_slice(body).map_err(|error| {
        let message = format!("the input of {name} is not JSON: {error}");
        ErrorResponse::new(StatusCode::BAD_REQUEST, Code::BadInput, message)
    })
}

fn body_error(rejection: BytesRejection) -> ErrorResponse {
    // It was read already, within its limits: see `connections::body`.
    ErrorResponse::new(
        rejection.status(),
        Code::BadInput,
        "The input broke off. Send it again.",
    )
}
