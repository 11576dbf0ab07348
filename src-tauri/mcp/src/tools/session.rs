//! The tools of a session that Baton started. They are about its own attempt only.

mod ask;
mod context_get;
mod output_set;
mod replan_propose;
mod report;

use baton_api::{ApiError, Code};

use crate::attempt::Attempt;
use crate::tool::{ToolContext, ToolDefinition};

/// The tools, in a fixed order.
pub(crate) fn tools() -> Vec<ToolDefinition> {
    vec![
        context_get::tool(),
        output_set::tool(),
        report::tool(),
        ask::tool(),
        replan_propose::tool(),
    ]
}

/// The attempt that the caller works on.
fn attempt(context: &ToolContext) -> Result<&Attempt, ApiError> {
    context.attempt.as_deref().ok_or_else(|| {
        ApiError::new(Code::Refused, "this server doesn't know its attempt")
            .with_fix("start it with the session's BATON_ variables in its environment")
    })
}
