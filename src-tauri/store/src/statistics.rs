//! Statistics over all runs: counts, durations, failures, tokens, and cost.
//!
//! Everything is read from the tables of plans, runs, attempts, and sessions in one snapshot;
//! nothing is stored. A time filter selects runs by creation time and counts everything that
//! belongs to them, so the parts add up. Usage is summed over sessions that reported it; sessions
//! that reported none are counted separately, never as 0. Formatting is done elsewhere.

mod aggregator;
mod planning;
mod types;

use baton_model::{AttemptTimes, NodeId, Outcome, PlanId, ReviewState, RunId, RunState, Timestamp};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use rusqlite::{Connection, Row, params};
use serde::de::DeserializeOwned;

use aggregator::{AgentSample, AttemptSample, RunSample, StatisticsAggregator};
pub use types::{
    AgentStatistics, AttemptCounts, DailyStatistics, Durations, FailedNode, FailureCount,
    NodeKindStatistics, PlanStatistics, PlanTotals, PlanningStatistics, RejectionCount,
    ReviewCounts, RunCounts, Statistics, TakeoverStatistics, Tokens, ToolGap, UsageTotals,
};

use crate::takeovers::COUNT_LOST_ATTEMPTS;
use crate::{Store, StoreError};

/// Selects the runs to count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StatisticsFilter {
    /// Only runs created at this time or later.
    pub since: Option<Timestamp>,
    /// Only this plan and its runs.
    pub plan: Option<PlanId>,
}

impl Store {
    /// Statistics over the runs that match `filter`. A damaged row counts only in
    /// [`Statistics::unreadable`].
    pub fn statistics(&self, filter: StatisticsFilter) -> Result<Statistics, StoreError> {
        let (since, plan) = (
            filter.since.map(|since| since.0),
            filter.plan.map(|plan| plan.0),
        );
        self.read(|connection| {
            let mut aggregator = StatisticsAggregator::default();
            // Plans exist independently of a period, so the time filter doesn't apply.
            aggregate_rows(
                connection,
                SELECT_PLANS,
                params![plan],
                &mut aggregator,
                count_plan,
            )?;
            aggregate_rows(
                connection,
                SELECT_RUNS,
                params![since, plan],
                &mut aggregator,
                count_run,
            )?;
            aggregate_rows(
                connection,
                SELECT_ATTEMPTS,
                params![since, plan],
                &mut aggregator,
                count_attempt,
            )?;
            let takeovers = connection
                .prepare_cached(&takeovers_query())?
                .query_row(params![since, plan], read_takeovers)?;
            let planning = planning::read(connection, filter)?;
            Ok(aggregator.finish(takeovers, planning))
        })
    }
}

const SELECT_PLANS: &str = "SELECT id, title, review, node_count FROM plans
    WHERE (?1 IS NULL OR id = ?1) AND deleted_at IS NULL AND id NOT IN planning_plans";

const SELECT_RUNS: &str = "
SELECT plan, state, date(created_at / 1000, 'unixepoch', 'localtime'), started_at, ended_at,
    EXISTS (SELECT 1 FROM node_states WHERE run = runs.id AND word = 'skipped'
        AND node_states.state ->> '$.reason.kind' = 'after_failure')
FROM runs WHERE (?1 IS NULL OR created_at >= ?1) AND (?2 IS NULL OR plan = ?2)
    AND plan NOT IN planning_plans AND id NOT IN hidden_runs";

// Start from the runs and find their attempts by key: CROSS JOIN makes SQLite keep that order.
const SELECT_ATTEMPTS: &str = "
SELECT runs.plan, plan_nodes.kind, attempts.outcome, attempts.started_at, attempts.ended_at, sessions.agent,
    IIF(sessions.agent IS NULL, NULL, date(sessions.created_at / 1000, 'unixepoch', 'localtime')), sessions.usage,
    attempts.reserved_at, sessions.worked_ms, runs.id, attempts.node
FROM runs CROSS JOIN attempts ON attempts.run = runs.id
LEFT JOIN sessions ON sessions.id = attempts.session
LEFT JOIN plan_nodes ON plan_nodes.plan = runs.plan AND plan_nodes.node = attempts.node
WHERE (?1 IS NULL OR runs.created_at >= ?1) AND (?2 IS NULL OR runs.plan = ?2) AND runs.id NOT IN hidden_runs";

/// In order: takeovers, displacements, mean recovery time, takeovers without lost sessions, and
/// runs.
fn takeovers_query() -> String {
    format!(
        "SELECT COUNT(*), COUNT(displaced_at), CAST(AVG(MAX(at - last_beat, 0)) AS INTEGER),
             COALESCE(SUM(({COUNT_LOST_ATTEMPTS}) = 0), 0),
             COUNT(DISTINCT IIF(runs.plan IN planning_plans, NULL, takeovers.run))
         FROM takeovers JOIN runs ON runs.id = takeovers.run
         WHERE (?1 IS NULL OR runs.created_at >= ?1) AND (?2 IS NULL OR runs.plan = ?2)
             AND runs.id NOT IN hidden_runs"
    )
}

