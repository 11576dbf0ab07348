//! What disconnecting changes in the files of an agent.

use std::path::Path;

use baton_formats::agent_config::{AgentSetup, agent_setups};
use baton_formats::agent_guide::skill;

use super::agent_file_error::AgentFileError;
use super::connection_record::{ConnectionRecord, ConnectionRecords};
use super::file_edits::{FileChange, FileEdits};

/// How the files of an agent change when it is disconnected together with those in `leaving`.
pub(crate) fn removal(
    setup: &AgentSetup,
    leaving: &[AgentSetup],
    records: &ConnectionRecords,
) -> Result<Vec<FileChange>, AgentFileError> {
    let record = records.load(setup.id)?.unwrap_or_default();
    let mut edits = FileEdits::new(setup.id);
    let hooks = setup.hooks.as_ref().map(|hooks| &hooks.path);
    let settings = [setup.config.as_ref(), hooks];
    for path in settings.into_iter().flatten() {
        if !restore(&mut edits, path, &record)? {
            remove_entries(&mut edits, path, setup)?;
        }
    }
    if !is_skill_used_by_others(setup, leaving, records)?
        && !restore(&mut edits, &setup.skill, &record)?
    {
        // A skill that somebody changed stays.
        let file = edits.file(&setup.skill)?;
        *file = file.take().filter(|text| *text != skill());
    }
    Ok(edits.into_changes())
}

/// Restores a file that nobody has changed since. Returns whether it did.
fn restore(
    edits: &mut FileEdits,
    path: &Path,
    record: &ConnectionRecord,
) -> Result<bool, AgentFileError> {
    let file = edits.file(path)?;
    let known = record.files.iter().find(|file| file.path == path);
    match known {
        // The file of the servers may be that of the hooks, and is restored already.
        Some(known) if *file == known.before => Ok(true),
        Some(known) if file.as_ref() == Some(&known.after) => {
            file.clone_from(&known.before);
            Ok(true)
        }
        _ => Ok(false),
    }
}

/// Removes what Baton added from a file that was changed since.
fn remove_entries(
    edits: &mut FileEdits,
    path: &Path,
    setup: &AgentSetup,
) -> Result<(), AgentFileError> {
    if setup.config.as_deref() == Some(path) {
        edits.edit(path, |text| setup.without_baton(text))?;
    }
    match &setup.hooks {
        Some(hooks) if hooks.path == path => edits.edit(path, |text| hooks.without_guard(text)),
        _ => Ok(()),
    }
}

/// Whether an agent that stays connected reads the same skill.
fn is_skill_used_by_others(
    setup: &AgentSetup,
    leaving: &[AgentSetup],
    records: &ConnectionRecords,
) -> Result<bool, AgentFileError> {
    for other in agent_setups(Path::new("/"), &|_| None) {
        let leaves = leaving.iter().any(|leaving| leaving.id == other.id);
        let record = records.load(other.id)?;
        if !leaves && record.is_some_and(|record| record.skill == setup.skill) {
            return Ok(true);
        }
    }
    Ok(false)
}
