//! Refusals as HTTP answers: the status for machines, [`ApiError`] as the body for everyone.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use baton_api::{ApiError, Code};

/// A request that is not carried out.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    error: ApiError,
}

impl Refusal {
    /// A refusal that no operation made.
    pub(crate) fn new(status: StatusCode, code: Code, message: impl Into<String>) -> Self {
        Self { status, error: ApiError::new(code, message) }
    }
}

impl From<ApiError> for Refusal {
    fn from(error: ApiError) -> Self {
        Self { status: status(error.code), error }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(self.error)).into_response()
    }
}

fn status(code: Code) -> StatusCode {
    match code {
        Code::BadInput => StatusCode::BAD_REQUEST,
        Code::Invalid => StatusCode::UNPROCESSABLE_ENTITY,
        Code::NotFound => StatusCode::NOT_FOUND,
        Code::Conflict | Code::Refused => StatusCode::CONFLICT,
        Code::Busy | Code::NoAgent | Code::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
