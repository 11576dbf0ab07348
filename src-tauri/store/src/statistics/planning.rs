//! Statistics of planning: why people rejected, how often plans were replanned, and which tools
//! nodes lacked.

use rusqlite::{Connection, Params, params};

use super::StatisticsFilter;
use super::types::{PlanningStatistics, RejectionCount, ToolGap};
use crate::StoreError;

/// The maximum number of tools listed.
const MAX_TOOLS: u32 = 20;

const COUNT_REJECTIONS: &str = "
SELECT reason, COUNT(*) FROM rejections WHERE (?1 IS NULL OR at >= ?1) AND (?2 IS NULL OR plan = ?2)
    AND (plan IS NULL OR plan NOT IN deleted_plans)
GROUP BY reason ORDER BY COUNT(*) DESC, reason";

const COUNT_REPLANS: &str = "
SELECT COUNT(*), COALESCE(SUM(content ->> '$.state.state' = 'accepted'), 0) FROM proposals
WHERE target_run IS NOT NULL AND (?1 IS NULL OR created_at >= ?1) AND (?2 IS NULL OR target_plan = ?2)
    AND (target_plan IS NULL OR target_plan NOT IN deleted_plans)";

// Start from the runs: their questions are found by key.
const COUNT_TOOLS: &str = "
SELECT run_events.event ->> '$.call.tool' AS tool, COUNT(*) FROM runs
CROSS JOIN plan_log ON plan_log.run = runs.id AND plan_log.type = 'approval'
CROSS JOIN run_events ON run_events.run = plan_log.run AND run_events.seq = plan_log.seq
WHERE (?1 IS NULL OR runs.created_at >= ?1) AND (?2 IS NULL OR runs.plan = ?2)
    AND runs.id NOT IN hidden_runs AND run_events.event ->> '$.event' = 'node_asked' AND tool IS NOT NULL
GROUP BY tool ORDER BY COUNT(*) DESC, tool LIMIT ?3";

pub(super) fn read(
    connection: &Connection,
    filter: StatisticsFilter,
) -> Result<PlanningStatistics, StoreError> {
    let since = filter.since.map(|since| since.0);
    let plan = filter.plan.map(|plan| plan.0);
    let reasons = counts(connection, COUNT_REJECTIONS, params![since, plan])?;
    let tools = counts(connection, COUNT_TOOLS, params![since, plan, MAX_TOOLS])?;
    let (replans, accepted_replans) = connection
        .prepare_cached(COUNT_REPLANS)?
        .query_row(params![since, plan], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(PlanningStatistics {
        rejections: reasons
            .into_iter()
            .map(|(reason, count)| RejectionCount {
                // A reason of a later version is like none.
                reason: reason.and_then(|reason| serde_json::from_value(reason.into()).ok()),
                count,
            })
            .collect(),
        replans,
        accepted_replans,
        tool_gaps: tools
            .into_iter()
            .filter_map(|(tool, asked)| Some(ToolGap { tool: tool?, asked }))
            .collect(),
    })
}

fn counts(
    connection: &Connection,
    query: &str,
    parameters: impl Params,
) -> Result<Vec<(Option<String>, u32)>, StoreError> {
    let mut statement = connection.prepare_cached(query)?;
    let rows = statement.query_map(parameters, |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
