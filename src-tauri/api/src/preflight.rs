//! What stands between a plan and its run, as an operation.

use baton_planning::preflight;

use crate::wire::*;
use crate::{ApiError, App};

/// Tells what stands between a plan and its run.
pub(crate) fn plan(app: &App, input: PlanRef) -> Result<Preflight, ApiError> {
    Ok(preflight::plan(app.context(), input.plan)?)
}

#[cfg(test)]
mod tests;
