//! What all runs come to in numbers: counts, durations, failures, tokens and money.
//!
//! Everything is read from the tables of plans, runs, attempts and sessions at one moment; nothing is kept beside them.
//! A filter by time chooses runs by when they were begun, and counts them with all that belongs to them, so that the
//! parts add up. What agents used is summed where they told it; sessions that told nothing are counted, never taken
//! for 0. Words and pictures are for others.

mod figures;
mod tally;

use baton_model::{Outcome, PlanId, ReviewState, RunState, Timestamp};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use rusqlite::{Connection, Row, params};
use serde::de::DeserializeOwned;

pub use figures::{
    AgentFigures, AttemptCounts, DayFigures, Durations, FailureCount, KindFigures, PlanFigures,
    PlansFigures, ReviewCounts, RunCounts, Statistics, TakeoverFigures, Tokens, Used,
};
use tally::{AgentTale, AttemptTale, RunTale, Tally};

use crate::takeovers::LOST;
use crate::{Store, StoreError};

/// Which runs are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StatisticsFilter {
    /// Only runs that were begun at this time or later.
    pub since: Option<Timestamp>,
    /// Only this plan and its runs.
    pub plan: Option<PlanId>,
}

impl Store {
    /// What the runs that fit `filter` come to in numbers. A damaged row is counted in [`Statistics::unreadable`] and nowhere else.
    pub fn statistics(&self, filter: StatisticsFilter) -> Result<Statistics, StoreError> {
        let (since, plan) = (
            filter.since.map(|since| since.0),
            filter.plan.map(|plan| plan.0),
        );
        self.read(|connection| {
            let mut tally = Tally::default();
            // Plans are a stock, not a flow: a filter by time leaves them as they are.
            each(connection, PLANS, params![plan], &mut tally, count_plan)?;
            each(
                connection,
                RUNS,
                params![since, plan],
                &mut tally,
                count_run,
            )?;
            each(
                connection,
                ATTEMPTS,
                params![since, plan],
                &mut tally,
                count_attempt,
            )?;
            let takeovers = connection
                .prepare_cached(&takeovers_query())?
                .query_row(params![since, plan], read_takeovers)?;
            Ok(tally.figures(takeovers))
        })
    }
}

const PLANS: &str = "SELECT id, title, review, node_count FROM plans
    WHERE (?1 IS NULL OR id = ?1) AND id NOT IN (SELECT planning FROM proposals)";

const RUNS: &str = "
SELECT plan, state, date(created_at / 1000, 'unixepoch', 'localtime'), started_at, ended_at,
    EXISTS (SELECT 1 FROM node_states WHERE run = runs.id AND word = 'skipped'
        AND node_states.state ->> '$.reason.kind' = 'after_failure')
FROM runs WHERE (?1 IS NULL OR created_at >= ?1) AND (?2 IS NULL OR plan = ?2)
    AND plan NOT IN (SELECT planning FROM proposals)";

// From the runs to their attempts, each found by its key: CROSS JOIN keeps SQLite to that order.
const ATTEMPTS: &str = "
SELECT runs.plan, plan_nodes.kind, attempts.outcome, attempts.started_at, attempts.ended_at, sessions.agent,
    IIF(sessions.agent IS NULL, NULL, date(sessions.created_at / 1000, 'unixepoch', 'localtime')), sessions.usage
FROM runs CROSS JOIN attempts ON attempts.run = runs.id
LEFT JOIN sessions ON sessions.id = attempts.session
LEFT JOIN plan_nodes ON plan_nodes.plan = runs.plan AND plan_nodes.node = attempts.node
WHERE (?1 IS NULL OR runs.created_at >= ?1) AND (?2 IS NULL OR runs.plan = ?2)";

/// Takeovers, those that displaced somebody, the mean time without anybody, those that kept every session, and runs.
fn takeovers_query() -> String {
    format!(
        "SELECT COUNT(*), COUNT(displaced_at), CAST(AVG(MAX(at - last_beat, 0)) AS INTEGER),
             COALESCE(SUM(({LOST}) = 0), 0),
             COUNT(DISTINCT IIF(runs.plan IN (SELECT planning FROM proposals), NULL, takeovers.run))
         FROM takeovers JOIN runs ON runs.id = takeovers.run
         WHERE (?1 IS NULL OR runs.created_at >= ?1) AND (?2 IS NULL OR runs.plan = ?2)"
    )
}

