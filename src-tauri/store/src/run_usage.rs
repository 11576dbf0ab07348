//! What the sessions of a run used, summed in the run's row, so that runs can be sorted by it.
//!
//! Written in the transaction that stores a session's usage. Unknown sums are NULL, never 0.

use baton_model::SessionId;
use rusqlite::{Connection, params};

use crate::StoreError;

pub(crate) const MIGRATION_10: &str = "
UPDATE runs SET tokens = used.tokens, cost_micros = used.cost_micros FROM (
    SELECT run,
        SUM(IIF(COALESCE(usage ->> '$.inputTokens', usage ->> '$.outputTokens', usage ->> '$.cacheReadTokens',
            usage ->> '$.cacheWriteTokens') IS NULL, NULL,
            CAST(COALESCE(usage ->> '$.inputTokens', 0) AS INTEGER)
            + CAST(COALESCE(usage ->> '$.outputTokens', 0) AS INTEGER)
            + CAST(COALESCE(usage ->> '$.cacheReadTokens', 0) AS INTEGER)
            + CAST(COALESCE(usage ->> '$.cacheWriteTokens', 0) AS INTEGER))) AS tokens,
        SUM(CAST(ROUND((usage ->> '$.usd') * 1000000) AS INTEGER)) AS cost_micros
    FROM (SELECT run, usage FROM sessions WHERE usage IS NOT NULL AND json_valid(usage)) GROUP BY run
) AS used WHERE used.run = runs.id;
";

/// The tokens and the cost, in millionths of a US dollar, in a usage that is stored as JSON in
/// `?1`.
const COUNTS: &str = "
SELECT IIF(COALESCE(?1 ->> '$.inputTokens', ?1 ->> '$.outputTokens', ?1 ->> '$.cacheReadTokens',
        ?1 ->> '$.cacheWriteTokens') IS NULL, NULL,
    CAST(COALESCE(?1 ->> '$.inputTokens', 0) AS INTEGER) + CAST(COALESCE(?1 ->> '$.outputTokens', 0) AS INTEGER)
    + CAST(COALESCE(?1 ->> '$.cacheReadTokens', 0) AS INTEGER)
    + CAST(COALESCE(?1 ->> '$.cacheWriteTokens', 0) AS INTEGER)),
    CAST(ROUND((?1 ->> '$.usd') * 1000000) AS INTEGER)";

/// Adds what `session` used since its usage was stored last. `usage` replaces that.
pub(crate) fn add(
    connection: &Connection,
    session: SessionId,
    usage: &str,
) -> Result<(), StoreError> {
    let stored: Option<String> = connection
        .prepare_cached("SELECT (SELECT usage FROM sessions WHERE id = ?1)")?
        .query_row([session.0], |row| row.get(0))?;
    let before = match stored {
        Some(usage) => counts(connection, &usage)?,
        None => Counts::default(),
    };
    let after = counts(connection, usage)?;
    connection
        .prepare_cached(
            "UPDATE runs SET tokens = IIF(?2 IS NULL, tokens, COALESCE(tokens, 0) + ?2),
                 cost_micros = IIF(?3 IS NULL, cost_micros, COALESCE(cost_micros, 0) + ?3)
             WHERE id = (SELECT run FROM sessions WHERE id = ?1)",
        )?
        .execute(params![
            session.0,
            difference(after.tokens, before.tokens),
            difference(after.cost_micros, before.cost_micros)
        ])?;
    Ok(())
}

#[derive(Default)]
struct Counts {
    tokens: Option<i64>,
    cost_micros: Option<i64>,
}

fn counts(connection: &Connection, usage: &str) -> Result<Counts, StoreError> {
    let read = |row: &rusqlite::Row<'_>| {
        Ok(Counts {
            tokens: row.get(0)?,
            cost_micros: row.get(1)?,
        })
    };
    let found = connection.prepare_cached(COUNTS)?.query_row([usage], read);
    // A stored usage that isn't JSON was never counted.
    Ok(found.unwrap_or_default())
}

/// What to add to a sum that contains `before`; `None` if neither is known.
fn difference(after: Option<i64>, before: Option<i64>) -> Option<i64> {
    match (after, before) {
        (None, None) => None,
        (after, before) => Some(after.unwrap_or_default() - before.unwrap_or_default()),
    }
}
