//! The attempt that a list of tools is bound to.

use std::collections::HashSet;
use std::io;
use std::sync::{Mutex, PoisonError};

use baton_api::{ApiError, Code};
use baton_model::{NodeId, RunId};

/// The files through which a session hands values to Baton.
pub trait AttemptFiles: Send + Sync {
    /// Appends a line to the named outputs.
    ///
    /// # Errors
    ///
    /// The file can't be written.
    fn append_output(&self, line: &str) -> io::Result<()>;

    /// Appends a line to the summary for people.
    ///
    /// # Errors
    ///
    /// The file can't be written.
    fn append_summary(&self, line: &str) -> io::Result<()>;
}

/// The attempt of the session that this process runs in.
pub struct Attempt {
    pub(crate) run: RunId,
    pub(crate) node: NodeId,
    files: Box<dyn AttemptFiles>,
    /// The reports that were written, by the names that the agent gave them.
    reports: Mutex<HashSet<String>>,
}

impl Attempt {
    /// The attempt that works on `node` in `run`.
    #[must_use]
    pub fn new(run: RunId, node: NodeId, files: Box<dyn AttemptFiles>) -> Self {
        Self {
            run,
            node,
            files,
            reports: Mutex::default(),
        }
    }

    pub(crate) fn set_output(&self, key: &str, value: &str) -> Result<(), ApiError> {
        let line = format!("{key}={value}\n");
        self.files
            .append_output(&line)
            .map_err(|error| not_written("output", &error))
    }

    /// Adds a line to the summary. A report with a known name changes nothing. Returns whether it
    /// is new.
    pub(crate) fn report(&self, name: Option<&str>, line: &str) -> Result<bool, ApiError> {
        let mut reports = self.reports.lock().unwrap_or_else(PoisonError::into_inner);
        if name.is_some_and(|name| reports.contains(name)) {
            return Ok(false);
        }
        self.files
            .append_summary(line)
            .map_err(|error| not_written("report", &error))?;
        reports.extend(name.map(str::to_owned));
        Ok(true)
    }
}

fn not_written(what: &str, error: &io::Error) -> ApiError {
    ApiError::new(
        Code::Unavailable,
        format!("the {what} can't be written: {error}"),
    )
}
