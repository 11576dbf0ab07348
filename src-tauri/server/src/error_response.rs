//! Errors as HTTP responses: a status and an [`ApiError`] as the body.

use axum::Json;
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::response::{IntoResponse, Response};
use baton_api::{ApiError, Code};
use serde_json::json;

/// A request that failed, or one that waits for a person.
#[derive(Debug)]
pub(crate) struct ErrorResponse {
    status: StatusCode,
    error: ApiError,
}

impl ErrorResponse {
    /// Creates an error that comes from the server itself, not from an operation.
    pub(crate) fn new(status: StatusCode, code: Code, message: impl Into<String>) -> Self {
        Self {
            status,
            error: ApiError::new(code, message),
        }
    }
}

impl From<ApiError> for ErrorResponse {
    fn from(error: ApiError) -> Self {
        Self {
            status: status_of(error.code),
            error,
        }
    }
}

impl IntoResponse for ErrorResponse {
    fn into_response(self) -> Response {
        let Some(request) = self.error.request else {
            let mut response = (self.status, Json(&self.error)).into_response();
            // For layers that write errors in another shape.
            response.extensions_mut().insert(self.error);
            return response;
        };
        let url = format!("/api/requests/{request}");
        let data = json!({ "state": "waits_for_person", "request": request, "url": url });
        let location = [(LOCATION, url)];
        (
            self.status,
            location,
            Json(json!({ "success": true, "data": data })),
        )
            .into_response()
    }
}

fn status_of(code: Code) -> StatusCode {
    match code {
        Code::BadInput => StatusCode::BAD_REQUEST,
        Code::Invalid => StatusCode::UNPROCESSABLE_ENTITY,
        Code::NotFound => StatusCode::NOT_FOUND,
        Code::Deleted => StatusCode::GONE,
        Code::Conflict | Code::Refused | Code::NotApproved => StatusCode::CONFLICT,
        Code::Busy | Code::NoAgent | Code::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        Code::Forbidden => StatusCode::FORBIDDEN,
        Code::WaitsForPerson => StatusCode::ACCEPTED,
        Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
