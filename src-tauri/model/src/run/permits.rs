//! What an attempt needs beside its place: its locks, and room among the sessions of its agent.
//!
//! Others compete for both, in other runs and other processes. Who grants them is told by [`Permits`] when a place is
//! set aside; that it was granted is the reservation itself, so that replay asks nobody. A node that has to wait stays
//! pending, takes no place, and keeps since when it waits and for what.

use serde::{Deserialize, Serialize};

use super::assignment::Turn;
use super::event::Event;
use super::state::{Ending, RunState};
use super::{Context, Run};
use crate::{NodeId, RunId, Timestamp};

/// Grants what the runs of a machine share. All that a node needs is granted at once or not at all, so that no two
/// nodes ever wait for each other.
pub trait Permits {
    /// Whether the sessions of any agent are limited over all runs.
    fn limits_agents(&self) -> bool {
        false
    }

    /// Whether `demand` asks for anything that others compete for.
    fn are_needed(&self, demand: &Demand<'_>) -> bool {
        !demand.locks.is_empty()
    }

    /// Whether one more session of `agent` may live for this node, which waits `since` then. Takes nothing.
    fn has_room(&self, _node: NodeId, _agent: &str, _since: Option<Timestamp>) -> bool {
        true
    }

    /// Takes all of `demand`, or nothing: then what is in the way. Taking twice does nothing.
    fn take(&self, demand: &Demand<'_>) -> Result<(), Obstacle>;
}

/// Everything is free: there is one run and nobody else.
#[derive(Debug, Clone, Copy)]
pub struct Unshared;

impl Permits for Unshared {
    fn take(&self, _: &Demand<'_>) -> Result<(), Obstacle> {
        Ok(())
    }
}

/// What the next attempt of a node needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Demand<'a> {
    /// The node.
    pub node: NodeId,
    /// The names of its locks.
    pub locks: &'a [String],
    /// The agents whose sessions it may have: the one that does it, or whoever is asked and all who may be the answer.
    pub agents: Vec<String>,
    /// Since when the node waits; `None` when it is asked for the first time.
    pub since: Option<Timestamp>,
}

/// What keeps a node from starting that would be next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Obstacle {
    /// Another node holds a lock that it needs, or is before it in the line.
    Lock {
        /// The lock.
        name: String,
        /// Who holds it; `None` when others wait for longer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        holder: Option<Holder>,
    },
    /// As many sessions of an agent live as the settings allow, in all runs together.
    Agent {
        /// The agent.
        agent: String,
        /// How many may live.
        limit: u32,
    },
}

/// The node that holds a lock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Holder {
    /// Its run; `None` when it is the same one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub run: Option<RunId>,
    /// The node.
    pub node: NodeId,
    /// The node's title.
    pub title: String,
}

/// Why a pending node has not started although its turn has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HeldBack {
    /// Since when it waits.
    pub since: Timestamp,
    /// For what.
    pub by: Obstacle,
}

/// What a node waits for, as a sentence without its subject.
impl std::fmt::Display for Obstacle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Lock {
                name,
                holder:
                    Some(Holder {
                        run: Some(run),
                        title,
                        ..
                    }),
            } => {
                write!(f, "waits for lock {name}, held by '{title}' in run {run}")
            }
            Self::Lock {
                name,
                holder: Some(Holder { title, .. }),
            } => {
                write!(f, "waits for lock {name}, held by '{title}'")
            }
            Self::Lock { name, holder: None } => {
                write!(f, "waits for lock {name}, others go first")
            }
            Self::Agent { agent, limit } => {
                let sessions = if *limit == 1 {
                    "1 session".to_owned()
                } else {
                    format!("{limit} sessions")
                };
                write!(
                    f,
                    "waits for agent {agent}, which may have {sessions} at once in all runs"
                )
            }
        }
    }
}

/// Which nodes of a run may start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    All,
    CleanUp,
    None,
}

/// The lanes that were closed while places were filled.
#[derive(Default)]
pub(super) struct Closed {
    /// Who stands first in each, and what is in the way.
    held: Vec<(usize, Obstacle)>,
}

impl Closed {
    /// The only one that was closed.
    pub(super) fn of(number: usize, obstacle: Option<Obstacle>) -> Self {
        Self {
            held: obstacle
                .into_iter()
                .map(|obstacle| (number, obstacle))
                .collect(),
        }
    }

    /// Whether anybody waits for what others hold.
    pub(super) fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    pub(super) fn add(&mut self, number: usize, obstacle: Obstacle) {
        self.held.push((number, obstacle));
    }
}

impl Run {
    /// Takes what a node needs whose turn has come. `Some(None)`: it must not be reserved before there is a place.
    pub(super) fn is_held_back(
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
        let Turn::Begins { choice, asks } = self.turn(number, context) else {
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
        let demand = Demand {
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

    /// Notes what is new about nodes that wait: of the first of each lane with who is in the way, of those behind it
    /// only for what they wait.
    pub(super) fn holding_back(&self, closed: &Closed) -> Vec<Event> {
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
            let behind = obstacle.to_those_behind();
            for number in self
                .ready
                .behind(*first)
                .filter(|&number| is_known(number).is_none())
            {
                note(number, &behind);
            }
        }
        events
    }

    /// Which nodes may start at all: all of them, those that clean up, or none.
    pub(super) fn phase(&self) -> Phase {
        match &self.state {
            RunState::Running { ending: None } => Phase::All,
            RunState::Running {
                ending: Some(Ending::Aborting { .. } | Ending::TimeUp { .. }),
            } => Phase::CleanUp,
            _ => Phase::None,
        }
    }

    /// Nobody waits any more. Who still may start is held back again, if that is so.
    pub(super) fn end_waits(&mut self) {
        for number in std::mem::take(&mut self.held) {
            self.nodes[number].held_back = None;
            self.touched.insert(number);
        }
    }

    /// The nodes that would start now if others did not hold what they need. None while every place is taken: whoever
    /// has no place lets those go first who have.
    pub fn waiting_for_permits(&self) -> impl Iterator<Item = NodeId> {
        let may_start = self.phase() != Phase::None
            && self.counts.live + self.counts.reserved < self.limit as usize;
        self.held
            .iter()
            .filter(move |_| may_start)
            .map(|&number| self.graph.id(number))
    }

    /// Whether the attempt of a node holds what it needs: it is reserved or its session lives.
    #[must_use]
    pub fn holds_permits(&self, node: NodeId) -> bool {
        self.graph
            .number(node)
            .is_some_and(|number| self.busy.contains(&number))
    }
}

impl Obstacle {
    fn to_those_behind(&self) -> Self {
        match self {
            Self::Lock { name, .. } => Self::Lock {
                name: name.clone(),
                holder: None,
            },
            agent @ Self::Agent { .. } => agent.clone(),
        }
    }
}
