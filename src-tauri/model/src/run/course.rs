//! How the states of a run followed each other: what somebody needs who looks at a run as it was at some moment.
//!
//! Made by the very fold that leads the living run, so that the past looks exactly as it looked then. Holds no times of
//! its own beside those of the events, and nothing of what a session printed.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Event, NodeRun, NodeState, ReplayError, Run, RunState, WaitingFor};
use crate::{Attempt, Plan, RunId, SessionId, Timestamp};

/// What one event changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Moment {
    /// The number of the event in its run.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub seq: u64,
    /// When.
    pub at: Timestamp,
    /// How the run goes from now on; none when that is as before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub run: Option<RunState>,
    /// The nodes that look otherwise from now on.
    pub nodes: Vec<NodeMoment>,
}

/// How one node stood from a moment on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct NodeMoment {
    /// Its place among the executable nodes of the plan, from 0.
    pub place: u32,
    /// Where it stood.
    pub state: NodeState,
    /// Its latest attempt; 0 before the first.
    pub attempt: Attempt,
    /// The session of that attempt.
    pub session: Option<SessionId>,
    /// When that attempt started.
    pub started_at: Option<Timestamp>,
    /// When the node last came to rest.
    pub ended_at: Option<Timestamp>,
    /// A parent had run again since.
    pub stale: bool,
    /// Claim and evidence differed.
    pub unverified: bool,
    /// Which branch a condition had taken.
    pub taken: Option<bool>,
}

impl NodeMoment {
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

    /// Whether the node was being worked on, or somebody or something was waited for on its behalf. A place is not:
    /// whoever waits for one has not begun.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        match &self.state {
            NodeState::Running => true,
            NodeState::Waiting { what } => !matches!(what, WaitingFor::Slot),
            _ => false,
        }
    }
}

/// The moments of a history, in order; events that no picture shows have none.
pub fn course(
    id: RunId,
    plan: Arc<Plan>,
    history: impl IntoIterator<Item = (Timestamp, Event)>,
) -> Result<Vec<Moment>, ReplayError> {
    let mut run = Run::new(id, plan)?;
    let mut known: Vec<NodeMoment> = (0..)
        .zip(&run.nodes)
        .map(|(place, node)| NodeMoment::of(place, node))
        .collect();
    let mut moments: Vec<Moment> = Vec::new();
    for (index, (at, event)) in history.into_iter().enumerate() {
        let before = run.state.clone();
        run.apply(at, &event)?;
        let nodes = run.news(&mut known);
        let turned = index == 0 || before != run.state;
        if turned || !nodes.is_empty() {
            moments.push(Moment {
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
    /// The nodes that look otherwise than `known`, which learns it.
    fn news(&mut self, known: &mut [NodeMoment]) -> Vec<NodeMoment> {
        let touched = std::mem::take(&mut self.touched).into_iter();
        let changed = touched.filter_map(|number| {
            let old = known.get_mut(number)?;
            let now = NodeMoment::of(old.place, &self.nodes[number]);
            (*old != now).then(|| {
                old.clone_from(&now);
                now
            })
        });
        changed.collect()
    }
}

/// How long each node was busy, by its place, in milliseconds; what is busy still is so until `until`. None: never.
///
/// All attempts count, and what lay between them where the run waited for the next one.
#[must_use]
pub fn busy_times(moments: &[Moment], nodes: usize, until: Timestamp) -> Vec<Option<u64>> {
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
                *busy = Some(busy.unwrap_or(0) + span(from, at));
                *since = None;
            }
            _ => {}
        }
    }
    for (busy, from) in busy.iter_mut().zip(since) {
        if let Some(from) = from {
            *busy = Some(busy.unwrap_or(0) + span(from, until));
        }
    }
    busy
}

fn span(from: Timestamp, to: Timestamp) -> u64 {
    u64::try_from(to.0.saturating_sub(from.0)).unwrap_or(0)
}
