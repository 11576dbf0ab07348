//! `baton plan generate`: an agent makes a plan for a goal, or the nodes of a plan.

use std::path::PathBuf;

use baton_api::wire::{PlanFill, PlanGenerate, ProposalAccept, ProposalView};
use baton_model::planning::ProposalState;
use clap::Args;

use crate::client::Client;
use crate::commands::proposal;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{id_lookup, proposal_output};

/// Generate a plan for a goal with an agent
///
/// The result is a proposal. It becomes a plan when you accept it.
#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {
    /// The goal: what should be true when the plan is done
    #[arg(required_unless_present = "into", conflicts_with = "into")]
    goal: Option<String>,
    /// Propose nodes for this plan instead; its description is the goal
    #[arg(long, value_name = "PLAN", conflicts_with = "cwd")]
    into: Option<String>,
    /// The agent that plans [default: the default agent]
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,
    /// The model to use [default: the agent's choice]
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// Directory the planner reads and the plan runs in [default: the current directory]
    #[arg(
        long,
        value_name = "DIR",
        default_value = ".",
        hide_default_value = true
    )]
    cwd: PathBuf,
    /// A constraint on the work; can be given several times
    #[arg(long = "constraint", value_name = "TEXT")]
    constraints: Vec<String>,
    /// Code that exists and matters, as text; can be given several times
    #[arg(long = "existing-code", value_name = "TEXT")]
    existing_code: Vec<String>,
    /// What you learned from earlier work; can be given several times
    #[arg(long = "memory", value_name = "TEXT")]
    memories: Vec<String>,
    /// Accept the plan without asking
    #[arg(long, short)]
    yes: bool,
}

pub(super) fn generate(client: &Client<'_>, args: GenerateArgs) -> Result<Exit, Failure> {
    let yes = args.yes;
    let proposal = request(client, args)?;
    let view = proposal_output::follow(client, proposal)?;
    let proposal = view.summary.id;
    if view.summary.state != ProposalState::Ready || !(yes || client.output.can_ask()) {
        let exit = proposal_output::result(client, &view)?;
        if exit == Exit::Done {
            client
                .output
                .note(&format!("Accept it with: baton proposal accept {proposal}"));
        }
        return Ok(exit);
    }
    if !client.output.json {
        proposal_output::print(client.output, &view)?;
    }
    if !yes && !client.output.ask("Accept this plan?")? {
        return Err(Failure::Declined(format!(
            "not accepted; the proposal is kept: baton proposal show {proposal}"
        )));
    }
    proposal::accept(
        client,
        ProposalAccept {
            round: None,
            proposal,
            changes: None,
            resume: false,
        },
    )
}

/// Starts the planner.
fn request(client: &Client<'_>, args: GenerateArgs) -> Result<ProposalView, Failure> {
    let GenerateArgs {
        goal,
        into,
        agent,
        model,
        cwd,
        constraints,
        existing_code,
        memories,
        yes: _,
    } = args;
    if let Some(plan) = into {
        let input = PlanFill {
            plan: id_lookup::find_plan(client, &plan)?,
            agent,
            model,
            constraints,
            existing_code,
            memories,
        };
        return client.ask("generate the nodes of a plan", "plan_fill", &input);
    }
    let input = PlanGenerate {
        goal: goal.unwrap_or_default(),
        cwd: super::directory(&cwd)?,
        agent,
        model,
        constraints,
        existing_code,
        memories,
    };
    client.ask("generate a plan", "plan_generate", &input)
}
