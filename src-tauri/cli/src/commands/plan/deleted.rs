//! `baton plan deleted`, `undelete` and `purge`.

use baton_api::wire::{DeletedPlan, Done, Nothing, PlanRef, PlanView};

use crate::client::Client;
use crate::failure::Failure;
use crate::style::Tone;
use crate::table::{self, Cell};
use crate::time_format::date;
use crate::{id_lookup, style};

/// Lists the deleted plans, last deleted first.
pub(super) fn list(client: &Client<'_>) -> Result<(), Failure> {
    let plans = load(client)?;
    if client.output.json {
        return client.output.json(&plans);
    }
    if plans.is_empty() {
        client.output.note("No deleted plans.");
        return Ok(());
    }
    let ids = id_lookup::short_ids(plans.iter().map(|plan| plan.id.0));
    let row = |(plan, id): (&DeletedPlan, String)| {
        [
            Cell::from(id).tone(Tone::Faint),
            Cell::from(&plan.title).tone(Tone::Strong),
            plan.node_count.to_string().into(),
            plan.run_count.to_string().into(),
            date(plan.deleted_at).into(),
            date(plan.deleted_until).into(),
        ]
    };
    let rows: Vec<_> = plans.iter().zip(ids).map(row).collect();
    table::print(
        client.output,
        [
            "plan",
            "title",
            "nodes",
            "runs",
            "deleted",
            "restorable until",
        ],
        &rows,
    )
}

/// Restores a deleted plan.
pub(super) fn restore(client: &Client<'_>, given: &str) -> Result<(), Failure> {
    let plan = id_lookup::find_deleted_plan(given, &load(client)?)?;
    let view: PlanView = client.ask("restore the plan", "plan_restore", &PlanRef { plan })?;
    if client.output.json {
        return client.output.json(&view);
    }
    let title = style::one_line(&view.plan.title);
    client.output.note(&format!("Restored '{title}'."));
    Ok(())
}

/// Removes a deleted plan for good.
pub(super) fn purge(client: &Client<'_>, given: &str, yes: bool) -> Result<(), Failure> {
    let plans = load(client)?;
    let plan = id_lookup::find_deleted_plan(given, &plans)?;
    let title = plans
        .iter()
        .find(|listed| listed.id == plan)
        .map_or_else(|| plan.to_string(), |listed| style::one_line(&listed.title));
    if !yes {
        if !client.output.can_ask() {
            let message =
                format!("can't prompt here; rerun with --yes to permanently delete '{title}'");
            return Err(Failure::Usage(message));
        }
        let question =
            format!("Permanently delete '{title}' with its runs, handoffs and sessions?");
        if !client.output.ask(&question)? {
            return Err(Failure::Declined(format!("'{title}' was not deleted")));
        }
    }
    let done: Done = client.ask("delete the plan", "plan_purge", &PlanRef { plan })?;
    if client.output.json {
        return client.output.json(&done);
    }
    client
        .output
        .note(&format!("Permanently deleted '{title}'."));
    Ok(())
}

fn load(client: &Client<'_>) -> Result<Vec<DeletedPlan>, Failure> {
    client.ask("list the deleted plans", "plans_deleted", &Nothing {})
}
