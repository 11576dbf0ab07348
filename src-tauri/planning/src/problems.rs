//! What keeps a plan from being saved.

use baton_model::{Plan, Problem};

use crate::{PlanningError, Reason};

/// Refuses a plan that cannot be saved as it is.
pub fn refuse_problems(plan: &Plan) -> Result<(), PlanningError> {
    let faults: Vec<String> = plan.problems().iter().map(Problem::to_string).collect();
    if faults.is_empty() {
        return Ok(());
    }
    Err(PlanningError::of_faults(
        Reason::Invalid,
        "the plan can't be saved",
        faults,
    ))
}
