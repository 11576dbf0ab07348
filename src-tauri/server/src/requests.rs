//! `GET /api/requests/{id}`: the state of a call that waits for a person.

use std::sync::Arc;

use axum::extract::{Extension, Path, State};
use axum::{Json, http::StatusCode};
use baton_api::{App, Code};
use serde_json::{Value, json};

use crate::error_response::ErrorResponse;
use crate::guard::Caller;

/// Returns the request with its `state`: `waits_for_person` or its outcome.
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Json<Value>, ErrorResponse> {
    let look = move || {
        baton_api::call(
            &app.acting_as(caller.bearer),
            "request_get",
            json!({ "request": id }),
        )
    };
    let looked = tokio::task::spawn_blocking(look).await;
    let broken = |_| {
        ErrorResponse::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            Code::Internal,
            "Internal error. See Baton's log for details.",
        )
    };
    let mut data = looked.map_err(broken)??;
    let state = data
        .pointer("/outcome/outcome")
        .cloned()
        .unwrap_or_else(|| json!("waits_for_person"));
    data["state"] = state;
    Ok(Json(json!({ "success": true, "data": data })))
}
