//! Errors that an agent can act on.

use baton_api::{ApiError, Code};
use serde_json::{Map, Value, json};

use crate::clip;

/// The maximum number of faults in one error.
const MAX_FAULTS: usize = 20;
/// The longest message, fix or fault, in bytes. Messages may quote what the caller sent.
const MESSAGE_BYTES: usize = 600;
const FAULT_BYTES: usize = 240;

/// An error for wrong arguments, with what to do instead.
pub(crate) fn bad_input(message: impl Into<String>, fix: impl Into<String>) -> ApiError {
    ApiError::new(Code::BadInput, message).with_fix(fix)
}

/// An error for something that doesn't exist, with where to look.
pub(crate) fn not_found(message: impl Into<String>, fix: impl Into<String>) -> ApiError {
    ApiError::new(Code::NotFound, message).with_fix(fix)
}

/// The same error without what would fill the caller's context.
pub(crate) fn shortened(error: &ApiError) -> ApiError {
    let faults = error.faults.iter().take(MAX_FAULTS);
    ApiError {
        message: clip::line(&error.message, MESSAGE_BYTES),
        fix: error
            .fix
            .as_deref()
            .map(|fix| clip::line(fix, MESSAGE_BYTES)),
        faults: faults.map(|fault| clip::line(fault, FAULT_BYTES)).collect(),
        ..error.clone()
    }
}

/// The structured form: `code`, `message`, `fix`, `retryable`, and `faults` if there are any.
pub(crate) fn to_json(error: &ApiError) -> Value {
    let mut object = Map::new();
    object.insert("code".to_owned(), json!(error.code));
    object.insert("message".to_owned(), json!(error.message));
    object.insert("fix".to_owned(), json!(error.fix));
    object.insert("retryable".to_owned(), json!(error.retryable));
    if !error.faults.is_empty() {
        object.insert("faults".to_owned(), json!(error.faults));
    }
    if let Some(request) = &error.request {
        object.insert("request".to_owned(), json!(request));
    }
    Value::Object(object)
}
