//! Operations on permissions for more than one tool call. They are granted by answering a question:
//! `node_answer`.

use baton_model::Grant;
use baton_model::run::Command;
use baton_store::{GrantRow, Grants};

use crate::wire::*;
use crate::{ApiError, App, run_command};

/// How many of a plan's runs are searched for unfinished ones.
const LATEST: u32 = 1000;

/// Lists the permissions of a plan and its runs, oldest first.
pub(crate) fn list(app: &App, input: GrantsFilter) -> Result<Vec<GrantView>, ApiError> {
    app.store.plans().record(input.plan)?;
    Ok(app
        .store
        .grants()
        .list(input.plan)?
        .into_iter()
        .map(view)
        .collect())
}

/// Revokes a permission. Live sessions have to ask again from now on, too.
pub(crate) fn revoke(app: &App, input: GrantRevoke) -> Result<Vec<GrantView>, ApiError> {
    let grant = &input.grant;
    match &input.of {
        Some(holder) => {
            let command = Command::Revoke {
                grant: grant.clone(),
                of: Some(holder.node),
            };
            app.engine.command(holder.run, command, app.actor())?;
        }
        None => revoke_everywhere(app, &app.store.grants(), &input, grant)?,
    }
    list(app, GrantsFilter { plan: input.plan })
}

fn revoke_everywhere(
    app: &App,
    grants: &Grants<'_>,
    input: &GrantRevoke,
    grant: &Grant,
) -> Result<(), ApiError> {
    // Revoke the plan's permission first, so that no new run starts with it.
    grants.revoke(input.plan, grant)?;
    for run in app.store.runs().list(Some(input.plan), LATEST)?.rows {
        if !run.state.has_ended() {
            let command = Command::Revoke {
                grant: grant.clone(),
                of: None,
            };
            run_command::send(app, run.id, command)?;
        }
    }
    Ok(())
}

fn view(row: GrantRow) -> GrantView {
    let of = row.of.map(|(run, node)| GrantHolder { run, node });
    GrantView {
        grant: row.grant,
        of,
        given_in: row.given_in,
        at: row.at,
    }
}
