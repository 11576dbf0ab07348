//! How runs went over time: their course for looking back, and what it tells of the time that plans take.

use std::collections::HashMap;
use std::sync::Arc;

use baton_model::pace::{critical_path, widest};
use baton_model::run::{Moment, busy_times, course};
use baton_model::{Graph, NodeId, Plan, RunId, Timestamp};
use baton_store::{RunRow, StoreError};

use crate::wire::*;
use crate::{ApiError, App, Code, plans};

/// The times of a plan come from so many of its latest runs.
const MOST_RUNS: u32 = 5;

/// Shows how the states of a run followed each other.
///
/// Replays the whole history, whatever part is asked for: some ten milliseconds for ten thousand events.
pub(crate) fn get(app: &App, input: RunCourse) -> Result<CourseView, ApiError> {
    let row = app.store.runs().get(input.run)?;
    let plan = plans::content(app, row.plan, row.version)?;
    let history = app.store.run_events().history(input.run)?;
    let seq = history.len() as u64;
    let mut moments = moments_of(input.run, Arc::clone(&plan), history)?;
    moments.retain(|moment| moment.seq > input.after);
    Ok(CourseView {
        seq,
        nodes: executable(&plan),
        moments,
    })
}

/// Tells which chain of nodes takes longest, and how many nodes can run at once.
pub(crate) fn pace(app: &App, input: PlanPace) -> Result<PaceView, ApiError> {
    let (plan, times, runs) = match input.run {
        Some(run) => {
            let row = app.store.runs().get(run)?;
            let plan = plans::content(app, row.plan, row.version)?;
            let times = times_in(app, &row)?;
            (plan, times, 1)
        }
        None => {
            let (_, plan) = app.store.plans().current(input.plan)?;
            let runs = app.store.runs().list(Some(input.plan), MOST_RUNS)?.rows;
            // What still runs has not taken its time yet.
            let ended = runs.iter().filter(|row| row.ended_at.is_some());
            let of_runs = ended
                .map(|row| times_in(app, row))
                .collect::<Result<Vec<_>, _>>()?;
            let told = of_runs.iter().filter(|times| !times.is_empty()).count();
            (
                Arc::new(plan),
                medians(of_runs),
                u32::try_from(told).unwrap_or(u32::MAX),
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
    Ok(PaceView {
        critical: ids(path.nodes),
        length_ms: path.length_ms,
        times: known
            .map(|(node, busy_ms)| NodeTime { node, busy_ms })
            .collect(),
        runs,
        widest: ids(widest(&graph)),
    })
}

/// How long each node was busy in a run, in milliseconds. What an earlier run finished has no time in this one.
fn times_in(app: &App, row: &RunRow) -> Result<HashMap<NodeId, u64>, ApiError> {
    let plan = plans::content(app, row.plan, row.version)?;
    let nodes = executable(&plan);
    let moments = moments_of(row.id, plan, app.store.run_events().history(row.id)?)?;
    let until = row.ended_at.unwrap_or_else(|| app.now());
    let busy = busy_times(&moments, nodes.len(), until);
    Ok(nodes
        .into_iter()
        .zip(busy)
        .filter_map(|(node, busy)| Some((node, busy?)))
        .collect())
}

/// The middle one of what each node took; of two the shorter.
fn medians(of_runs: Vec<HashMap<NodeId, u64>>) -> HashMap<NodeId, u64> {
    let mut all: HashMap<NodeId, Vec<u64>> = HashMap::new();
    for (node, time) in of_runs.into_iter().flatten() {
        all.entry(node).or_default().push(time);
    }
    let median = |(node, mut times): (NodeId, Vec<u64>)| {
        times.sort_unstable();
        Some((node, *times.get(times.len().saturating_sub(1) / 2)?))
    };
    all.into_iter().filter_map(median).collect()
}

fn moments_of(
    run: RunId,
    plan: Arc<Plan>,
    history: Vec<(Timestamp, baton_model::run::Event)>,
) -> Result<Vec<Moment>, ApiError> {
    Ok(course(run, plan, history).map_err(|source| StoreError::Replay { run, source })?)
}

fn executable(plan: &Plan) -> Vec<NodeId> {
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
    fn a_plan_takes_what_its_runs_took_in_the_middle() {
        let [one, other] = [1, 2].map(|number| NodeId(Uuid::from_u128(number)));
        let runs = [
            [(one, 90), (other, 1)],
            [(one, 10), (other, 3)],
            [(one, 20), (other, 2)],
        ];
        let mut of_runs: Vec<_> = runs.into_iter().map(HashMap::from).collect();
        of_runs.push(HashMap::from([(other, 4)]));
        assert_eq!(medians(of_runs), HashMap::from([(one, 20), (other, 2)]));
        assert_eq!(medians(Vec::new()), HashMap::new());
    }
}
