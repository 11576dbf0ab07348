//! Permits: what an attempt needs besides its slot, that is, locks and a free session of its agent.
//!
//! Nodes in other runs and processes compete for both. [`Permits`] grants them when a slot is
//! reserved. The reservation event records the grant, so replaying a run requests none. A node that
//! has to wait stays pending, takes no slot, and records since when it waits and for what. The
//! permits are released by the append that ends the attempt.

use serde::{Deserialize, Serialize};

use super::assignment::StartDecision;
use super::event::Event;
use super::state::{Ending, RunState};
use super::{Context, Run};
use crate::{NodeId, RunId, Timestamp};

/// Grants what the runs on a machine share. A node gets everything it needs at once or nothing, so
/// nodes can't deadlock.
pub trait Permits {
    /// Whether the settings limit the sessions of any agent across all runs.
    fn limits_agents(&self) -> bool {
        false
    }

    /// Whether `demand` includes anything that others compete for.
    fn are_needed(&self, demand: &PermitRequest<'_>) -> bool {
        !demand.locks.is_empty()
    }

    /// Whether one more session of `agent` could be granted to this node, which has waited since
    /// the given time. Takes nothing.
    fn has_room(&self, _node: NodeId, _agent: &str, _since: Option<Timestamp>) -> bool {
        true
    }

    /// Takes all of `demand`, or nothing and returns the obstacle. Has no effect if repeated.
    fn take(&self, demand: &PermitRequest<'_>) -> Result<(), Obstacle>;
}

/// Grants everything. For a single run without competitors.
#[derive(Debug, Clone, Copy)]
pub struct UnlimitedPermits;

impl Permits for UnlimitedPermits {
    fn take(&self, _: &PermitRequest<'_>) -> Result<(), Obstacle> {
        Ok(())
    }
}

/// What the next attempt of a node needs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct PermitRequest<'a> {
    pub node: NodeId,
    pub locks: &'a [String],
    /// The agents whose sessions it may use: the chosen one, or the one that is asked and all
    /// candidates.
    pub agents: Vec<String>,
    /// When the node began to wait; `None` on the first request.
    pub since: Option<Timestamp>,
}

/// What prevents the next node from starting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Obstacle {
    /// Another node holds a lock that it needs, or is ahead of it in the queue.
    Lock {
        name: String,
        /// The holder; `None` if others have been waiting longer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        holder: Option<LockHolder>,
    },
    /// An agent has as many live sessions as the settings allow across all runs.
    Agent {
        agent: String,
        /// The maximum number of live sessions.
        limit: u32,
    },
}

/// The node that holds a lock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct LockHolder {
    /// `None` if it is in the same run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub run: Option<RunId>,
    pub node: NodeId,
    pub title: String,
}

/// Why a pending node has not started although it is next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct HeldBack {
    pub since: Timestamp,
    pub by: Obstacle,
}

/// A predicate whose subject is the node.
impl std::fmt::Display for Obstacle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Lock {
                name,
                holder:
                    Some(LockHolder {
                        run: Some(run),
                        title,
                        ..
                    }),
            } => {
                write!(f, "waits for lock {name}, held by '{title}' in run {run}")
            }
            Self::Lock {
                name,
                holder: Some(LockHolder { title, .. }),
            } => {
                write!(f, "waits for lock {name}, held by '{title}'")
            }
            Self::Lock { name, holder: None } => {
                write!(f, "waits for lock {name}, with other nodes ahead of it")
            }
            Self::Agent { agent, limit } => {
                let sessions = if *limit == 1 {
                    "1 session".to_owned()
                } else {
                    format!("{limit} sessions")
                };
                write!(
                    f,
                    "waits for agent {agent}, which is limited to {sessions} across all runs"
                )
            }
        }
    }
}

/// Which nodes of a run may start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StartPhase {
    All,
    CleanUp,
    None,
}

/// Lanes that were closed while slots were filled.
#[derive(Default)]
pub(super) struct ClosedLanes {
    /// The first node of each lane, with its obstacle.
    held: Vec<(usize, Obstacle)>,
}

