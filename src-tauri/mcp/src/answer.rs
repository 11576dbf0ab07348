//! Results of tools: structured content, and the same as short text for clients that show only
//! text.

use baton_api::{ApiError, Code};
use baton_model::PlanId;
use rmcp::model::{CallToolResult, ContentBlock};
use serde::Serialize;
use serde_json::{Value, json};

use crate::caller_error;

/// The size of a token in bytes, as an estimate.
pub(crate) const TOKEN_BYTES: usize = 4;
/// The largest answer, in either form. Tools stay far below it; see `tests`.
const MAX_BYTES: usize = 8_000 * TOKEN_BYTES;

/// The result of a tool.
pub(crate) trait Answer: Serialize {
    /// The same for people and for models that don't see the structured form.
    fn text(&self) -> String;

    /// The JSON object of this answer. `Some` for answers that wait for a person as well.
    fn to_result(&self) -> CallToolResult {
        let value = match serde_json::to_value(self) {
            Ok(value) => value,
            Err(error) => return error_result(&ApiError::new(Code::Internal, error.to_string())),
        };
        let text = self.text();
        if text.len().max(value.to_string().len()) > MAX_BYTES {
            let error = ApiError::new(Code::Refused, "the answer is too long for one call")
                .with_fix("ask for fewer rows or name fewer nodes");
            return error_result(&error);
        }
        with_structure(value, text, false)
    }
}

/// The result for a call that failed.
pub(crate) fn error_result(error: &ApiError) -> CallToolResult {
    let error = caller_error::shortened(error);
    with_structure(caller_error::to_json(&error), error.full_message(), true)
}

/// The result for a call that a person has to allow: not an error, because the caller did all it
/// could.
pub(crate) fn waiting_result(error: &ApiError) -> CallToolResult {
    let error = caller_error::shortened(error);
    let value = json!({
        "state": "waits_for_person",
        "request": error.request,
        "url": INBOX,
        "message": error.message,
    });
    with_structure(value, error.full_message(), false)
}

/// Where a person answers requests.
pub(crate) const INBOX: &str = "baton://inbox";

/// Where a person sees the plan.
pub(crate) fn plan_url(plan: PlanId) -> String {
    format!("baton://blueprints/{plan}")
}

fn with_structure(value: Value, text: String, is_error: bool) -> CallToolResult {
    let content = vec![ContentBlock::text(text)];
    let mut result = if is_error {
        CallToolResult::error(content)
    } else {
        CallToolResult::success(content)
    };
    result.structured_content = Some(value);
    result
}
