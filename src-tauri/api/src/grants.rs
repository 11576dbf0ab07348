//! Operations on leave that was given for more than one tool call. Giving it is an answer to a question:
//! `node_answer`.

use baton_model::Grant;
use baton_model::run::Command;
use baton_store::{GrantRow, Grants};

use crate::wire::*;
use crate::{ApiError, App, runs};

/// The most runs of a plan that are looked through for those that go on.
const LATEST: u32 = 1000;

/// Lists the leave of a plan and of its runs, the oldest first.
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

/// Takes leave back; what a person has to be asked about from now on is so in living sessions as well.
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
    // First the plan, so that no run begins with it meanwhile.
    grants.take_back(input.plan, grant)?;
    for run in app.store.runs().list(Some(input.plan), LATEST)?.rows {
        if !run.state.has_ended() {
            let command = Command::Revoke {
                grant: grant.clone(),
                of: None,
            };
            runs::command(app, run.id, command)?;
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
