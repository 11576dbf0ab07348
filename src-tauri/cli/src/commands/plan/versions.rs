//! `baton plan versions`, `name-version` and `restore`.

use baton_api::wire::*;
use baton_model::VersionChange;
use baton_model::count::format_quantity;

use crate::client::Client;
use crate::failure::Failure;
use crate::style::{self, Tone};
use crate::table::{self, Cell};
use crate::time_format::date;
use crate::{id_lookup, version_changes};

/// Lists the versions of a plan, newest first.
pub(super) fn list(client: &Client<'_>, given: &str) -> Result<(), Failure> {
    let plan = id_lookup::find_plan(client, given)?;
    let rows: Vec<PlanVersionRow> =
        client.ask("list the versions", "plan_versions", &PlanRef { plan })?;
    print(client, &rows)
}

/// Names a version, or removes its name.
pub(super) fn name(
    client: &Client<'_>,
    given: &str,
    version: u32,
    name: Option<String>,
) -> Result<(), Failure> {
    let plan = id_lookup::find_plan(client, given)?;
    let input = PlanVersionName {
        plan,
        version,
        name,
    };
    let rows: Vec<PlanVersionRow> = client.ask("name the version", "plan_version_name", &input)?;
    if client.output.json {
        return client.output.json(&rows);
    }
    let named = rows.into_iter().find(|row| row.version == version);
    client.output.note(&match named.and_then(|row| row.name) {
        Some(name) => format!("Version {version} is named '{}'.", style::one_line(&name)),
        None => format!("Version {version} has no name."),
    });
    Ok(())
}

/// Makes the content of a version the newest version.
pub(super) fn restore(client: &Client<'_>, given: &str, version: u32) -> Result<(), Failure> {
    let plan = id_lookup::find_plan(client, given)?;
    let view: PlanView = client.ask("load the plan", "plan_get", &PlanRef { plan })?;
    let input = PlanVersionRestore {
        plan,
        version,
        base_revision: view.revision,
    };
    let saved: PlanSaved = client.ask("restore the version", "plan_restore_version", &input)?;
    if client.output.json {
        return client.output.json(&saved);
    }
    client.output.note(&format!(
        "Restored version {version} of '{}' as version {}. Approve it with: baton plan approve {plan}",
        style::one_line(&view.plan.title),
        saved.version
    ));
    Ok(())
}

fn print(client: &Client<'_>, rows: &[PlanVersionRow]) -> Result<(), Failure> {
    if client.output.json {
        return client.output.json(&rows);
    }
    let row = |row: &PlanVersionRow| {
        let approved = if row.approval.is_some() {
            "approved"
        } else {
            ""
        };
        [
            Cell::from(row.version.to_string()).tone(Tone::Strong),
            date(row.at).into(),
            Cell::from(&row.author),
            Cell::from(row.name.as_deref().unwrap_or_default()).tone(Tone::Strong),
            Cell::from(approved).tone(Tone::Good),
            runs(row).into(),
            changes(row).into(),
        ]
    };
    let rows: Vec<_> = rows.iter().map(row).collect();
    table::print(
        client.output,
        [
            "version", "saved", "by", "name", "review", "runs", "changes",
        ],
        &rows,
    )
}

fn runs(row: &PlanVersionRow) -> String {
    let named: Vec<String> = row
        .runs
        .iter()
        .map(|run| format!("#{}", run.number))
        .collect();
    let more = (row.run_count as usize).saturating_sub(named.len());
    match more {
        0 => named.join(", "),
        more => format!(
            "{}, {}",
            named.join(", "),
            format_quantity(more, "more", "more")
        ),
    }
}

fn changes(row: &PlanVersionRow) -> String {
    let changes: Option<&[VersionChange]> = row.changes.as_deref();
    changes.map(version_changes::describe).unwrap_or_default()
}
