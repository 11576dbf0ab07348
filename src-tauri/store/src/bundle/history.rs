//! Turns what a person decided in the copied database into history.

use baton_model::{ReviewState, RunId, Timestamp};
use rusqlite::params;

use super::CopiedRun;
use crate::column::{json, query_rows};
use crate::{HeldCallOutcome, RequestOutcome, Store, StoreError};

/// Why requests to executors of the copied database are refused.
const REQUEST_REFUSED: &str = "the run was moved to another data directory";

/// Approvals with a number below zero are history. Their order stays, also if some are history
/// already.
const APPROVALS: &str = "UPDATE approvals SET id = id
    - (SELECT MAX(id) - MIN(MIN(id), 0) + 1 FROM approvals)";

impl Store {
    /// In a copied database: makes approvals history and plans drafts, refuses the requests that
    /// still wait, and ends the executors of the other machine. Runs are not changed.
    pub fn make_decisions_history(&self, now: Timestamp) -> Result<(), StoreError> {
        self.write(|writing| {
            let tx = writing.tx;
            tx.execute(APPROVALS, [])?;
            tx.execute(
                "UPDATE plans SET review = ?1, approved_version = NULL, agents_may_start = 0",
                [json(&ReviewState::default())?],
            )?;
            let refused = RequestOutcome::Refused {
                message: REQUEST_REFUSED.to_owned(),
            };
            tx.execute(
                "UPDATE requests SET outcome = ?1, answered_at = ?2 WHERE outcome IS NULL",
                params![json(&refused)?, now.0],
            )?;
            tx.execute(
                "UPDATE held_calls SET outcome = ?1, decided_at = ?2 WHERE outcome IS NULL",
                params![json(&HeldCallOutcome::RunEnded)?, now.0],
            )?;
            tx.execute(
                "UPDATE executors SET ended_at = last_beat WHERE ended_at IS NULL",
                [],
            )?;
            tx.execute("DELETE FROM permits", [])?;
            tx.execute("DELETE FROM permit_waits", [])?;
            Ok(())
        })
    }

    /// In a copied database: the runs that are open, or whose history grants permissions.
    pub fn runs_to_interrupt(&self) -> Result<Vec<CopiedRun>, StoreError> {
        let query = "SELECT id, planner FROM runs WHERE ended_at IS NULL OR EXISTS (
                SELECT 1 FROM run_events WHERE run = runs.id AND json_valid(event)
                    AND (event ->> '$.event' = 'granted' OR json_array_length(event, '$.grants') > 0))
            ORDER BY created_at, id";
        self.read(|connection| {
            query_rows(connection, query, [], |row| {
                Ok(CopiedRun {
                    run: RunId(row.get(0)?),
                    planner: row.get(1)?,
                })
            })
        })
    }
}
