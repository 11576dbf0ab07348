//! Operations on teams of agents.

use baton_model::arbiter::{Team, closest_agent_name};

use crate::wire::*;
use crate::{ApiError, App, Code};
use baton_planning::settings::StoredSettings;

/// Lists the teams, sorted by name.
pub(crate) fn list(app: &App, _: Nothing) -> Result<Vec<Team>, ApiError> {
    Ok(StoredSettings::read(&app.store)?.teams)
}

/// Saves a team, replacing the one with the same name.
pub(crate) fn save(app: &App, input: Team) -> Result<Vec<Team>, ApiError> {
    input
        .check()
        .map_err(|fault| ApiError::new(Code::BadInput, fault.to_string()))?;
    let known = app.engine.agents().all();
    let mut named = input.members.iter().chain(&input.asks);
    if let Some(unknown) = named.find(|name| known.iter().all(|agent| agent.id() != name.as_str()))
    {
        let nearest = closest_agent_name(unknown, known.iter().map(|agent| agent.id()));
        let hint = nearest.map_or_else(String::new, |nearest| {
            format!("; did you mean '{nearest}'?")
        });
        return Err(ApiError::new(
            Code::BadInput,
            format!("there is no agent '{unknown}'{hint}"),
        ));
    }
    let mut stored = StoredSettings::read(&app.store)?;
    stored.teams.retain(|team| team.name != input.name);
    stored.teams.push(input);
    stored.teams.sort_by(|a, b| a.name.cmp(&b.name));
    app.store_settings(&stored)?;
    Ok(stored.teams)
}

/// Deletes a team. Nodes that use it fail until it is defined again.
pub(crate) fn delete(app: &App, input: TeamRef) -> Result<Vec<Team>, ApiError> {
    let mut stored = StoredSettings::read(&app.store)?;
    let before = stored.teams.len();
    stored.teams.retain(|team| team.name != input.name);
    if stored.teams.len() == before {
        return Err(ApiError::new(
            Code::NotFound,
            format!("there is no team '{}'", input.name),
        ));
    }
    app.store_settings(&stored)?;
    Ok(stored.teams)
}
