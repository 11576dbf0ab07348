//! How long successful attempts took and what they cost, for estimates.

use baton_model::{NodeId, PlanId};
use rusqlite::{Row, params};

use crate::column::query_rows;
use crate::{Attempts, StoreError};

/// What a successful attempt took.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq)]
pub struct AttemptMeasurement {
    pub node: NodeId,
    /// How long it worked, in milliseconds; `None` if it is unknown.
    pub worked_ms: Option<u64>,
    /// Its cost in US dollars, as the agent estimated it; `None` if it did not.
    pub usd: Option<f64>,
}

/// Successful attempts that did not inherit their result. Attempts without a session worked from
/// their start to their end.
const SUCCEEDED: &str =
    "attempts.outcome ->> '$.kind' = 'succeeded' AND attempts.started_at IS NOT NULL";
const COLUMNS: &str = "attempts.node, sessions.usage ->> '$.usd' AS usd,
    COALESCE(sessions.worked_ms, MAX(attempts.ended_at - attempts.started_at, 0)) AS worked_ms";

impl Attempts<'_> {
    /// Successful attempts in the last `runs` ended runs of a plan, in no particular order.
    pub fn measurements_of_plan(
        &self,
        plan: PlanId,
        runs: u32,
    ) -> Result<Vec<AttemptMeasurement>, StoreError> {
        let query = format!(
            "SELECT {COLUMNS} FROM (SELECT id FROM runs WHERE plan = ?1 AND ended_at IS NOT NULL
                 AND id NOT IN hidden_runs ORDER BY created_at DESC, id DESC LIMIT ?2) AS latest
             CROSS JOIN attempts ON attempts.run = latest.id
             LEFT JOIN sessions ON sessions.id = attempts.session WHERE {SUCCEEDED}"
        );
        self.store()
            .read(|connection| query_rows(connection, &query, params![plan.0, runs], read))
    }

    /// The last `limit` successful attempts of an agent in any plan, latest first. Scans all
    /// sessions. Planners' sessions are left out.
    pub fn measurements_of_agent(
        &self,
        agent: &str,
        limit: u32,
    ) -> Result<Vec<AttemptMeasurement>, StoreError> {
        let query = format!(
            "SELECT {COLUMNS} FROM sessions
             JOIN runs ON runs.id = sessions.run
             JOIN attempts ON attempts.run = sessions.run AND attempts.node = sessions.node
                 AND attempts.attempt = sessions.attempt
             WHERE sessions.agent = ?1 AND {SUCCEEDED} AND runs.plan NOT IN planning_plans
                 AND runs.id NOT IN hidden_runs
             ORDER BY sessions.created_at DESC, sessions.id DESC LIMIT ?2"
        );
        self.store()
            .read(|connection| query_rows(connection, &query, params![agent, limit], read))
    }
}

fn read(row: &Row<'_>) -> Result<AttemptMeasurement, StoreError> {
    Ok(AttemptMeasurement {
        node: NodeId(row.get("node")?),
        worked_ms: row.get("worked_ms")?,
        // Agents write numbers. Anything else is no cost.
        usd: row.get::<_, Option<f64>>("usd").unwrap_or_default(),
    })
}
