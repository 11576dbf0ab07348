//! Calls of `run_wait` by servers that hear of changes by themselves, so that no thread waits.

use serde::Deserialize;
use serde_json::Value;

use crate::run_wait::{MAX_TIMEOUT_MS, has_news};
use crate::wire::{RunWait, RunWaited};
use crate::{ApiError, App, Code, operations};

impl RunWait {
    /// The wait that a call of an operation asks for, if it is one and has to wait at all. A wrong
    /// input is reported by the operation itself.
    #[must_use]
    pub fn of_call(operation: &str, input: &Value) -> Option<Self> {
        let wait = (operation == "run_wait").then(|| Self::deserialize(input))?;
        wait.ok()
            .filter(|wait| (1..=MAX_TIMEOUT_MS).contains(&wait.timeout_ms))
    }

    /// Looks once, on behalf of `app`'s actor. Returns the result of the operation if there is
    /// something to report, or if this is the last look. For callers that hear of changes by
    /// themselves.
    #[must_use]
    pub fn look(&self, app: &App, is_last: bool) -> Option<Result<Value, ApiError>> {
        let once = Self {
            timeout_ms: 0,
            ..self.clone()
        };
        let input = match serde_json::to_value(&once) {
            Ok(input) => input,
            Err(error) => return Some(Err(ApiError::new(Code::Internal, error.to_string()))),
        };
        match operations::call_typed::<RunWaited>(app, "run_wait", input) {
            Ok(found) if is_last || has_news(self, &found) => {
                let written = serde_json::to_value(found);
                Some(written.map_err(|error| ApiError::new(Code::Internal, error.to_string())))
            }
            Ok(_) => None,
            Err(error) => Some(Err(error)),
        }
    }
}
