//! Simulations as operations.

use baton_model::planning::Draft;
use baton_model::simulation::Simulation;
use baton_planning::{proposals, simulations};

use crate::wire::*;
use crate::{ApiError, App, Code};

/// Simulates a run of a plan's newest version.
pub(crate) fn of_plan(app: &App, input: PlanRef) -> Result<Simulation, ApiError> {
    let (_, plan) = app.store.plans().current(input.plan)?;
    Ok(simulations::simulate(app.context(), &plan)?)
}

/// Simulates a run of a proposal's draft.
pub(crate) fn of_proposal(app: &App, input: ProposalRef) -> Result<Simulation, ApiError> {
    match proposals::current(app.context(), input.proposal)?.draft {
        Some(Draft::Plan { plan, .. }) => Ok(simulations::simulate(app.context(), &plan)?),
        Some(Draft::Text { .. }) | None => {
            let message = "the proposal has no plan to simulate";
            Err(ApiError::new(Code::Refused, message).with_fix("wait for the planner's draft"))
        }
    }
}
