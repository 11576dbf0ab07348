//! Refusal of plans with problems.

use baton_model::{Plan, Problem};

use crate::{PlanningError, RefusalReason};

/// Refuses a plan that cannot be saved. Unfinished nodes are accepted.
pub fn refuse_unsavable(plan: &Plan) -> Result<(), PlanningError> {
    let mut problems = plan.problems();
    problems.retain(Problem::prevents_saving);
    refuse("the plan can't be saved", &problems)
}

/// Refuses a plan that has any problem, such as an unfinished node: it would fail in every run, on
/// every machine.
pub fn refuse_problems(lead: &str, plan: &Plan) -> Result<(), PlanningError> {
    refuse(lead, &plan.problems())
}

fn refuse(lead: &str, problems: &[Problem]) -> Result<(), PlanningError> {
    if problems.is_empty() {
        return Ok(());
    }
    let faults = problems.iter().map(Problem::to_string).collect();
    let refused = PlanningError::with_faults(RefusalReason::Invalid, lead, faults);
    let is_unconfirmed = |problem: &Problem| matches!(problem, Problem::UnconfirmedEdges { .. });
    Err(match problems.iter().all(is_unconfirmed) {
        true => refused.with_fix(
            "look at the inferred edges, remove the wrong ones and confirm the others: baton call edges_confirm",
        ),
        false => refused,
    })
}
