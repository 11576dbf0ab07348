//! Replanning after an incomplete run: the report of the run for the planner, and the follow-up run
//! that continues it.
//!
//! Whether a failed run needs a replan follows from the store (`proposals::propose_if_enabled`): a
//! long-running process checks at its start, and a shell command checks before it exits.

use std::collections::HashMap;
use std::fmt::Write as _;

use baton_engine::{RunSnapshot, failure_of};
use baton_model::planning::Proposal;
use baton_model::run::{Command, Inheritance, Inherited, ReplanEnd};
use baton_model::{ArtifactId, NodeId, NodeState, Plan, PlanId, RunId, RunState};
use baton_store::{NodeStateRow, StoreError};

use crate::plan_versions::plan_version;
use crate::{Context, PlanningError, RefusalReason};

/// The maximum length of a handoff in the report, in characters.
const HANDOFF_LIMIT: usize = 1_500;

/// Refuses while a run is running, because its plan must not change during that.
pub(crate) fn refuse_running(context: &Context, run: RunId) -> Result<(), PlanningError> {
    let row = context.store.runs().get(run)?;
    match row.state {
        RunState::Running { .. } => Err(PlanningError::new(
            RefusalReason::Refused,
            "the run is still running",
        )
        .with_fix("pause or cancel it first")),
        _ => Ok(()),
    }
}

/// The finished nodes of a run with their handoffs.
pub(crate) fn finished_nodes(
    context: &Context,
    run: RunId,
) -> Result<HashMap<NodeId, Option<ArtifactId>>, PlanningError> {
    // What was made from pinned outputs is no result that an ordinary run may build on.
    if context.store.runs().get(run)?.pinned_nodes > 0 {
        return Ok(HashMap::new());
    }
    let states = states(context, run)?.into_values();
    let done = states.filter(|row| matches!(row.state, NodeState::Done { .. }) && !row.stale);
    Ok(done.map(|row| (row.node, row.artifact)).collect())
}

/// A report of a run for a planner, node by node.
pub(crate) fn describe_run(
    context: &Context,
    plan: &Plan,
    run: RunId,
) -> Result<String, PlanningError> {
    let row = context.store.runs().get(run)?;
    let states = states(context, run)?;
    let artifacts: HashMap<NodeId, String> = context
        .store
        .artifacts()
        .latest_for_run(run)?
        .rows
        .into_iter()
        .map(|row| (row.node, row.content.text))
        .collect();
    let mut story = match &row.state {
        RunState::Failed { message, .. } | RunState::Stalled { message } => {
            format!("The run {}: {message}\n", row.state.as_str())
        }
        RunState::Replanning { before, .. } => format!("The run failed: {}\n", before.message()),
        state => format!("The run is {}.\n", state.label()),
    };
    let graph = plan
        .graph()
        .map_err(|cycle| PlanningError::new(RefusalReason::Internal, cycle.to_string()))?;
    let state_of = |node: NodeId| states.get(&node).map(|row| &row.state);
    let snapshot = RunSnapshot {
        store: &context.store,
        run,
        plan,
        graph: &graph,
        state: &state_of,
    };
    for node in plan.nodes.iter().filter(|node| node.is_executable()) {
        let state = states.get(&node.id).map_or_else(
            || "was not in this run".to_owned(),
            |row| describe_node_state(&row.state),
        );
        // Writing to a string cannot fail.
        let _ = writeln!(story, "- `{}` {state}", node.slug);
        let failure = failure_of(&snapshot, node.id)?.map(|report| report.body());
        // A handoff from before the failure is outdated.
        let left = failure
            .as_ref()
            .or_else(|| artifacts.get(&node.id))
            .map(String::as_str)
            .unwrap_or_default();
        let left: String = left.chars().take(HANDOFF_LIMIT).collect();
        for line in left.lines() {
            let _ = writeln!(story, "  > {line}");
        }
    }
    Ok(story)
}

fn describe_node_state(state: &NodeState) -> String {
    match state {
        NodeState::Done { .. } => "is done".to_owned(),
        NodeState::Failed { failure, .. } => failure.to_string(),
        NodeState::Interrupted { detail } => format!("was interrupted: {detail}"),
        NodeState::Skipped { .. } => "was skipped".to_owned(),
        NodeState::Pending
        | NodeState::Blocked { .. }
        | NodeState::Waiting { .. }
        | NodeState::Running => "was not done yet".to_owned(),
    }
}

