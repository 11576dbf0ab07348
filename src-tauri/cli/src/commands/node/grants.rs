//! `baton node permissions` and `baton node revoke`: permissions that cover more than one call.

use baton_api::wire::*;
use baton_model::{Grant, RunId};

use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::id_lookup;
use crate::style::Tone;
use crate::table::{self, Cell};
use crate::time_format::date;

/// Lists the permissions of the run's plan, numbered for `revoke`.
pub(super) fn list(client: &Client<'_>, run: &str) -> Result<Exit, Failure> {
    let (view, grants) = read(client, run)?;
    if client.output.json {
        client.output.json(&grants)?;
        return Ok(Exit::Done);
    }
    if grants.is_empty() {
        client.output.note("No permissions granted.");
        return Ok(Exit::Done);
    }
    let row = |(grant, number): (&GrantView, usize)| {
        [
            Cell::from(number.to_string()).tone(Tone::Faint),
            Cell::from(&grant.grant.tool).tone(Tone::Strong),
            Cell::from(calls(&grant.grant)),
            Cell::from(holder(&view, grant)),
            Cell::from(date(grant.at)).tone(Tone::Faint),
        ]
    };
    let rows: Vec<_> = grants.iter().zip(1..).map(row).collect();
    table::print(
        client.output,
        ["number", "tool", "calls", "for", "since"],
        &rows,
    )?;
    Ok(Exit::Done)
}

/// Revokes the permission with this number in the list.
pub(super) fn revoke(client: &Client<'_>, run: &str, number: usize) -> Result<Exit, Failure> {
    let (view, grants) = read(client, run)?;
    let chosen = number
        .checked_sub(1)
        .and_then(|at| grants.into_iter().nth(at));
    let GrantView { grant, of, .. } = chosen.ok_or_else(|| {
        Failure::Usage(format!(
            "no permission {number}. `baton node permissions {run}` lists them"
        ))
    })?;
    let input = GrantRevoke {
        plan: view.summary.plan,
        grant,
        of,
    };
    let left: Vec<GrantView> = client.ask("revoke the permission", "grant_revoke", &input)?;
    if client.output.json {
        client.output.json(&left)?;
    } else {
        client
            .output
            .note("Permission revoked. Calls that are already running continue.");
    }
    Ok(Exit::Done)
}

fn read(client: &Client<'_>, run: &str) -> Result<(RunView, Vec<GrantView>), Failure> {
    let run: RunId = id_lookup::find_run(client, run)?;
    let view: RunView = client.ask("load the run", "run_get", &RunRef { run })?;
    let filter = GrantsFilter {
        plan: view.summary.plan,
    };
    let grants = client.ask("load the permissions", "grants_list", &filter)?;
    Ok((view, grants))
}

/// Describes which calls of the tool the permission covers.
fn calls(grant: &Grant) -> String {
    match &grant.command {
        Some(prefix) if grant.begins => format!("{prefix} … (all commands that start with it)"),
        Some(command) => command.clone(),
        None => "all".to_owned(),
    }
}

fn holder(view: &RunView, grant: &GrantView) -> String {
    let Some(holder) = &grant.of else {
        return "the plan".to_owned();
    };
    let node = view
        .plan
        .node(holder.node)
        .map_or_else(|| holder.node.to_string(), |node| node.slug.to_string());
    if holder.run == view.summary.id {
        node
    } else {
        format!("{node} of another run")
    }
}
