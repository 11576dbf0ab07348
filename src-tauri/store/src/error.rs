//! What can go wrong with the store, in words that a person can act on.

use std::path::PathBuf;

use baton_model::review::IllegalReview;
use baton_model::run::ReplayError;
use baton_model::{Epoch, PlanId, ProposalId, RunId};
use rusqlite::ErrorCode;
use rusqlite::ffi::SQLITE_IOERR_SHMSIZE;

/// Why the store did not do what it was asked. Nothing was changed by the call that returns it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A newer Baton wrote the file. It was not touched.
    #[error("{path} was written by a newer Baton (format {found}; this one knows up to {known})")]
    NewerDatabase {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The newest format that this program knows.
        known: u32,
    },
    /// The file is something else. It was not touched.
    #[error("{path} is not a Baton database")]
    NotADatabase {
        /// The file.
        path: PathBuf,
    },
    /// The file is shorter than it says. It was not touched.
    #[error("{path} is cut off ({found} of {expected} bytes are there)")]
    Truncated {
        /// The file.
        path: PathBuf,
        /// Its length in bytes.
        found: u64,
        /// The length that its header promises, at least.
        expected: u64,
    },
    /// The file is damaged.
    #[error("{path} is damaged ({detail})")]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        detail: String,
    },
    /// The file or its folder cannot be written.
    #[error("{path} can't be written: the file or its folder is read-only")]
    ReadOnly {
        /// The file or the folder.
        path: PathBuf,
    },
    /// Something that only asks tried to write: a defect of Baton.
    #[error("a query tried to change the database")]
    WriteByQuery,
    /// Another process holds the file longer than this one may wait.
    #[error("another program keeps {path} locked")]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// The disk is full. What was stored before is intact.
    #[error("the disk is full, so {path} can't be written")]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// There is no such row.
    #[error("{what} {id} doesn't exist")]
    NotFound {
        /// The noun: "the plan".
        what: &'static str,
        /// What was asked for.
        id: String,
    },
    /// The plan has been changed since the writer read it.
    #[error(
        "the plan was changed meanwhile (revision {current}; this change was made on {based_on})"
    )]
    Conflict {
        /// The plan.
        plan: PlanId,
        /// The revision that the writer had.
        based_on: u64,
        /// The revision that is stored.
        current: u64,
    },
    /// The proposal has been changed since the writer read it.
    #[error("somebody else changed the proposal meanwhile")]
    ProposalMoved {
        /// The proposal.
        proposal: ProposalId,
    },
    /// A plan or run with this id is there already.
    #[error("{what} {id} exists already")]
    Exists {
        /// The noun.
        what: &'static str,
        /// Its id.
        id: String,
    },
    /// Another executor took the run over: the writer has to stop.
    #[error("another Baton took over run {run} (epoch {}, ours is {})", current.0, ours.0)]
    EpochPassed {
        /// The run.
        run: RunId,
        /// The writer's epoch.
        ours: Epoch,
        /// The stored one.
        current: Epoch,
    },
    /// The history has more, or fewer, events than the writer knows: it has to read it again.
    #[error("the history of run {run} is at event {current}, not {expected}")]
    HistoryMoved {
        /// The run.
        run: RunId,
        /// The last event that the writer knows.
        expected: u64,
        /// The last event that is stored.
        current: u64,
    },
    /// Runs of the plan are being executed.
    #[error("the plan is running")]
    PlanRuns {
        /// The plan.
        plan: PlanId,
        /// Which runs.
        runs: Vec<RunId>,
    },
    /// The plan is not in a state in which this review makes sense.
    #[error(transparent)]
    Review(#[from] IllegalReview),
    /// The stored history does not fit its plan.
    #[error("run {run} can't be read from its history")]
    Replay {
        /// The run.
        run: RunId,
        /// Why.
        #[source]
        source: ReplayError,
    },
    /// One row cannot be understood; the others can.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// A value cannot be written as JSON.
    #[error("a value can't be written as JSON")]
    Encode(#[source] serde_json::Error),
    /// A file operation beside the database failed.
    #[error("{path} can't be used: {source}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the operating system says.
        #[source]
        source: std::io::Error,
    },
    /// Anything else that SQLite reports.
    #[error("the database can't be used: {0}")]
    Sqlite(#[source] rusqlite::Error),
}

/// A row whose content cannot be understood. It is reported beside those that can, and left as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
#[error("{table} {id}: its stored form is damaged ({detail})")]
pub struct Unreadable {
    /// The table.
    pub table: String,
    /// Which row.
    pub id: String,
    /// What does not fit.
    pub detail: String,
}

/// The rows that can be read, and those that cannot.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing<T> {
    /// In the order that was asked for.
    pub rows: Vec<T>,
    /// Damaged ones.
    pub unreadable: Vec<Unreadable>,
}

