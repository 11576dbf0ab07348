//! The preflight check as an operation.

use baton_planning::preflight;

use crate::wire::*;
use crate::{ApiError, App};

/// Returns what prevents a plan from running on this machine.
pub(crate) fn plan(app: &App, input: PlanRef) -> Result<Preflight, ApiError> {
    Ok(preflight::plan(app.context(), input.plan)?)
}

#[cfg(test)]
mod tests;
