//! The start of a run: begun, continued, or taken over from an executor that is silent.

use std::sync::Arc;

use baton_engine::EngineError;
use baton_model::run::Command;
use baton_model::{Goal, NodeId, Plan, PlanId, Run, RunId};
use baton_store::PlanRecord;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Context, PlanningError, Reason, approvals, preflight};

/// Which nodes a person asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(tag = "want", rename_all = "snake_case")]
pub enum RunGoal {
    /// All of them.
    All,
    /// The node that would start next, alone.
    Next,
    /// This node, and the ancestors that are not done yet.
    Node {
        /// The node.
        node: NodeId,
    },
}

impl From<Goal> for RunGoal {
    fn from(goal: Goal) -> Self {
        match goal {
            Goal::All => Self::All,
            Goal::Only { nodes } => nodes.last().map_or(Self::All, |&node| Self::Node { node }),
        }
    }
}

/// Begins a run of an approved plan, at most `limit` nodes at once. The plan must pass its pre-flight.
///
/// A run that this would duplicate and whose executor is stale is taken over instead. A last run of the same version
/// that did only what was asked of it is continued.
pub fn start(
    context: &Context,
    plan: PlanId,
    wanted: &RunGoal,
    limit: Option<u32>,
) -> Result<RunId, PlanningError> {
    // Of two processes that start a run at once, the second finds the first one's.
    let _turn = context.turn()?;
    let (record, plan) = context.store.plans().current(plan)?;
    approvals::require(context, &record, &plan)?;
    if let Some(stale) = preflight::require(context, &plan)? {
        context.engine.adopt(stale)?;
        return Ok(stale);
    }
    if let Some(run) = at_its_goal(context, &record, wanted, limit)? {
        let goal = goal(&run, wanted)?;
        let (run, actor) = (run.id(), context.actor());
        context.engine.command(run, Command::Want { goal }, actor)?;
        return Ok(run);
    }
    let plan = Arc::new(plan);
    let goal = goal_at_start(&plan, wanted)?;
    let (version, actor) = (record.version, context.actor());
    Ok(context.engine.begin(plan, version, goal, limit, actor)?)
}

/// The plan's last run, if it did what was asked and has not begun some of what is asked now.
///
/// One of another version, or with another limit, is left as it is, and so is one that has nothing of it to do: who asks
/// again for a node that is done wants it done again.
fn at_its_goal(
    context: &Context,
    record: &PlanRecord,
    wanted: &RunGoal,
    limit: Option<u32>,
) -> Result<Option<Run>, PlanningError> {
    let rows = context.store.runs().list(Some(record.plan), 1)?.rows;
    let last = rows.into_iter().next().filter(|row| {
        row.state.rests_at_goal() && row.version == record.version && row.parent.is_none()
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
    let same_limit = limit.is_none_or(|limit| limit == run.limit());
    Ok(Some(run).filter(|_| same_limit && !nothing_left))
}

/// The same of a run that has not begun.
fn goal_at_start(plan: &Arc<Plan>, wanted: &RunGoal) -> Result<Goal, PlanningError> {
    if *wanted == RunGoal::All {
        return Ok(Goal::All);
    }
    let unbegun = Run::new(RunId(Uuid::nil()), Arc::clone(plan)).map_err(EngineError::from)?;
    goal(&unbegun, wanted)
}

/// The nodes that `wanted` means in a run.
pub fn goal(run: &Run, wanted: &RunGoal) -> Result<Goal, PlanningError> {
    Ok(match wanted {
        RunGoal::All => Goal::All,
        RunGoal::Next => {
            let nothing = || {
                PlanningError::new(
                    Reason::Refused,
                    "no node can start next: all are done or wait for others",
                )
            };
            Goal::Only {
                nodes: vec![run.next_ready().ok_or_else(nothing)?],
            }
        }
        RunGoal::Node { node } => match run.needed_for(*node) {
            nodes if nodes.is_empty() => {
                return Err(PlanningError::new(
                    Reason::NotFound,
                    "the plan has no such node",
                ));
            }
            nodes => Goal::Only { nodes },
        },
    })
}