/// Starts the run `run` of an approved version. Nodes that `before` finished and the new version
/// did not change stay done. Succeeds if the run already exists.
pub(crate) fn begin_follow_up_run(
    context: &Context,
    before: RunId,
    run: RunId,
    (plan, version): (PlanId, u32),
) -> Result<(), PlanningError> {
    let row = context.store.runs().get(before)?;
    let old = plan_version(context, row.plan, row.version)?;
    let new = plan_version(context, plan, version)?;
    let done = finished_nodes(context, before)?;
    let keys = done.keys().copied().collect();
    let kept = baton_model::planning::Impact::between(&old, &new, &keys).kept;
    let taken = taken_branches(context, before)?;
    let inherited = kept.into_iter().map(|node| Inherited {
        node,
        artifact: done.get(&node).copied().flatten(),
        taken: taken.get(&node).copied(),
    });
    let inherited: Vec<Inherited> = inherited.collect();
    if !row.state.has_ended() {
        // The new run executes the unfinished nodes. If the old run ends at this moment, canceling
        // it fails.
        if let Err(error) = context
            .engine
            .command(before, Command::Cancel, context.actor())
        {
            tracing::debug!(run = %before, %error, "couldn't cancel the previous run");
        }
    }
    let inherits = Inheritance {
        run: before,
        nodes: inherited,
    };
    match context
        .engine
        .begin_after(run, new, version, inherits, context.actor())
    {
        Err(baton_engine::EngineError::Store(StoreError::Exists { .. })) => Ok(()),
        begun => Ok(begun?),
    }
}

/// Updates the run that a proposal is about: a replan is in progress, or how it ended. If that
/// fails now, later calls derive the same from the proposal.
pub fn notify_run(context: &Context, proposal: &Proposal) {
    let Some(run) = proposal.request.subject.run() else {
        return;
    };
    match notify(context, run, proposal) {
        Ok(()) => {}
        // The run was resumed or deleted.
        Err(error) if error.is_not_found() || error.is_refused() => {}
        Err(error) => tracing::warn!(%run, %error, "couldn't notify a run of its proposal"),
    }
}

fn notify(context: &Context, run: RunId, proposal: &Proposal) -> Result<(), PlanningError> {
    if replan_command(&context.store.runs().get(run)?.state, proposal).is_none() {
        return Ok(());
    }
    // A person may have decided since `proposal` was read, so read both again under the lock.
    let _lock = context.interprocess_lock()?;
    let (row, proposal) = (
        context.store.runs().get(run)?,
        context.store.proposals().get(proposal.id)?.proposal,
    );
    match replan_command(&row.state, &proposal) {
        Some(command) => Ok(context.engine.command(run, command, context.actor())?),
        None => Ok(()),
    }
}

fn replan_command(run: &RunState, proposal: &Proposal) -> Option<Command> {
    let id = proposal.id;
    match (run, proposal.state.replan_end()) {
        (RunState::Failed { .. } | RunState::Stalled { .. }, None) => {
            Some(Command::BeginReplan { proposal: id })
        }
        (RunState::Replanning { proposal, .. }, Some(end)) if *proposal == id => {
            Some(Command::EndReplan { proposal: id, end })
        }
        _ => None,
    }
}

/// Notifies runs that wait for a proposal: it may have ended while no process notified its run.
pub(crate) fn notify_waiting_runs(context: &Context) -> Result<(), PlanningError> {
    for row in context.store.runs().replanning()?.rows {
        let RunState::Replanning { proposal, .. } = row.state else {
            continue;
        };
        match context.store.proposals().get(proposal) {
            Ok(found) => notify_run(context, &found.proposal),
            Err(StoreError::NotFound { .. }) => {
                let command = Command::EndReplan {
                    proposal,
                    end: ReplanEnd::GivenUp,
                };
                context.engine.command(row.id, command, context.actor())?;
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

fn states(context: &Context, run: RunId) -> Result<HashMap<NodeId, NodeStateRow>, PlanningError> {
    let rows = context.store.node_states().list(run)?;
    Ok(rows.into_iter().map(|row| (row.node, row)).collect())
}

/// The branches that the conditions of a run took.
fn taken_branches(context: &Context, run: RunId) -> Result<HashMap<NodeId, bool>, PlanningError> {
    let (replayed, _) = context.store.runs().replay(run)?;
    Ok(replayed.taken_branches().collect())
}