/// Passes each row of `query` to the aggregator. A row that doesn't parse is only counted as
/// damaged.
fn aggregate_rows(
    connection: &Connection,
    query: &str,
    parameters: impl rusqlite::Params,
    aggregator: &mut StatisticsAggregator,
    count: impl Fn(&mut StatisticsAggregator, &Row<'_>) -> rusqlite::Result<()>,
) -> Result<(), StoreError> {
    use rusqlite::Error::{FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType};
    let mut statement = connection.prepare_cached(query)?;
    let mut rows = statement.query(parameters)?;
    while let Some(row) = rows.next()? {
        match count(aggregator, row) {
            Err(
                FromSqlConversionFailure(..) | IntegralValueOutOfRange(..) | InvalidColumnType(..),
            ) => aggregator.add_unreadable(),
            counted => counted?,
        }
    }
    Ok(())
}

fn count_plan(aggregator: &mut StatisticsAggregator, row: &Row<'_>) -> rusqlite::Result<()> {
    let Json::<ReviewState>(review) = row.get(2)?;
    aggregator.add_plan(PlanId(row.get(0)?), row.get(1)?, review, row.get(3)?);
    Ok(())
}

fn count_run(aggregator: &mut StatisticsAggregator, row: &Row<'_>) -> rusqlite::Result<()> {
    let Json::<RunState>(state) = row.get(1)?;
    aggregator.add_run(RunSample {
        plan: PlanId(row.get(0)?),
        state,
        day: row.get(2)?,
        took_ms: duration_between(row.get(3)?, row.get(4)?),
        skipped_failures: row.get(5)?,
    });
    Ok(())
}

fn count_attempt(aggregator: &mut StatisticsAggregator, row: &Row<'_>) -> rusqlite::Result<()> {
    let ended_at: Option<i64> = row.get(4)?;
    let agent = match (text(row, 5)?, text(row, 6)?) {
        (Some(name), Some(day)) => {
            let usage: Option<Json<_>> = row.get(7)?;
            Some(AgentSample {
                name,
                day,
                usage: usage.map(|Json(usage)| usage).unwrap_or_default(),
            })
        }
        _ => None,
    };
    let outcome = row
        .get::<_, Option<Json<Outcome>>>(2)?
        .map(|Json(outcome)| outcome);
    let times = AttemptTimes {
        reserved_at: Timestamp(row.get(8)?),
        started_at: row.get::<_, Option<_>>(3)?.map(Timestamp),
        ended_at: ended_at.map(Timestamp),
        worked_ms: row.get(9)?,
        lost: matches!(outcome, Some(Outcome::Lost { .. })),
    };
    aggregator.add_attempt(&AttemptSample {
        plan: PlanId(row.get(0)?),
        place: FailedNode {
            run: RunId(row.get(10)?),
            node: NodeId(row.get(11)?),
        },
        kind: text(row, 1)?,
        outcome,
        worked_ms: times.worked_ms(),
        ended_at,
        agent,
    });
    Ok(())
}

fn read_takeovers(row: &Row<'_>) -> rusqlite::Result<TakeoverStatistics> {
    let (count, displaced, inherited_whole) = (row.get(0)?, row.get(1)?, row.get(3)?);
    let share = |part: u32| (count > 0).then(|| f64::from(part) / f64::from(count));
    Ok(TakeoverStatistics {
        count,
        displaced,
        inherited_whole,
        runs: row.get(4)?,
        // Filled in later, where the number of runs is known.
        takeover_rate: None,
        displacement_rate: share(displaced),
        inherited_whole_rate: share(inherited_whole),
        mean_recovery_ms: row.get(2)?,
    })
}

fn duration_between(from: Option<i64>, to: Option<i64>) -> Option<u64> {
    Some(Timestamp(to?).ms_since(Timestamp(from?)))
}

/// Borrows the text: most rows repeat the same values.
fn text<'row>(row: &'row Row<'_>, column: usize) -> rusqlite::Result<Option<&'row str>> {
    let value = row.get_ref(column)?;
    let failed = |error| {
        rusqlite::Error::FromSqlConversionFailure(column, value.data_type(), Box::new(error))
    };
    value.as_str_or_null().map_err(failed)
}

/// A column that contains JSON.
struct Json<T>(T);

impl<T: DeserializeOwned> FromSql for Json<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        serde_json::from_str(value.as_str()?)
            .map(Self)
            .map_err(FromSqlError::other)
    }
}
