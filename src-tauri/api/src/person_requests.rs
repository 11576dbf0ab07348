//! Calls that a program leaves to a person, though it might make them itself.

use serde_json::Value;

use crate::admission::{self, Admission};
use crate::operations::OPERATIONS;
use crate::{AccessLevel, ApiError, App, Code, Operation, held_calls};

/// Asks a person to make a call, even if the caller's token would let it make the call itself.
/// Returns the error that names the waiting request.
///
/// # Errors
///
/// There is no such operation, or the caller may only read.
pub fn request_person(app: &App, name: &str, input: &Value) -> Result<ApiError, ApiError> {
    let found = OPERATIONS.iter().find(|operation| operation.name == name);
    let operation = found
        .ok_or_else(|| ApiError::new(Code::NotFound, format!("there is no operation '{name}'")))?;
    let asking = Operation {
        right: AccessLevel::Write,
        ..*operation
    };
    match admission::admit(app, &asking, input)? {
        Admission::Admitted | Admission::Held => held_calls::hold(app, name, input),
        Admission::Forbidden(message) => Err(ApiError::new(Code::Forbidden, message)),
    }
}
