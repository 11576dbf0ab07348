//! Errors of the API: a code in upper case, its HTTP status, and the fields of an [`ApiError`].

use baton_api::{ApiError, Code, HeldCallId};
use serde::Serialize;

/// What clients branch on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "bindings", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ErrorCode {
    /// The request isn't what the route accepts: a field is missing, unknown or of a wrong type.
    InvalidRequest,
    /// The plan is running already. Status 400, unlike other conflicts.
    AlreadyRunning,
    /// There is no run to resume.
    NotPaused,
    /// There is no checkpoint to roll back to.
    NoCheckpoint,
    /// The token is missing or revoked.
    Unauthorized,
    /// The caller may not do this.
    Forbidden,
    /// It doesn't exist, or was deleted.
    NotFound,
    /// The path exists, but not with this method. `Allow` lists those that do.
    MethodNotAllowed,
    /// The body didn't arrive in time.
    Timeout,
    /// Someone else changed it in the meantime. Status 412 if the request had `If-Match`.
    Conflict,
    /// The current state doesn't allow it.
    Refused,
    /// A person has to approve the plan first.
    NotApproved,
    /// The body is too large.
    TooLarge,
    /// The body isn't JSON.
    UnsupportedMediaType,
    /// The `Host` header is unknown.
    Misdirected,
    /// The content isn't valid; `faults` lists why.
    Invalid,
    /// Baton computes this field itself, so it can't be set.
    DerivedField,
    /// The node can't be added, for example because nodes would depend on each other in a circle.
    AddStepError,
    /// The run that the request waited for has failed. Status 200, because the request succeeded.
    ExecutionError,
    /// The `Idempotency-Key` belongs to another request.
    KeyReused,
    /// The request with this `Idempotency-Key` is in progress, or its answer was lost.
    KeyInUse,
    /// The executor in charge didn't answer in time.
    Busy,
    /// No coding agent is installed.
    NoAgent,
    /// The disk, the database, or the operating system failed.
    Unavailable,
    /// A bug in Baton.
    Internal,
}

impl ErrorCode {
    /// All codes.
    pub const ALL: [Self; 25] = [
        Self::InvalidRequest,
        Self::AlreadyRunning,
        Self::NotPaused,
        Self::NoCheckpoint,
        Self::Unauthorized,
        Self::Forbidden,
        Self::NotFound,
        Self::MethodNotAllowed,
        Self::Timeout,
        Self::Conflict,
        Self::Refused,
        Self::NotApproved,
        Self::TooLarge,
        Self::UnsupportedMediaType,
        Self::Misdirected,
        Self::Invalid,
        Self::DerivedField,
        Self::AddStepError,
        Self::ExecutionError,
        Self::KeyReused,
        Self::KeyInUse,
        Self::Busy,
        Self::NoAgent,
        Self::Unavailable,
        Self::Internal,
    ];

    /// The HTTP status.
    #[must_use]
    pub fn status(self) -> u16 {
        match self {
            Self::ExecutionError => 200,
            Self::InvalidRequest | Self::AlreadyRunning | Self::NotPaused | Self::NoCheckpoint => {
                400
            }
            Self::Unauthorized => 401,
            Self::Forbidden => 403,
            Self::NotFound => 404,
            Self::MethodNotAllowed => 405,
            Self::Timeout => 408,
            Self::Conflict | Self::Refused | Self::NotApproved | Self::KeyInUse => 409,
            Self::TooLarge => 413,
            Self::UnsupportedMediaType => 415,
            Self::Misdirected => 421,
            Self::Invalid | Self::DerivedField | Self::AddStepError | Self::KeyReused => 422,
            Self::Busy | Self::NoAgent | Self::Unavailable => 503,
            Self::Internal => 500,
        }
    }
}

impl ErrorCode {
    /// What to do about errors of this code that say nothing better.
    fn general_fix(self) -> Option<String> {
        let fix = match self {
            Self::InvalidRequest | Self::Invalid | Self::UnsupportedMediaType => {
                "Send what /api/openapi.json describes for this route."
            }
            Self::NotFound => "List what exists with GET, and use an id of the list.",
            Self::Conflict => "Read it again, and repeat the change on what it is now.",
            _ => return None,
        };
        Some(fix.to_owned())
    }
}

/// The longest message or fault, in characters. It may repeat what the request contains.
const MAX_CHARS: usize = 2_000;
/// The most faults of an answer.
const MAX_FAULTS: usize = 100;

