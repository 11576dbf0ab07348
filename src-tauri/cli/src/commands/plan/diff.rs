//! `baton plan diff` and `baton proposal diff`.

use baton_api::wire::*;
use baton_model::planning::{ProposedChange, list_changes};
use baton_model::{Plan, PlanDiff};
use clap::Args;

use crate::client::Client;
use crate::failure::Failure;
use crate::{changes_output, id_lookup};

/// Show what differs between two versions of a plan
#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// The plan: its ID, the start of its ID, or its title
    plan: String,
    /// The earlier version [default: the one before the later version]
    #[arg(long, value_name = "VERSION")]
    from: Option<u32>,
    /// The later version [default: the newest]
    #[arg(long, value_name = "VERSION")]
    to: Option<u32>,
}

/// Compares two versions of a plan.
pub(super) fn plan(client: &Client<'_>, args: &DiffArgs) -> Result<(), Failure> {
    let plan = id_lookup::find_plan(client, &args.plan)?;
    let to = match args.to {
        Some(to) => to,
        None => {
            let view: PlanView = client.ask("load the plan", "plan_get", &PlanRef { plan })?;
            view.version
        }
    };
    let from = args.from.unwrap_or_else(|| to.saturating_sub(1).max(1));
    if client.output.json {
        let input = PlanCompare { plan, from, to };
        let diff: PlanDiff = client.ask("compare the versions", "plan_compare", &input)?;
        return client.output.json(&diff);
    }
    let load = |version| {
        let input = PlanVersionRef { plan, version };
        client.ask::<_, Plan>("load the version", "plan_version_get", &input)
    };
    let (before, after) = (load(from)?, load(to)?);
    let changes = list_changes(&before, &after);
    if changes.is_empty() {
        client
            .output
            .note(&format!("Versions {from} and {to} have the same content."));
    }
    changes_output::print(client.output, &before, &after, &numbered(&changes))
}

/// Lists the changes of a proposal with the numbers that `baton proposal accept --only` takes.
pub(crate) fn proposal(client: &Client<'_>, given: &str) -> Result<(), Failure> {
    let view = load_proposal(client, given)?;
    if client.output.json {
        return client.output.json(&view.changes);
    }
    let (Some(base), Some(draft)) = (&view.base, &view.draft) else {
        client
            .output
            .note("The proposal doesn't change an existing plan.");
        return Ok(());
    };
    changes_output::print(client.output, base, draft, &numbered(&view.changes))
}

/// The changes of a proposal with these numbers, counted from 1, and the round that they are of.
pub(crate) fn changes_of_proposal(
    client: &Client<'_>,
    given: &str,
    numbers: &[usize],
) -> Result<(Vec<ProposedChange>, u32), Failure> {
    let view = load_proposal(client, given)?;
    let find = |number: &usize| {
        let change = number.checked_sub(1).and_then(|at| view.changes.get(at));
        change.copied().ok_or_else(|| {
            let message = format!(
                "the proposal has no change {number}; list them with: baton proposal diff {}",
                view.summary.id
            );
            Failure::Usage(message)
        })
    };
    let changes = numbers.iter().map(find).collect::<Result<_, _>>()?;
    Ok((changes, view.summary.rounds))
}

fn load_proposal(client: &Client<'_>, given: &str) -> Result<ProposalView, Failure> {
    let proposal = id_lookup::find_proposal(client, given)?;
    let input = ProposalRef { proposal };
    client.ask("load the proposal", "proposal_get", &input)
}

fn numbered(changes: &[ProposedChange]) -> Vec<(usize, ProposedChange)> {
    (1..).zip(changes.iter().copied()).collect()
}