impl ClosedLanes {
    /// A single closed lane, if there is an obstacle.
    pub(super) fn of(number: usize, obstacle: Option<Obstacle>) -> Self {
        Self {
            held: obstacle
                .into_iter()
                .map(|obstacle| (number, obstacle))
                .collect(),
        }
    }

    /// Whether no node waits for permits.
    pub(super) fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    pub(super) fn add(&mut self, number: usize, obstacle: Obstacle) {
        self.held.push((number, obstacle));
    }
}

impl Run {
    /// Takes the permits for the node that is next. `Some(None)` means that it must not be reserved
    /// before a slot is free.
    pub(super) fn try_take_permits(
        &self,
        number: usize,
        context: &Context<'_>,
        is_ahead: bool,
    ) -> Option<Option<Obstacle>> {
        let definition = self.definition(number);
        if definition.disabled || (definition.locks.is_empty() && !context.permits.limits_agents())
        {
            return None;
        }
        let StartDecision::Start { choice, asks } = self.start_decision(number, context) else {
            return None;
        };
        let agents = match (choice, asks) {
            (Some(choice), _) => vec![choice.agent],
            (None, Some(asking)) => asking.agents(),
            (None, None) => self
                .plain_agent(number)
                .map(str::to_owned)
                .into_iter()
                .collect(),
        };
        let since = self.nodes[number].held_back.as_ref().map(|held| held.since);
        let demand = PermitRequest {
            node: self.graph.id(number),
            locks: &definition.locks,
            agents,
            since,
        };
        if is_ahead {
            return context.permits.are_needed(&demand).then_some(None);
        }
        context.permits.take(&demand).err().map(Some)
    }

    /// Events for changes in what nodes wait for. The first node of each lane records the holder,
    /// the others only the resource.
    pub(super) fn held_back_events(&self, closed: &ClosedLanes) -> Vec<Event> {
        let mut events = Vec::new();
        for (first, obstacle) in &closed.held {
            let is_known =
                |number: usize| self.nodes[number].held_back.as_ref().map(|held| &held.by);
            let mut note = |number: usize, by: &Obstacle| {
                events.push(Event::NodeHeldBack {
                    node: self.graph.id(number),
                    by: by.clone(),
                });
            };
            if is_known(*first) != Some(obstacle) {
                note(*first, obstacle);
            }
            let behind = obstacle.for_followers();
            for number in self
                .ready
                .followers(*first)
                .filter(|&number| is_known(number).is_none())
            {
                note(number, &behind);
            }
        }
        events
    }

    /// Which nodes may start at all: all of them, only clean-up nodes, or none.
    pub(super) fn start_phase(&self) -> StartPhase {
        match &self.state {
            RunState::Running { ending: None } => StartPhase::All,
            RunState::Running {
                ending: Some(Ending::Aborting { .. } | Ending::TimeUp { .. }),
            } => StartPhase::CleanUp,
            _ => StartPhase::None,
        }
    }

    /// Clears the waiting nodes. Those that still have to wait are recorded again.
    pub(super) fn clear_held_back(&mut self) {
        for number in std::mem::take(&mut self.held) {
            self.nodes[number].held_back = None;
            self.touched.insert(number);
        }
    }

    /// The nodes that would start now if they had their permits. Empty while all slots are taken,
    /// because nodes without a slot let others go first.
    pub fn waiting_for_permits(&self) -> impl Iterator<Item = NodeId> {
        let may_start = self.start_phase() != StartPhase::None
            && self.counts.live + self.counts.reserved < self.limit as usize;
        self.held
            .iter()
            .filter(move |_| may_start)
            .map(|&number| self.graph.id(number))
    }

    /// Whether the node's attempt holds permits: it is reserved or its session is live.
    #[must_use]
    pub fn holds_permits(&self, node: NodeId) -> bool {
        self.graph
            .number(node)
            .is_some_and(|number| self.busy.contains(&number))
    }
}

impl Obstacle {
    fn for_followers(&self) -> Self {
        match self {
            Self::Lock { name, .. } => Self::Lock {
                name: name.clone(),
                holder: None,
            },
            agent @ Self::Agent { .. } => agent.clone(),
        }
    }
}
