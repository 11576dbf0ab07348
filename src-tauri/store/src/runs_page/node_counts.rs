//! How far the runs of a page are, counted by the database.

use std::collections::HashMap;

use baton_model::RunId;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use serde::{Deserialize, Serialize};

use super::condition::placeholders;
use crate::StoreError;

/// The nodes of a run, by their state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RunNodeCounts {
    /// All executable nodes. Those that no other field counts haven't started.
    pub total: u32,
    /// Finished their work.
    pub done: u32,
    /// Failed, and not skipped.
    pub failed: u32,
    /// Skipped, with `skipped_failures`.
    pub skipped: u32,
    /// Failed and were skipped because the plan says so.
    pub skipped_failures: u32,
    /// Held back by a person, a lock or a limit, or interrupted.
    pub waiting: u32,
    /// A session is working on them.
    pub running: u32,
}

/// The counts of each of `runs`, and the number of its unverified nodes.
pub(super) fn of_runs(
    connection: &Connection,
    runs: &[RunId],
) -> Result<HashMap<RunId, (RunNodeCounts, u32)>, StoreError> {
    let query = format!(
        "SELECT run, COUNT(*), SUM(word = 'done'), SUM(word = 'failed'), SUM(word = 'skipped'),
             SUM(IIF(word = 'skipped' AND json_valid(state), state ->> '$.reason.kind' = 'after_failure', 0)),
             SUM(word IN ('waiting', 'interrupted')), SUM(word = 'running'), SUM(unverified)
         FROM node_states WHERE run IN ({}) GROUP BY run",
        placeholders(runs.len())
    );
    let ids = runs
        .iter()
        .map(|run| Value::from(run.0.as_bytes().to_vec()));
    let mut statement = connection.prepare_cached(&query)?;
    let rows = statement.query_map(params_from_iter(ids), |row| {
        let counts = RunNodeCounts {
            total: row.get(1)?,
            done: row.get(2)?,
            failed: row.get(3)?,
            skipped: row.get(4)?,
            skipped_failures: row.get::<_, Option<u32>>(5)?.unwrap_or_default(),
            waiting: row.get(6)?,
            running: row.get(7)?,
        };
        Ok((RunId(row.get(0)?), (counts, row.get(8)?)))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
