//! Store errors, and what a person can do about them.

use std::path::PathBuf;

use baton_model::review::IllegalReview;
use baton_model::run::ReplayError;
use baton_model::{Epoch, PlanId, ProposalId, RunId};
use rusqlite::ErrorCode;
use rusqlite::ffi::SQLITE_IOERR_SHMSIZE;

/// Why a store call failed. The call that returns it changed nothing.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A newer Baton wrote the file. It was not touched.
    #[error(
        "{path} was written by a newer version of Baton (format {found}; this version supports up to {known})"
    )]
    NewerDatabase {
        path: PathBuf,
        /// Format of the file.
        found: u32,
        /// The newest format that this program supports.
        known: u32,
    },
    /// The file belongs to another program. It was not touched.
    #[error("{path} is not a Baton database")]
    NotADatabase { path: PathBuf },
    /// The file is shorter than its header says. It was not touched.
    #[error("{path} is truncated ({found} of {expected} bytes)")]
    Truncated {
        path: PathBuf,
        /// Actual length in bytes.
        found: u64,
        /// Minimum length in bytes according to the header.
        expected: u64,
    },
    /// SQLite reports that the file is damaged.
    #[error("{path} is damaged ({detail})")]
    Corrupt {
        path: PathBuf,
        /// The message that SQLite reports.
        detail: String,
    },
    /// The file or its folder can't be written.
    #[error("{path} can't be written: the file or its folder is read-only")]
    ReadOnly {
        /// The file or the folder.
        path: PathBuf,
    },
    /// A read-only operation tried to write, which is a bug in Baton.
    #[error("a query tried to change the database")]
    WriteInQuery,
    /// Another process held the lock longer than the busy timeout.
    #[error("{path} is locked by another program")]
    Locked { path: PathBuf },
    /// The disk is full. Earlier data is intact.
    #[error("the disk is full, so {path} can't be written")]
    Full { path: PathBuf },
    /// No row with this id exists.
    #[error("{what} {id} doesn't exist")]
    NotFound {
        /// A noun, usually with its article: "the plan".
        what: &'static str,
        id: String,
    },
    /// The plan was changed after the writer read it.
    #[error(
        "the plan has changed in the meantime (revision {current}; this change is based on {based_on})"
    )]
    Conflict {
        plan: PlanId,
        /// The revision that the writer read.
        based_on: u64,
        current: u64,
    },
    /// The proposal was changed after the writer read it.
    #[error("the proposal has changed in the meantime")]
    StaleProposal { proposal: ProposalId },
    /// Another request used the idempotency key of this one first.
    #[error("another request with the same idempotency key came first")]
    KeyUsed,
    /// A plan or run with this id already exists.
    #[error("{what} {id} already exists")]
    Exists {
        /// A noun with its article: "the plan".
        what: &'static str,
        id: String,
    },
    /// Another executor took over the run; the writer has to stop.
    #[error("another executor took over run {run} (epoch {}; this process has epoch {})", current.0, ours.0)]
    StaleEpoch {
        run: RunId,
        /// The epoch that the writer has.
        ours: Epoch,
        current: Epoch,
    },
    /// The history has more or fewer events than the writer expects; it has to read the run again.
    #[error("the history of run {run} is at event {current}, not {expected}")]
    StaleHistory {
        run: RunId,
        /// The last event that the writer knows.
        expected: u64,
        /// The last stored event.
        current: u64,
    },
    /// The plan was deleted, but can still be restored.
    #[error("the plan {plan} was deleted")]
    PlanDeleted { plan: PlanId },
    /// Only a deleted plan can be removed for good.
    #[error("the plan {plan} isn't deleted")]
    PlanNotDeleted { plan: PlanId },
    /// Runs of the plan are being executed.
    #[error("the plan is running")]
    PlanIsRunning { plan: PlanId, runs: Vec<RunId> },
    /// Another database can be copied only into an empty one.
    #[error("this Baton isn't empty: it has plans, runs or proposals")]
    NotEmpty,
    /// The plan's review state doesn't allow this action.
    #[error(transparent)]
    Review(#[from] IllegalReview),
    /// The stored history doesn't match its plan.
    #[error("run {run} can't be read from its history")]
    Replay {
        run: RunId,
        #[source]
        source: ReplayError,
    },
    /// One row can't be read; other rows are unaffected.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// A value can't be serialized to JSON.
    #[error("a value can't be serialized as JSON")]
    Encode(#[source] serde_json::Error),
    /// A file operation next to the database failed.
    #[error("{path} can't be used: {source}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    /// Any other SQLite error.
    #[error("the database can't be used: {0}")]
    Sqlite(#[source] rusqlite::Error),
}

/// A row whose content can't be parsed. It is listed next to the readable rows and left unchanged.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[error("{table} {id} is damaged ({detail})")]
pub struct Unreadable {
    pub table: String,
    pub id: String,
    /// The column, and why its value can't be parsed.
    pub detail: String,
}

/// Rows that can be read, and those that can't.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing<T> {
    /// Readable rows, in the requested order.
    pub rows: Vec<T>,
    /// Damaged rows, in no particular order.
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
    /// Sorts rows into readable and damaged ones. Any other error fails the whole listing.
    pub(crate) fn from_results(
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
    /// Replaces SQLite's error codes by errors that name the file.
    pub(crate) fn with_path(self, path: &std::path::Path) -> Self {
        match self {
            Self::Sqlite(error) => Self::from_sqlite(error, path),
            other => other,
        }
    }

    /// What a person can do about it, if the error says enough.
    #[must_use]
    pub fn fix(&self) -> Option<&'static str> {
        match self {
            Self::NewerDatabase { .. } => {
                Some("start the newer version, or choose another data directory")
            }
            Self::NotADatabase { .. } => Some("move it away, or choose another data directory"),
            Self::Truncated { .. } | Self::Corrupt { .. } => {
                Some("restore a backup, such as baton.db.before-…")
            }
            Self::ReadOnly { .. } => {
                Some("make both writable for your user, or choose another data directory")
            }
            Self::Locked { .. } => Some("close that program, then try again"),
            Self::Full { .. } => Some("free some space, then try again"),
            Self::NotFound { .. } => Some("it may have been deleted. Refresh the list"),
            Self::Conflict { .. } => Some("open the current version, then make the change again"),
            Self::StaleProposal { .. } => Some("open it again, then decide"),
            Self::PlanDeleted { .. } => Some(
                "restore it: choose Recently deleted on the Blueprints page, or run baton plan undelete",
            ),
            Self::PlanNotDeleted { .. } => Some("delete it first"),
            Self::PlanIsRunning { .. } => Some("cancel its run first"),
            Self::NotEmpty => {
                Some("import it into a new data directory: set BATON_DATA_DIR to an empty folder")
            }
            Self::StaleHistory { .. } => Some("try again"),
            Self::KeyUsed => {
                Some("send the request again: the answer of the first one is returned")
            }
            Self::Replay { .. } => Some(
                "restore a backup of baton.db, or start over with a new plan. If only Baton wrote to baton.db, report this bug",
            ),
            Self::WriteInQuery
            | Self::Exists { .. }
            | Self::StaleEpoch { .. }
            | Self::Review(_)
            | Self::Unreadable(_)
            | Self::Encode(_)
            | Self::Io { .. }
            | Self::Sqlite(_) => None,
        }
    }

    /// Whether retrying the same write later may succeed, or the write may be stored despite the
    /// error. False if the database itself rejects it, such as a constraint violation: it would
    /// again.
    #[must_use]
    pub fn is_transient(&self) -> bool {
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

    fn from_sqlite(error: rusqlite::Error, path: &std::path::Path) -> Self {
        let path = path.to_path_buf();
        let extended = error.sqlite_error().map(|error| error.extended_code);
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Locked { path },
            Some(ErrorCode::DiskFull) => Self::Full { path },
            // SQLite keeps a small index of the WAL in shared memory (`-shm`). If that doesn't fit
            // on the disk, this is the only code.
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
    fn only_transient_errors_are_retried() {
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
            assert_eq!(error.is_transient(), passes, "{error}");
        }
    }
}
