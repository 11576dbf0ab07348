//! Starting a plan: a new run, a continued one, or one taken over from a stale executor.

use std::sync::Arc;

use baton_model::run::{Command, PinnedSelection};
use baton_model::{Goal, NodeId, Plan, PlanId, Run, RunId};
use baton_store::{PinnedOutputRow, PlanRecord, StoreError};
use serde::{Deserialize, Serialize};

use crate::{Context, PlanningError, RefusalReason, approvals, preflight};

/// The nodes that a person wants to run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "want", rename_all = "snake_case")]
pub enum RunGoal {
    /// All nodes of the plan.
    All,
    /// Only the node that would start next.
    Next,
    /// This node and its unfinished ancestors.
    #[expect(missing_docs, reason = "the names say it")]
    Node { node: NodeId },
}

/// What the caller saw when it decided to start something.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seen {
    /// The plan's revision; `None` accepts any.
    pub revision: Option<u64>,
    /// Nodes that were finished, so that they don't run again.
    pub finished: Vec<NodeId>,
}

impl From<Goal> for RunGoal {
    fn from(goal: Goal) -> Self {
        match goal {
            Goal::All => Self::All,
            Goal::Only { nodes } => nodes.last().map_or(Self::All, |&node| Self::Node { node }),
        }
    }
}

/// Starts a run of an approved plan, with at most `limit` nodes at once. The plan must pass its
/// pre-flight checks.
///
/// A run that this would duplicate is taken over instead if its executor is stale. The last run of
/// the same version is continued if it stopped because it had reached its goal.
///
/// Refused if something is no longer as the caller saw it.
pub fn start(
    context: &Context,
    plan: PlanId,
    wanted: &RunGoal,
    limit: Option<u32>,
    seen: &Seen,
) -> Result<RunId, PlanningError> {
    // If two processes start the plan at the same time, the second one finds the run of the first.
    let _lock = context.interprocess_lock()?;
    let (record, plan) = context.store.plans().current(plan)?;
    refuse_other_revision(&record, seen)?;
    approvals::require(context, &record, &plan)?;
    if let Some(stale) = preflight::require(context, &plan)? {
        context.engine.adopt(stale)?;
        return Ok(stale);
    }
    if let Some(run) = reusable_run(context, &record, wanted, limit)? {
        let goal = goal(&run, wanted)?;
        let (run, actor) = (run.id(), context.actor());
        let finished = seen.finished.clone();
        let want = Command::Want { goal, finished };
        context.engine.command(run, want, actor)?;
        return Ok(run);
    }
    if !seen.finished.is_empty() {
        let message =
            "the run with the finished nodes can't continue, and a new one would run them again";
        return Err(PlanningError::new(RefusalReason::Conflict, message)
            .with_fix("read the plan again, then decide"));
    }
    let plan = Arc::new(plan);
    let (read, actor) = ((record.version, seen.revision), context.actor());
    let goal = |run: &Run| goal(run, wanted);
    context.engine.begin(plan, read, goal, limit, actor)
}

/// Early, because what was approved and can run is then another plan. The store checks it again when
/// it stores a new run.
fn refuse_other_revision(record: &PlanRecord, seen: &Seen) -> Result<(), PlanningError> {
    match seen.revision {
        Some(based_on) if based_on != record.revision => Err(StoreError::Conflict {
            plan: record.plan,
            based_on,
            current: record.revision,
        }
        .into()),
        _ => Ok(()),
    }
}

/// Starts a run of an approved plan in which nodes use the outputs that people pinned for them. It
/// is always a new run, and never continues or takes over another one.
pub fn start_pinned(
    context: &Context,
    plan: PlanId,
    limit: Option<u32>,
) -> Result<RunId, PlanningError> {
    let _lock = context.interprocess_lock()?;
    let (record, content) = context.store.plans().current(plan)?;
    approvals::require(context, &record, &content)?;
    if preflight::require(context, &content)?.is_some() {
        return Err(PlanningError::new(
            RefusalReason::Refused,
            "a run of this plan lost its executor",
        )
        .with_fix("resume or cancel that run first"));
    }
    let pinned = context.store.pinned_outputs().list(plan)?;
    if pinned_selection(&content, &pinned)?.pinned.is_empty() {
        return Err(PlanningError::new(
            RefusalReason::Refused,
            "no node of this plan has a pinned output",
        )
        .with_fix("pin the output of a node first"));
    }
    let (version, actor) = (record.version, context.actor());
    let run = context.engine.begin_with_pinned_outputs(
        Arc::new(content),
        version,
        pinned,
        limit,
        actor,
    )?;
    Ok(run)
}

/// What a run of `plan` with these pinned outputs would do.
pub fn pinned_selection(
    plan: &Plan,
    pinned: &[PinnedOutputRow],
) -> Result<PinnedSelection, PlanningError> {
    let graph = plan
        .graph()
        .map_err(|cycle| PlanningError::new(RefusalReason::Refused, cycle.to_string()))?;
    let nodes: Vec<NodeId> = pinned.iter().map(|row| row.node).collect();
    Ok(PinnedSelection::of(plan, &graph, &nodes))
}

/// The plan's last run, if it stopped at its goal and has unfinished nodes among the wanted ones.
///
/// A run of another version or with another limit is not reused. Neither is one in which all wanted
/// nodes have ended: starting a finished node means rerunning it. A run with pinned outputs isn't
/// either, because an ordinary run never uses those.
fn reusable_run(
    context: &Context,
    record: &PlanRecord,
    wanted: &RunGoal,
    limit: Option<u32>,
) -> Result<Option<Run>, PlanningError> {
    let rows = context.store.runs().list(Some(record.plan), 1)?.rows;
    let last = rows.into_iter().next().filter(|row| {
        row.state.stopped_at_goal()
            && row.version == record.version
            && row.parent.is_none()
            && row.pinned_nodes == 0
    });
    let Some(row) = last else { return Ok(None) };
    let (run, _) = context.store.runs().replay(row.id)?;
    let nothing_left = match goal(&run, wanted) {
        Ok(Goal::All) => false,
        Ok(Goal::Only { nodes }) => nodes
            .iter()
            .all(|node| run.node(*node).is_none_or(|node| node.state.has_ended())),
        Err(_) => true,
    };
    let same_limit = limit.is_none_or(|limit| limit == run.concurrency_limit());
    Ok(Some(run).filter(|_| same_limit && !nothing_left))
}

/// The goal that `wanted` means in a run.
pub fn goal(run: &Run, wanted: &RunGoal) -> Result<Goal, PlanningError> {
    Ok(match wanted {
        RunGoal::All => Goal::All,
        RunGoal::Next => {
            let nothing = || {
                PlanningError::new(
                    RefusalReason::Refused,
                    "no node can start: all are done or waiting for others",
                )
            };
            Goal::Only {
                nodes: vec![run.next_ready().ok_or_else(nothing)?],
            }
        }
        RunGoal::Node { node } => match run.unfinished_prerequisites(*node) {
            nodes if nodes.is_empty() => {
                return Err(PlanningError::new(
                    RefusalReason::NotFound,
                    "the plan has no such node",
                ));
            }
            nodes => Goal::Only { nodes },
        },
    })
}