fn clipped(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(MAX_CHARS) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// A request that failed. Nothing was changed, unless the message says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestError {
    /// The HTTP status.
    pub status: u16,
    /// The body's `error`.
    pub body: ErrorBody,
    /// The call that waits for a person. Such an answer is no error for HTTP.
    pub request: Option<HeldCallId>,
}

/// The error object in the body of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "bindings", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "bindings", schemars(rename = "Error"))]
#[serde(rename_all = "camelCase")]
pub struct ErrorBody {
    /// What clients branch on.
    pub code: ErrorCode,
    /// What happened, in one or more sentences.
    pub message: String,
    /// What to do about it; `null` if nothing general can be said.
    pub fix: Option<String>,
    /// Whether the same request may succeed later without any other change.
    pub retryable: bool,
    /// All faults of the content, if they are the reason.
    pub faults: Vec<String>,
}

impl RestError {
    /// An error of this API itself.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self::from_api(code, ApiError::new(Code::Refused, message))
    }

    /// The same with what to do about it.
    #[must_use]
    pub fn with_fix(mut self, fix: impl Into<String>) -> Self {
        let fixed = ApiError::new(Code::Refused, "").with_fix(fix);
        self.body.fix = fixed.fix;
        self
    }

    /// The error of an operation under another code.
    pub(crate) fn from_api(code: ErrorCode, error: ApiError) -> Self {
        Self {
            status: code.status(),
            body: ErrorBody {
                code,
                message: clipped(error.message),
                fix: error.fix.or_else(|| code.general_fix()),
                retryable: error.retryable,
                faults: error
                    .faults
                    .into_iter()
                    .take(MAX_FAULTS)
                    .map(clipped)
                    .collect(),
            },
            request: error.request,
        }
    }

    /// A body or query parameter that isn't what the route accepts.
    pub fn bad_input(what: &str, error: &dyn std::fmt::Display) -> Self {
        let mut refused = Self::new(
            ErrorCode::InvalidRequest,
            format!("{what} isn't valid: {}", clipped(error.to_string())),
        );
        refused.body.faults = vec![clipped(error.to_string())];
        refused
    }

    /// An error of the HTTP server, which knows only its status.
    #[must_use]
    pub fn of_server(status: u16, method: &str, error: ApiError) -> Self {
        let code = match status {
            401 => ErrorCode::Unauthorized,
            403 => ErrorCode::Forbidden,
            405 => {
                let message = format!("this path doesn't accept {method}");
                return Self::new(ErrorCode::MethodNotAllowed, message)
                    .with_fix("use a method that `Allow` lists");
            }
            408 => ErrorCode::Timeout,
            413 => ErrorCode::TooLarge,
            421 => ErrorCode::Misdirected,
            _ => ErrorCode::from(error.code),
        };
        Self {
            status,
            ..Self::from_api(code, error)
        }
    }

    /// A field that Baton computes.
    pub(crate) fn derived(field: &str, instead: &str) -> Self {
        Self::new(
            ErrorCode::DerivedField,
            format!("'{field}' follows from the plan's runs, so it can't be set"),
        )
        .with_fix(instead)
    }

    /// The same error for a request with `If-Match`, whose conflicts have a status of their own.
    #[must_use]
    pub(crate) fn of_conditional(mut self) -> Self {
        if self.body.code == ErrorCode::Conflict {
            self.status = 412;
        }
        self
    }

    pub(crate) fn is(&self, code: ErrorCode) -> bool {
        self.body.code == code
    }
}

impl From<ApiError> for RestError {
    fn from(error: ApiError) -> Self {
        Self::from_api(ErrorCode::from(error.code), error)
    }
}

impl From<Code> for ErrorCode {
    fn from(code: Code) -> Self {
        match code {
            Code::BadInput => Self::InvalidRequest,
            // A deleted plan is gone for programs, until a person restores it.
            Code::NotFound | Code::Deleted => Self::NotFound,
            Code::Conflict => Self::Conflict,
            // A call that waits for a person is answered by its `request`.
            Code::Refused | Code::WaitsForPerson => Self::Refused,
            Code::NotApproved => Self::NotApproved,
            Code::Forbidden => Self::Forbidden,
            Code::Invalid => Self::Invalid,
            Code::Busy => Self::Busy,
            Code::NoAgent => Self::NoAgent,
            Code::Unavailable => Self::Unavailable,
            Code::Internal => Self::Internal,
        }
    }
}
