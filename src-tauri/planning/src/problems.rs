//! Refusal of plans with problems.

use baton_model::{Plan, Problem};

use crate::{PlanningError, RefusalReason};

/// Refuses a plan that has problems and therefore cannot be saved.
pub fn refuse_problems(plan: &Plan) -> Result<(), PlanningError> {
    let faults: Vec<String> = plan.problems().iter().map(Problem::to_string).collect();
    if faults.is_empty() {
        return Ok(());
    }
    Err(PlanningError::with_faults(
        RefusalReason::Invalid,
        "the plan can't be saved",
        faults,
    ))
}
