//! Operations that add Baton's tools, skill and guard to the settings of coding agents, and remove
//! them.
//!
//! The settings are those of the person whom this process belongs to.

mod addition;
mod agent_file_error;
mod config_file;
mod connection_record;
mod connection_state;
mod file_change_view;
mod file_edits;
mod guarded_call_log;
mod removal;
mod selection;

pub(crate) use connection_state::connections;
pub use guarded_call_log::GuardedCallLog;

use baton_formats::agent_config::AgentSetup;

use crate::wire::*;
use crate::{ApiError, App, Code};
use addition::Addition;
use agent_file_error::AgentFileError;
use connection_record::{ConnectionRecords, connection_record};
use file_change_view::{fingerprint, view};
use file_edits::FileChange;
use removal::removal;

/// The agent whose hooks run only after a person trusted them.
const HOOKS_NEED_TRUST: &str = "codex";

/// The changes of one agent.
struct AgentChanges {
    setup: AgentSetup,
    files: Vec<FileChange>,
}

/// Lists the agents that Baton can be added to.
pub(crate) fn list(app: &App, _: Nothing) -> Result<Vec<AgentConnection>, ApiError> {
    Ok(connections(app))
}

/// Shows how the files of agents would change. Writes nothing.
pub(crate) fn preview(
    app: &App,
    input: AgentConnectionPreviewQuery,
) -> Result<AgentConnectionPreview, ApiError> {
    let changes = compute(app, &input.agents, input.change)?;
    Ok(preview_of(&changes, input.change))
}

/// Changes the files of agents, and stores what is needed to undo that.
pub(crate) fn save(
    app: &App,
    input: AgentConnectionSave,
) -> Result<AgentConnectionPreview, ApiError> {
    let changes = compute(app, &input.agents, input.change)?;
    let preview = preview_of(&changes, input.change);
    if let Some(seen) = input.fingerprint
        && seen != preview.fingerprint
    {
        let message = "the settings of the agents were changed in the meantime";
        return Err(ApiError::new(Code::Conflict, message).with_fix("look at the changes again"));
    }
    let records = ConnectionRecords::new(app.store.data_dir());
    for agent in &changes {
        apply(agent, &records, input.change)?;
    }
    Ok(preview)
}

/// Lists calls of guarded tools outside plans, latest first.
pub(crate) fn guarded_calls(
    app: &App,
    input: GuardedCallsQuery,
) -> Result<Vec<GuardedCall>, ApiError> {
    Ok(GuardedCallLog::new(app.store.data_dir()).latest(input.limit)?)
}

/// Reads all files before the first is written.
fn compute(
    app: &App,
    agents: &[String],
    change: ConnectionChange,
) -> Result<Vec<AgentChanges>, ApiError> {
    let setups = selection::setups(agents)?;
    let records = ConnectionRecords::new(app.store.data_dir());
    let guard = change.guard();
    if guard.and_then(GuardChoice::mode).is_some() && !agents.is_empty() {
        selection::refuse_without_hooks(&setups)?;
    }
    let addition = Addition::new(app, guard);
    let changed = setups.iter().map(|setup| {
        let files = match change {
            ConnectionChange::Connected { .. } => addition.changes(setup)?,
            ConnectionChange::Disconnected => removal(setup, &setups, &records)?,
        };
        let setup = setup.clone();
        Ok(AgentChanges { setup, files })
    });
    changed.collect()
}

fn preview_of(changes: &[AgentChanges], change: ConnectionChange) -> AgentConnectionPreview {
    let mut files: Vec<&FileChange> = Vec::new();
    for file in changes.iter().flat_map(|agent| &agent.files) {
        // Several agents read the same skill.
        if !files.iter().any(|known| known.path == file.path) {
            files.push(file);
        }
    }
    let guards = change.guard().and_then(GuardChoice::mode).is_some();
    let notes = changes.iter().filter(|_| guards);
    AgentConnectionPreview {
        fingerprint: fingerprint(&files),
        files: files.into_iter().map(view).collect(),
        notes: notes.filter_map(|agent| note(&agent.setup)).collect(),
    }
}

/// What a person has to know about the guard of an agent.
fn note(setup: &AgentSetup) -> Option<ConnectionNote> {
    let agent = setup.id.to_owned();
    match &setup.hooks {
        None => Some(ConnectionNote::NoGuard { agent }),
        Some(_) if agent == HOOKS_NEED_TRUST => Some(ConnectionNote::HookNeedsTrust { agent }),
        Some(_) => None,
    }
}

/// Stores what is needed to undo the changes, then makes them.
fn apply(
    agent: &AgentChanges,
    records: &ConnectionRecords,
    change: ConnectionChange,
) -> Result<(), AgentFileError> {
    let id = agent.setup.id;
    if change != ConnectionChange::Disconnected {
        let known = records.load(id)?.unwrap_or_default();
        records.store(id, &connection_record(&agent.setup, &agent.files, known))?;
    }
    for file in &agent.files {
        write(file)?;
    }
    match change {
        ConnectionChange::Connected { .. } => Ok(()),
        ConnectionChange::Disconnected => records.remove(id),
    }
}

fn write(file: &FileChange) -> Result<(), AgentFileError> {
    let current = config_file::read(&file.path)?;
    if current == file.after {
        // Another agent reads the same skill.
        return Ok(());
    }
    if current != file.before {
        let path = file.path.clone();
        return Err(AgentFileError::Changed { path });
    }
    match &file.after {
        Some(text) => config_file::write(&file.path, text),
        None => config_file::remove(&file.path),
    }
}

impl ConnectionChange {
    fn guard(self) -> Option<GuardChoice> {
        match self {
            Self::Connected { guard } => guard,
            Self::Disconnected => None,
        }
    }
}
