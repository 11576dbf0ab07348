//! Moving everything to another data directory: a copy of the database for a bundle, and taking
//! such a copy into an empty database.
//!
//! A person decides what may happen here, so a copy brings no decisions with it: what was granted
//! stays behind, and what was approved becomes history.

mod copy;
mod history;
mod take_over_rows;
mod validation;

use baton_model::{RunId, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{Runs, StoreError};

/// Tables whose rows never leave a data directory: permissions, tokens, answers to calls that were
/// made with these tokens, and the notices to processes of this machine.
pub(crate) const LOCAL_TABLES: [&str; 4] = ["grants", "tokens", "idempotency_keys", "changes"];

/// The key in the table `settings` under which an import is recorded.
const KEY: &str = "bundleImport";

/// The import of a bundle into this database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct BundleImport {
    at: Timestamp,
}

/// A run of a copied database that was open when the copy was made, or that still has permissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CopiedRun {
    /// The run.
    pub run: RunId,
    /// Whether it is the session of a planner.
    pub planner: bool,
}

impl Runs<'_> {
    /// Whether the run came with a bundle and nobody has approved its version here. Such a run must
    /// not continue: its approval is only history.
    pub fn lacks_approval_after_import(&self, run: RunId) -> Result<bool, StoreError> {
        let query = "SELECT EXISTS (
            SELECT 1 FROM runs JOIN settings ON settings.key = ?2
            WHERE runs.id = ?1 AND runs.created_at <= settings.value ->> '$.at' AND NOT EXISTS (
                SELECT 1 FROM approvals WHERE plan = runs.plan AND version = runs.version AND id >= 0))";
        self.store.read(|connection| {
            Ok(connection.query_row(query, rusqlite::params![run.0, KEY], |row| row.get(0))?)
        })
    }
}