impl<T> Default for Listing<T> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            unreadable: Vec::new(),
        }
    }
}

impl<T> Listing<T> {
    /// Sorts rows that were read one by one into the two heaps; any other error ends the listing.
    pub(crate) fn gather(
        rows: impl Iterator<Item = Result<T, StoreError>>,
    ) -> Result<Self, StoreError> {
        let mut listing = Self::default();
        for row in rows {
            match row {
                Ok(row) => listing.rows.push(row),
                Err(StoreError::Unreadable(row)) => listing.unreadable.push(row),
                Err(error) => return Err(error),
            }
        }
        Ok(listing)
    }
}

impl StoreError {
    /// The same error, with the words for what SQLite only gives a code for.
    pub(crate) fn at(self, path: &std::path::Path) -> Self {
        match self {
            Self::Sqlite(error) => Self::of_sqlite(error, path),
            other => other,
        }
    }

    /// What a person can do about it, where that follows from the error.
    #[must_use]
    pub fn fix(&self) -> Option<&'static str> {
        match self {
            Self::NewerDatabase { .. } => {
                Some("start the newer Baton, or choose another data folder")
            }
            Self::NotADatabase { .. } => Some("move it away, or choose another data folder"),
            Self::Truncated { .. } | Self::Corrupt { .. } => {
                Some("put a backup such as baton.db.before-… in its place")
            }
            Self::ReadOnly { .. } => {
                Some("make both writable for your user, or choose another data folder")
            }
            Self::Locked { .. } => Some("close that program, then try again"),
            Self::Full { .. } => Some("free some space, then try again"),
            Self::NotFound { .. } => Some("it may have been deleted: look at the list again"),
            Self::Conflict { .. } => Some("look at the newer version, then make the change again"),
            Self::ProposalMoved { .. } => Some("look at it again"),
            Self::PlanRuns { .. } => Some("cancel its run first"),
            Self::HistoryMoved { .. } => Some("try again"),
            Self::Replay { .. } => Some(
                "restore a backup of baton.db, or start over with a new blueprint. If only Baton wrote to baton.db, report this fault",
            ),
            Self::WriteByQuery
            | Self::Exists { .. }
            | Self::EpochPassed { .. }
            | Self::Review(_)
            | Self::Unreadable(_)
            | Self::Encode(_)
            | Self::Io { .. }
            | Self::Sqlite(_) => None,
        }
    }

    /// Whether the same write may work a little later, or may be stored although it was reported as failed. What the
    /// database itself refuses, such as a row that breaks a constraint, it will refuse again.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Full { .. } | Self::Locked { .. } | Self::Io { .. } => true,
            Self::Sqlite(error) => !matches!(
                error.sqlite_error_code(),
                Some(
                    ErrorCode::ConstraintViolation
                        | ErrorCode::TypeMismatch
                        | ErrorCode::TooBig
                        | ErrorCode::ApiMisuse
                )
            ),
            _ => false,
        }
    }

    fn of_sqlite(error: rusqlite::Error, path: &std::path::Path) -> Self {
        let path = path.to_path_buf();
        let extended = error.sqlite_error().map(|error| error.extended_code);
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Locked { path },
            Some(ErrorCode::DiskFull) => Self::Full { path },
            // Beside the file SQLite keeps a small index of the log; when there is no room for it, it says only this.
            Some(ErrorCode::SystemIoFailure) if extended == Some(SQLITE_IOERR_SHMSIZE) => {
                Self::Full { path }
            }
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => Self::ReadOnly { path },
            Some(ErrorCode::NotADatabase) => Self::NotADatabase { path },
            Some(ErrorCode::DatabaseCorrupt) => Self::Corrupt {
                path,
                detail: error.to_string(),
            },
            _ => Self::Sqlite(error),
        }
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::ffi::{
        self, SQLITE_CONSTRAINT_TRIGGER, SQLITE_IOERR_WRITE, SQLITE_MISMATCH, SQLITE_NOMEM,
    };

    use super::*;

    #[test]
    fn only_what_may_pass_is_worth_another_try() {
        let sqlite =
            |code| StoreError::Sqlite(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None));
        for (error, passes) in [
            (
                StoreError::Locked {
                    path: PathBuf::new(),
                },
                true,
            ),
            (
                StoreError::Full {
                    path: PathBuf::new(),
                },
                true,
            ),
            (sqlite(SQLITE_IOERR_WRITE), true),
            (sqlite(SQLITE_NOMEM), true),
            (sqlite(SQLITE_CONSTRAINT_TRIGGER), false),
            (sqlite(SQLITE_MISMATCH), false),
            (
                StoreError::ReadOnly {
                    path: PathBuf::new(),
                },
                false,
            ),
        ] {
            assert_eq!(error.may_pass(), passes, "{error}");
        }
    }
}
