//! Which agents have Baton's tools.

use baton_formats::agent_config::{AgentSetup, GuardMode};

use super::addition::Addition;
use super::agent_file_error::AgentFileError;
use super::connection_record::ConnectionRecords;
use super::{config_file, selection};
use crate::App;
use crate::wire::{AgentConnection, AgentConnectionState, GuardChoice};

/// All agents that Baton can be added to.
pub(crate) fn connections(app: &App) -> Vec<AgentConnection> {
    let setups = selection::all().unwrap_or_default();
    setups.iter().map(|setup| connection(app, setup)).collect()
}

fn connection(app: &App, setup: &AgentSetup) -> AgentConnection {
    let (state, guard) = state(app, setup).unwrap_or_else(|error| {
        let reason = crate::error::message_with_causes(&error);
        (AgentConnectionState::Unreadable { reason }, None)
    });
    AgentConnection {
        agent: setup.id.to_owned(),
        used: setup.folder.is_dir(),
        connection: state,
        guard,
        can_guard: setup.hooks.is_some(),
    }
}

fn state(
    app: &App,
    setup: &AgentSetup,
) -> Result<(AgentConnectionState, Option<GuardMode>), AgentFileError> {
    let guard = guard(setup)?;
    if !has_baton(app, setup)? {
        return Ok((AgentConnectionState::NotConnected, guard));
    }
    // What connecting again would change is outdated.
    let again = Addition::new(app, guard.map(GuardChoice::from)).changes(setup)?;
    let state = match again.is_empty() {
        true => AgentConnectionState::Connected,
        false => AgentConnectionState::Outdated,
    };
    Ok((state, guard))
}

/// Whether the settings name Baton. An agent without servers only reads the skill, which others may
/// have brought.
fn has_baton(app: &App, setup: &AgentSetup) -> Result<bool, AgentFileError> {
    let Some(path) = &setup.config else {
        let records = ConnectionRecords::new(app.store.data_dir());
        return Ok(records.load(setup.id)?.is_some() && setup.skill.is_file());
    };
    let text = config_file::read(path)?.unwrap_or_default();
    let found = setup.has_baton(&text);
    found.map_err(|source| AgentFileError::Entry {
        path: path.clone(),
        source,
    })
}

fn guard(setup: &AgentSetup) -> Result<Option<GuardMode>, AgentFileError> {
    let Some(hooks) = &setup.hooks else {
        return Ok(None);
    };
    let text = config_file::read(&hooks.path)?.unwrap_or_default();
    Ok(hooks.guard_mode(&text))
}
