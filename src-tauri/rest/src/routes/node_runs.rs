//! Running and retrying one node, under `/steps` and `/nodes`.

use baton_api::wire::{Nothing, RunProgress, RunSummary};
use baton_model::{NodeId, NodeState, RunId, RunState};
use serde_json::json;

use super::life::{Start, start_or_continue, unchanged};
use super::plan_reading::PlanReading;
use crate::answer::Reply;
use crate::request::Call;
use crate::resources::Vocabulary;
use crate::route::RequestBody;
use crate::schema::{answers, inputs};
use crate::{ErrorCode, Method, RestError, Route};

inputs! {
    /// How to run a node.
    pub(crate) struct RunNodeBody {
        /// Also run the unfinished nodes that it waits for. Otherwise they are an error.
        pub(crate) with_ancestors: bool,
    }
    /// How to retry a node.
    pub(crate) struct RetryBody {
        /// Continue its last session instead of starting a new one.
        pub(crate) resume: bool,
    }
}
impl RequestBody for RunNodeBody {}
impl RequestBody for RetryBody {}

answers! {
    /// A node that was started, and the run in which it runs.
    pub(crate) struct NodeRun {
        pub(crate) run: RunId,
        pub(crate) node: NodeId,
    }
}

pub(super) fn routes<V: Vocabulary>() -> Vec<Route> {
    let one = format!("/api/plans/{{plan}}/{}/{{node}}", V::PATH);
    let id = |verb: &str| format!("{verb}{}", V::NAME);
    vec![
        Route::new(
            Method::Post,
            format!("{one}/run"),
            id("run"),
            "runs a node, and never one before it that is finished",
            run,
        )
        .write()
        .success(202)
        .errors(&[
            ErrorCode::NotFound,
            ErrorCode::NotApproved,
            ErrorCode::Refused,
            ErrorCode::Conflict,
        ])
        .conditional()
        .example(r#"{"withAncestors": true}"#),
        Route::new(
            Method::Post,
            format!("{one}/retry"),
            id("retry"),
            "retries a node",
            retry,
        )
        .write()
        .success(202)
        .errors(&[ErrorCode::NotFound, ErrorCode::Refused, ErrorCode::Conflict])
        .conditional()
        .example(r#"{"resume": false}"#),
    ]
}

fn run(call: &Call<Nothing, RunNodeBody>) -> Result<Reply<NodeRun>, RestError> {
    match run_as_seen(call) {
        // Another writer came between reading and starting, and the request has no condition.
        Err(error) if error.is(ErrorCode::Conflict) && !call.conditions.if_match.is_set() => {
            run_as_seen(call)
        }
        done => done,
    }
}

/// Runs the node if nothing has changed since the plan and its run were read.
fn run_as_seen(call: &Call<Nothing, RunNodeBody>) -> Result<Reply<NodeRun>, RestError> {
    let reading = unchanged(call)?;
    let node = reading.node_id(call.name("node"))?;
    let operations = call.operations();
    let run = match node_start(&reading, node, call.body.with_ancestors)? {
        NodeStart::Wanted { finished } => {
            let wanted = Start {
                goal: json!({ "want": "node", "node": node }),
                base: Some(reading.view.revision),
                finished,
                ..Start::default()
            };
            start_or_continue(&operations, &reading, &wanted)?
        }
        NodeStart::Alone(run) => {
            let input = json!({ "run": run, "node": node });
            let rerun: RunSummary = operations.call("node_rerun_alone", &input)?;
            rerun.id
        }
    };
    Ok(Reply::of(NodeRun { run, node }).accepted())
}

/// How a node starts.
#[derive(Debug, PartialEq, Eq)]
enum NodeStart {
    /// As the goal of the open run, or of a new one.
    Wanted {
        /// Nodes above it that are finished and must not run again.
        finished: Vec<NodeId>,
    },
    /// In this run, in which it has ended before.
    Alone(RunId),
}

/// How to start `node` so that no finished ancestor runs again. Refused if it needs others first
/// that the caller didn't allow.
fn node_start(
    reading: &PlanReading,
    node: NodeId,
    with_ancestors: bool,
) -> Result<NodeStart, RestError> {
    let last = reading.run_of_version().filter(|run| !is_left_behind(run));
    let ancestors = ancestors(reading, node)?;
    let is_done = |id: &NodeId| {
        last.and_then(|run| state(run, *id))
            .is_some_and(is_finished)
    };
    let (done, missing): (Vec<NodeId>, Vec<NodeId>) = ancestors.into_iter().partition(is_done);
    let has_ended = last
        .and_then(|run| state(run, node))
        .is_some_and(NodeState::has_ended);
    if !missing.is_empty() && (has_ended || !with_ancestors) {
        let fix = match has_ended {
            true => "retry these nodes first",
            false => "send \"withAncestors\": true to run them as well",
        };
        let message = format!("the node waits for {}", names(reading, &missing));
        return Err(RestError::new(ErrorCode::Refused, message).with_fix(fix));
    }
    match last.map(|run| (&run.summary.state, run.summary.id)) {
        // Only a new run can run it.
        Some((state, _)) if has_failed(state) && !done.is_empty() => {
            let message = format!(
                "the latest run has ended, and a new one would run {} again",
                names(reading, &done)
            );
            Err(RestError::new(ErrorCode::Refused, message).with_fix(
                "retry the nodes of that run, or run the whole plan again with \
                 POST /api/plans/{plan}/run-all",
            ))
        }
        Some((state, run)) if has_ended && !has_failed(state) => Ok(NodeStart::Alone(run)),
        Some(_) | None => Ok(NodeStart::Wanted { finished: done }),
    }
}

/// Whether only a new run can run nodes.
fn has_failed(state: &RunState) -> bool {
    matches!(state, RunState::Failed { .. } | RunState::Cancelled)
}

/// Whether a new run starts instead of continuing this one: outputs that a person pinned for a run
/// are for that run only.
fn is_left_behind(run: &RunProgress) -> bool {
    run.summary.state.stopped_at_goal() && run.summary.pinned_nodes.is_some()
}

/// Everything that `node` depends on, in the plan's order.
fn ancestors(reading: &PlanReading, node: NodeId) -> Result<Vec<NodeId>, RestError> {
    let plan = &reading.view.plan;
    let graph = plan
        .graph()
        .map_err(|cycle| RestError::new(ErrorCode::Refused, cycle.to_string()))?;
    let number = graph.number(node).ok_or_else(|| {
        RestError::new(ErrorCode::Refused, "the node is a note, which can't run")
            .with_fix("choose another node")
    })?;
    let above: Vec<NodeId> = graph
        .ancestors(number)
        .into_iter()
        .map(|number| graph.id(number))
        .collect();
    let nodes = plan.nodes.iter().map(|node| node.id);
    Ok(nodes.filter(|id| above.contains(id)).collect())
}

fn state(run: &RunProgress, node: NodeId) -> Option<&NodeState> {
    let mut nodes = run.nodes.iter();
    nodes.find(|row| row.node == node).map(|row| &row.state)
}

/// Whether the nodes that depend on one in this state may start.
fn is_finished(state: &NodeState) -> bool {
    match state {
        NodeState::Done { .. } => true,
        NodeState::Skipped { reason } => reason.lets_children_run(),
        _ => false,
    }
}

/// The nodes by their names in the plan file.
fn names(reading: &PlanReading, nodes: &[NodeId]) -> String {
    let found = nodes.iter().filter_map(|id| reading.view.plan.node(*id));
    let names: Vec<&str> = found.map(|node| node.slug.as_str()).collect();
    names.join(", ")
}

fn retry(call: &Call<Nothing, RetryBody>) -> Result<Reply<NodeRun>, RestError> {
    let reading = unchanged(call)?;
    let node = reading.node_id(call.name("node"))?;
    let run = reading.latest_run()?;
    let input = json!({ "run": run, "node": node, "resume": call.body.resume });
    let _: RunSummary = call.operations().call("node_retry", &input)?;
    Ok(Reply::of(NodeRun { run, node }).accepted())
}
