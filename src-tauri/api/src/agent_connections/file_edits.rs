//! Changes to the files of an agent, computed before the first file is written.

use std::path::{Path, PathBuf};

use baton_formats::agent_config::EntryError;

use super::agent_file_error::AgentFileError;
use super::config_file;

/// A file as it is and as it should be. `None` means that there is no file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FileChange {
    pub(crate) agent: &'static str,
    pub(crate) path: PathBuf,
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
}

/// The files of one agent. Several edits of a file follow each other.
#[derive(Debug)]
pub(crate) struct FileEdits {
    agent: &'static str,
    files: Vec<FileChange>,
}

impl FileEdits {
    pub(crate) fn new(agent: &'static str) -> Self {
        Self {
            agent,
            files: Vec::new(),
        }
    }

    /// The file as it should be so far, which the caller may change.
    pub(crate) fn file(&mut self, path: &Path) -> Result<&mut Option<String>, AgentFileError> {
        let known = self.files.iter().position(|file| file.path == path);
        let at = match known {
            Some(at) => at,
            None => {
                let text = config_file::read(path)?;
                self.files.push(FileChange {
                    agent: self.agent,
                    path: path.to_owned(),
                    before: text.clone(),
                    after: text,
                });
                self.files.len() - 1
            }
        };
        Ok(&mut self.files[at].after)
    }

    /// Edits the text of a file. An edit that leaves the text as it is creates no file.
    pub(crate) fn edit(
        &mut self,
        path: &Path,
        edit: impl FnOnce(&str) -> Result<String, EntryError>,
    ) -> Result<(), AgentFileError> {
        let file = self.file(path)?;
        let text = file.as_deref().unwrap_or_default();
        let edited = edit(text).map_err(|source| AgentFileError::Entry {
            path: path.to_owned(),
            source,
        })?;
        if edited != text {
            *file = Some(edited);
        }
        Ok(())
    }

    /// Those files that change.
    pub(crate) fn into_changes(self) -> Vec<FileChange> {
        let changed = self.files.into_iter();
        changed.filter(|file| file.before != file.after).collect()
    }
}
