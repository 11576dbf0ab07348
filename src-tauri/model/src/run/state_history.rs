//! The sequence of a run's states, for viewing a run at an earlier moment.
//!
//! Computed with the same function that drives live runs, so the past is shown exactly as it was.
//! Contains no times other than those of the events, and no session output.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Event, NodeRun, NodeState, ReplayError, Run, RunState, WaitingFor};
use crate::{Attempt, Plan, RunId, SessionId, Timestamp};

/// The changes made by one event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct RunStateChange {
    /// The event's sequence number in its run.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub seq: u64,
    pub at: Timestamp,
    /// The new state of the run; `None` if unchanged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub run: Option<RunState>,
    /// The nodes that changed.
    pub nodes: Vec<NodeSnapshot>,
}

/// The state of one node from a moment on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct NodeSnapshot {
    /// The index among the plan's executable nodes.
    pub place: u32,
    pub state: NodeState,
    /// The latest attempt; 0 before the first.
    pub attempt: Attempt,
    /// The session of that attempt.
    pub session: Option<SessionId>,
    /// When that attempt started.
    pub started_at: Option<Timestamp>,
    /// When the node last ended.
    pub ended_at: Option<Timestamp>,
    /// A dependency had run again since.
    pub stale: bool,
    /// Claims and evidence differed.
    pub unverified: bool,
    /// The branch that a condition had taken.
    pub taken: Option<bool>,
}

impl NodeSnapshot {
    fn of(place: u32, node: &NodeRun) -> Self {
        Self {
            place,
            state: node.state.clone(),
            attempt: node.attempt,
            session: node.session,
            started_at: node.started_at,
            ended_at: node.ended_at,
            stale: node.stale,
            unverified: node.unverified,
            taken: node.taken,
        }
    }

    /// Whether the node was running, or was waiting for a person or a retry. Waiting for a slot
    /// doesn't count, because the attempt has not begun.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        match &self.state {
            NodeState::Running => true,
            NodeState::Waiting { what } => !matches!(what, WaitingFor::Slot),
            _ => false,
        }
    }
}

/// The changes of a history in order. Events without a visible change are omitted.
pub fn state_history(
    id: RunId,
    plan: Arc<Plan>,
    history: impl IntoIterator<Item = (Timestamp, Event)>,
) -> Result<Vec<RunStateChange>, ReplayError> {
    let mut run = Run::new(id, plan)?;
    let mut known: Vec<NodeSnapshot> = (0..)
        .zip(&run.nodes)
        .map(|(place, node)| NodeSnapshot::of(place, node))
        .collect();
    let mut moments: Vec<RunStateChange> = Vec::new();
    for (index, (at, event)) in history.into_iter().enumerate() {
        let before = run.state.clone();
        run.apply(at, &event)?;
        let nodes = run.changed_snapshots(&mut known);
        let turned = index == 0 || before != run.state;
        if turned || !nodes.is_empty() {
            moments.push(RunStateChange {
                seq: index as u64 + 1,
                at,
                run: turned.then(|| run.state.clone()),
                nodes,
            });
        }
    }
    Ok(moments)
}

impl Run {
    /// The nodes that differ from `known`, which is updated.
    fn changed_snapshots(&mut self, known: &mut [NodeSnapshot]) -> Vec<NodeSnapshot> {
        let touched = std::mem::take(&mut self.touched).into_iter();
        let changed = touched.filter_map(|number| {
            let old = known.get_mut(number)?;
            let now = NodeSnapshot::of(old.place, &self.nodes[number]);
            (*old != now).then(|| {
                old.clone_from(&now);
                now
            })
        });
        changed.collect()
    }
}

/// Returns how long each node was busy, by index, in milliseconds; nodes that are still busy are
/// counted up to `until`. `None` if never busy.
///
/// Includes all attempts, and the time between them while the run waited for the next one.
#[must_use]
pub fn busy_times(moments: &[RunStateChange], nodes: usize, until: Timestamp) -> Vec<Option<u64>> {
    let mut since: Vec<Option<Timestamp>> = vec![None; nodes];
    let mut busy: Vec<Option<u64>> = vec![None; nodes];
    for (at, node) in moments
        .iter()
        .flat_map(|moment| moment.nodes.iter().map(|node| (moment.at, node)))
    {
        let place = node.place as usize;
        let (Some(since), Some(busy)) = (since.get_mut(place), busy.get_mut(place)) else {
            continue;
        };
        match (*since, node.is_busy()) {
            (None, true) => *since = Some(at),
            (Some(from), false) => {
                *busy = Some(busy.unwrap_or(0) + elapsed_ms(from, at));
                *since = None;
            }
            _ => {}
        }
    }
    for (busy, from) in busy.iter_mut().zip(since) {
        if let Some(from) = from {
            *busy = Some(busy.unwrap_or(0) + elapsed_ms(from, until));
        }
    }
    busy
}

fn elapsed_ms(from: Timestamp, to: Timestamp) -> u64 {
    u64::try_from(to.0.saturating_sub(from.0)).unwrap_or(0)
}
