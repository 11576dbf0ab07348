//! State history of runs, from which the window reconstructs any moment, and estimates of how long
//! plans take.

use baton_planning::plan_versions::plan_version;
use std::collections::HashMap;
use std::sync::Arc;

use baton_model::critical_path::{critical_path, widest_antichain};
use baton_model::run::{self, RunStateChange, busy_times};
use baton_model::{Graph, NodeId, Plan, RunId, Timestamp, WorkTime};
use baton_store::{RunRow, StoreError};

use crate::wire::*;
use crate::{ApiError, App, Code};

/// Number of latest runs used for a plan's times.
const MAX_RUNS_FOR_TIMES: u32 = 5;

/// Returns the state changes of a run.
///
/// Replays the whole history, regardless of which part is requested: about ten milliseconds per ten
/// thousand events.
pub(crate) fn state_history(
    app: &App,
    input: RunStateHistory,
) -> Result<StateHistoryView, ApiError> {
    let row = app.store.runs().get(input.run)?;
    let plan = plan_version(app.context(), row.plan, row.version)?;
    let history = app.store.run_events().history(input.run)?;
    let seq = history.len() as u64;
    let mut moments = replay_moments(input.run, Arc::clone(&plan), history)?;
    moments.retain(|moment| moment.seq > input.after);
    Ok(StateHistoryView {
        seq,
        nodes: executable_nodes(&plan),
        moments,
    })
}

/// Returns the critical path and the maximum parallelism.
pub(crate) fn plan_timing(app: &App, input: PlanTiming) -> Result<PlanTimingView, ApiError> {
    let (plan, times, runs) = match input.run {
        Some(run) => {
            let row = app.store.runs().get(run)?;
            let plan = plan_version(app.context(), row.plan, row.version)?;
            let times = busy_times_of_run(app, &row)?;
            (plan, times, 1)
        }
        None => {
            let (_, plan) = app.store.plans().current(input.plan)?;
            let runs = app
                .store
                .runs()
                .list(Some(input.plan), MAX_RUNS_FOR_TIMES)?
                .rows;
            // Unfinished runs don't have final times yet.
            let ended = runs.iter().filter(|row| row.ended_at.is_some());
            let per_run = ended
                .map(|row| busy_times_of_run(app, row))
                .collect::<Result<Vec<_>, _>>()?;
            let measured = per_run.iter().filter(|times| !times.is_empty()).count();
            (
                Arc::new(plan),
                median_times(per_run),
                u32::try_from(measured).unwrap_or(u32::MAX),
            )
        }
    };
    let graph =
        Graph::new(&plan).map_err(|cycle| ApiError::new(Code::Refused, format!("{cycle}")))?;
    let durations: Vec<_> = (0..graph.len())
        .map(|number| times.get(&graph.id(number)).copied())
        .collect();
    let path = critical_path(&graph, &durations);
    let ids = |numbers: Vec<usize>| numbers.into_iter().map(|number| graph.id(number)).collect();
    let known = (0..graph.len())
        .zip(&durations)
        .filter_map(|(number, time)| Some((graph.id(number), (*time)?)));
    Ok(PlanTimingView {
        critical: ids(path.nodes),
        length_ms: path.length_ms,
        times: known
            .map(|(node, busy_ms)| NodeDuration { node, busy_ms })
            .collect(),
        runs,
        widest: ids(widest_antichain(&graph)),
    })
}

/// Returns how long each node was busy in a run, in milliseconds. Nodes inherited from an earlier
/// run have no time.
fn busy_times_of_run(app: &App, row: &RunRow) -> Result<HashMap<NodeId, u64>, ApiError> {
    let plan = plan_version(app.context(), row.plan, row.version)?;
    let nodes = executable_nodes(&plan);
    let moments = replay_moments(row.id, plan, app.store.run_events().history(row.id)?)?;
    let until = row.ended_at.unwrap_or_else(|| app.now());
    let busy = busy_times(&moments, nodes.len(), until);
    let times = app.store.attempts().times_changed_since(row.id, 0)?;
    // A live attempt is only in the history.
    let worked = |node: &NodeId| {
        let times: &WorkTime = times.get(node)?;
        times.elapsed_ms.and(times.worked_ms)
    };
    Ok(nodes
        .into_iter()
        .zip(busy)
        .filter_map(|(node, busy)| Some((node, worked(&node).or(busy)?)))
        .collect())
}

/// The median time of each node; for an even number, the lower of the middle two.
fn median_times(per_run: Vec<HashMap<NodeId, u64>>) -> HashMap<NodeId, u64> {
    let mut all: HashMap<NodeId, Vec<u64>> = HashMap::new();
    for (node, time) in per_run.into_iter().flatten() {
        all.entry(node).or_default().push(time);
    }
    let median = |(node, mut times): (NodeId, Vec<u64>)| {
        times.sort_unstable();
        Some((node, *times.get(times.len().saturating_sub(1) / 2)?))
    };
    all.into_iter().filter_map(median).collect()
}

fn replay_moments(
    run: RunId,
    plan: Arc<Plan>,
    history: Vec<(Timestamp, baton_model::run::Event)>,
) -> Result<Vec<RunStateChange>, ApiError> {
    Ok(run::state_history(run, plan, history)
        .map_err(|source| StoreError::Replay { run, source })?)
}

fn executable_nodes(plan: &Plan) -> Vec<NodeId> {
    plan.nodes
        .iter()
        .filter(|node| node.is_executable())
        .map(|node| node.id)
        .collect()
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn pace_uses_median_times() {
        let [one, other] = [1, 2].map(|number| NodeId(Uuid::from_u128(number)));
        let runs = [
            [(one, 90), (other, 1)],
            [(one, 10), (other, 3)],
            [(one, 20), (other, 2)],
        ];
        let mut per_run: Vec<_> = runs.into_iter().map(HashMap::from).collect();
        per_run.push(HashMap::from([(other, 4)]));
        assert_eq!(
            median_times(per_run),
            HashMap::from([(one, 20), (other, 2)])
        );
        assert_eq!(median_times(Vec::new()), HashMap::new());
    }
}
