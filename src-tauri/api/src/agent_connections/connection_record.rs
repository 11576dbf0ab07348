//! What connecting an agent changed, so that it can be undone exactly.

use std::path::{Path, PathBuf};

use baton_formats::agent_config::AgentSetup;
use serde::{Deserialize, Serialize};

use super::agent_file_error::AgentFileError;
use super::config_file;
use super::file_edits::FileChange;

/// The folder below the data directory.
const FOLDER: &str = "agent-connections";

/// A file before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ChangedFile {
    pub(crate) path: PathBuf,
    /// `None` if there was none.
    pub(crate) before: Option<String>,
    pub(crate) after: String,
}

/// What connecting one agent changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ConnectionRecord {
    pub(crate) files: Vec<ChangedFile>,
    /// The skill that the agent reads. Several agents may read the same one.
    pub(crate) skill: PathBuf,
}

/// What is needed to undo the changes and those that were made before.
pub(crate) fn connection_record(
    setup: &AgentSetup,
    changes: &[FileChange],
    known: ConnectionRecord,
) -> ConnectionRecord {
    let mut files = known.files;
    for change in changes {
        let Some(after) = change.after.clone() else {
            continue;
        };
        let same = files.iter_mut().find(|file| file.path == change.path);
        match same {
            // Baton wrote the file, and nobody has changed it since: the oldest text counts.
            Some(file) if change.before.as_ref() == Some(&file.after) => file.after = after,
            Some(file) => {
                file.before.clone_from(&change.before);
                file.after = after;
            }
            None => files.push(ChangedFile {
                path: change.path.clone(),
                before: change.before.clone(),
                after,
            }),
        }
    }
    ConnectionRecord {
        files,
        skill: setup.skill.clone(),
    }
}

/// The records in a data directory.
#[derive(Debug, Clone)]
pub(crate) struct ConnectionRecords {
    folder: PathBuf,
}

impl ConnectionRecords {
    pub(crate) fn new(data: &Path) -> Self {
        Self {
            folder: data.join(FOLDER),
        }
    }

    fn path(&self, agent: &str) -> PathBuf {
        self.folder.join(format!("{agent}.json"))
    }

    /// The record of an agent. One that can't be parsed counts as none.
    pub(crate) fn load(&self, agent: &str) -> Result<Option<ConnectionRecord>, AgentFileError> {
        let text = config_file::read(&self.path(agent))?;
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// Stores the record of an agent. What an earlier one says of a file as it still is stays.
    pub(crate) fn store(&self, agent: &str, new: &ConnectionRecord) -> Result<(), AgentFileError> {
        let mut record = new.clone();
        for old in self.load(agent)?.unwrap_or_default().files {
            match record.files.iter_mut().find(|file| file.path == old.path) {
                Some(file) if file.before.as_ref() == Some(&old.after) => file.before = old.before,
                Some(_) => {}
                None => record.files.push(old),
            }
        }
        let text = serde_json::to_string_pretty(&record).unwrap_or_default();
        config_file::write(&self.path(agent), &text)
    }

    pub(crate) fn remove(&self, agent: &str) -> Result<(), AgentFileError> {
        config_file::remove(&self.path(agent))
    }
}