/// Counts each row that `query` finds; one that does not hold what its columns promise is only counted as damaged.
fn each(
    connection: &Connection,
    query: &str,
    parameters: impl rusqlite::Params,
    tally: &mut Tally,
    count: impl Fn(&mut Tally, &Row<'_>) -> rusqlite::Result<()>,
) -> Result<(), StoreError> {
    use rusqlite::Error::{FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType};
    let mut statement = connection.prepare_cached(query)?;
    let mut rows = statement.query(parameters)?;
    while let Some(row) = rows.next()? {
        match count(tally, row) {
            Err(
                FromSqlConversionFailure(..) | IntegralValueOutOfRange(..) | InvalidColumnType(..),
            ) => tally.damaged(),
            counted => counted?,
        }
    }
    Ok(())
}

fn count_plan(tally: &mut Tally, row: &Row<'_>) -> rusqlite::Result<()> {
    let Json::<ReviewState>(review) = row.get(2)?;
    tally.plan(PlanId(row.get(0)?), row.get(1)?, review, row.get(3)?);
    Ok(())
}

fn count_run(tally: &mut Tally, row: &Row<'_>) -> rusqlite::Result<()> {
    let Json::<RunState>(state) = row.get(1)?;
    tally.run(RunTale {
        plan: PlanId(row.get(0)?),
        state,
        day: row.get(2)?,
        took_ms: span(row.get(3)?, row.get(4)?),
        skipped_failures: row.get(5)?,
    });
    Ok(())
}

fn count_attempt(tally: &mut Tally, row: &Row<'_>) -> rusqlite::Result<()> {
    let ended_at: Option<i64> = row.get(4)?;
    let agent = match (text(row, 5)?, text(row, 6)?) {
        (Some(name), Some(day)) => {
            let usage: Option<Json<_>> = row.get(7)?;
            Some(AgentTale {
                name,
                day,
                usage: usage.map(|Json(usage)| usage).unwrap_or_default(),
            })
        }
        _ => None,
    };
    let outcome: Option<Json<Outcome>> = row.get(2)?;
    tally.attempt(&AttemptTale {
        plan: PlanId(row.get(0)?),
        kind: text(row, 1)?,
        outcome: outcome.map(|Json(outcome)| outcome),
        took_ms: span(row.get(3)?, ended_at),
        ended_at,
        agent,
    });
    Ok(())
}

fn read_takeovers(row: &Row<'_>) -> rusqlite::Result<TakeoverFigures> {
    let (count, displaced, inherited_whole) = (row.get(0)?, row.get(1)?, row.get(3)?);
    let share = |part: u32| (count > 0).then(|| f64::from(part) / f64::from(count));
    Ok(TakeoverFigures {
        count,
        displaced,
        inherited_whole,
        runs: row.get(4)?,
        // Only whoever counts the runs knows it.
        takeover_rate: None,
        displacement_rate: share(displaced),
        inherited_whole_rate: share(inherited_whole),
        mean_recovery_ms: row.get(2)?,
    })
}

fn span(from: Option<i64>, to: Option<i64>) -> Option<u64> {
    Some(Timestamp(to?).ms_since(Timestamp(from?)))
}

/// A text that is not copied; most rows repeat what others say.
fn text<'row>(row: &'row Row<'_>, column: usize) -> rusqlite::Result<Option<&'row str>> {
    let value = row.get_ref(column)?;
    let failed = |error| {
        rusqlite::Error::FromSqlConversionFailure(column, value.data_type(), Box::new(error))
    };
    value.as_str_or_null().map_err(failed)
}

/// A column that is kept as JSON.
struct Json<T>(T);

impl<T: DeserializeOwned> FromSql for Json<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        serde_json::from_str(value.as_str()?)
            .map(Self)
            .map_err(FromSqlError::other)
    }
}
