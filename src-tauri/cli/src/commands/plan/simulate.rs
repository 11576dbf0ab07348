//! `baton plan simulate` and `baton proposal simulate`.

use baton_api::wire::{PlanRef, ProposalRef};
use baton_model::simulation::Simulation;

use crate::client::Client;
use crate::failure::Failure;
use crate::{id_lookup, simulation_output};

/// Shows what a run of a plan would do.
pub(super) fn plan(client: &Client<'_>, given: &str) -> Result<(), Failure> {
    let plan = id_lookup::find_plan(client, given)?;
    let simulation: Simulation =
        client.ask("simulate the plan", "plan_simulate", &PlanRef { plan })?;
    simulation_output::print(client.output, &simulation)
}

/// Shows what a run of a proposal's draft would do.
pub(crate) fn proposal(client: &Client<'_>, given: &str) -> Result<(), Failure> {
    let proposal = id_lookup::find_proposal(client, given)?;
    let input = ProposalRef { proposal };
    let simulation: Simulation =
        client.ask("simulate the proposal", "proposal_simulate", &input)?;
    simulation_output::print(client.output, &simulation)
}
