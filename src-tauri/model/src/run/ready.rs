//! The nodes that may start and are wanted, in the order in which they get places.
//!
//! They stand in lanes by what holds them up beside their turn. A lane that is closed, because its agent is busy
//! or the run ends, costs nothing: its nodes are not looked at one by one.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::effort;

/// Orders the nodes of a lane: higher priority first, then the longer chain below, then the order of the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ReadyKey {
    priority: Reverse<u8>,
    depth: Reverse<u32>,
    number: usize,
}

impl ReadyKey {
    pub(super) fn new(priority: u8, depth: u32, number: usize) -> Self {
        Self {
            priority: Reverse(priority),
            depth: Reverse(depth),
            number,
        }
    }
}

/// What holds up a node that may start, beside its turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lane {
    /// Its rule asks for failures, so that it starts also in a run that a failure has ended.
    pub(super) cleans_up: bool,
    /// The locks that it needs, in order.
    pub(super) locks: Vec<String>,
    pub(super) begins: Begins,
}

/// What a node begins with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Begins {
    /// A question to a person. Needs no place.
    WithAQuestion,
    /// A place.
    InAPlace,
    /// A place, and one of the sessions that may live of this agent.
    WithAgent(String),
    /// A place, and whoever the arbiter chooses. The word tells which nodes are alike.
    ByArbiter(String),
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Ready {
    lanes: Vec<(Lane, BTreeSet<ReadyKey>)>,
    lane_of: BTreeMap<usize, usize>,
}

impl Ready {
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    pub(super) fn insert(&mut self, key: ReadyKey, lane: Lane) {
        let position = self
            .lanes
            .iter()
            .position(|(there, _)| *there == lane)
            .unwrap_or_else(|| {
                self.lanes.push((lane, BTreeSet::new()));
                self.lanes.len() - 1
            });
        if self.lane_of.get(&key.number) != Some(&position) {
            self.remove(key);
            self.lanes[position].1.insert(key);
            self.lane_of.insert(key.number, position);
        }
    }

    pub(super) fn remove(&mut self, key: ReadyKey) {
        if let Some(lane) = self.lane_of.remove(&key.number) {
            self.lanes[lane].1.remove(&key);
        }
    }

    /// The nodes that begin with a question, of all lanes that `is_open` lets through.
    pub(super) fn questions(&self, is_open: impl Fn(&Lane) -> bool) -> impl Iterator<Item = usize> {
        let asks = move |lane: &Lane| lane.begins == Begins::WithAQuestion && is_open(lane);
        self.lanes
            .iter()
            .filter(move |(lane, _)| asks(lane))
            .flat_map(|(_, keys)| keys)
            .map(|key| key.number)
    }

    /// The next nodes for which there is a place, at most `most`, of all lanes that `is_open` lets through. `room` says
    /// how many more sessions of an agent may live, and `has_turn` whether the arbiter finds an agent for a node now.
    /// `is_held_back` is asked of a node when it would be the next; if it is, its lane is closed.
    ///
    /// What it finds depends on what has begun before, so that a node of the arbiter's always comes alone.
    pub(super) fn next(
        &self,
        most: usize,
        is_open: impl Fn(&Lane) -> bool,
        room: impl Fn(&str) -> u32,
        has_turn: impl Fn(usize) -> bool,
        mut is_held_back: impl FnMut(usize) -> bool,
    ) -> Vec<usize> {
        let by_arbiter = |number: usize| {
            let lane = self
                .lane_of
                .get(&number)
                .map(|&lane| &self.lanes[lane].0.begins);
            matches!(lane, Some(Begins::ByArbiter(_)))
        };
        let is_stuck =
            |keys: &BTreeSet<ReadyKey>| keys.first().is_some_and(|key| !has_turn(key.number));
        let mut rooms: BTreeMap<&str, u32> = BTreeMap::new();
        let mut heads = Vec::new();
        for (lane, keys) in self
            .lanes
            .iter()
            .filter(|(lane, keys)| !keys.is_empty() && is_open(lane))
        {
            match &lane.begins {
                Begins::WithAQuestion => {}
                Begins::ByArbiter(_) if is_stuck(keys) => {}
                Begins::InAPlace | Begins::ByArbiter(_) => {
                    heads.push((None, keys.iter().peekable()))
                }
                Begins::WithAgent(agent) => {
                    rooms.entry(agent).or_insert_with(|| room(agent));
                    heads.push((Some(agent.as_str()), keys.iter().peekable()));
                }
            }
        }
        let mut chosen = Vec::new();
        while chosen.len() < most {
            heads.retain(|(agent, _)| {
                agent.is_none_or(|agent| rooms.get(agent).is_some_and(|&room| room > 0))
            });
            let first = heads
                .iter_mut()
                .filter_map(|(_, keys)| keys.peek().map(|&&key| key));
            let first = first.inspect(|_| effort::look());
            let Some(next) = first.min() else { break };
            let is_by_arbiter = by_arbiter(next.number);
            if is_by_arbiter && !chosen.is_empty() {
                break;
            }
            if is_held_back(next.number) {
                heads.retain_mut(|(_, keys)| keys.peek() != Some(&&next));
                continue;
            }
            if is_by_arbiter {
                return vec![next.number];
            }
            for (agent, keys) in &mut heads {
                if keys.next_if(|&&key| key == next).is_some()
                    && let Some(room) = agent.and_then(|agent| rooms.get_mut(agent))
                {
                    *room -= 1;
                }
            }
            chosen.push(next.number);
        }
        chosen
    }

    /// The highest priority among the nodes that begin in a place, of all lanes that `is_open` lets through, whether or
    /// not their agent has room at the moment. Lanes whose first node `is_held_back` do not count.
    pub(super) fn best_priority(
        &self,
        is_open: impl Fn(&Lane) -> bool,
        is_held_back: impl Fn(usize) -> bool,
    ) -> Option<u8> {
        let needs_place = |lane: &Lane| lane.begins != Begins::WithAQuestion && is_open(lane);
        let heads = self
            .lanes
            .iter()
            .filter(|(lane, _)| needs_place(lane))
            .filter_map(|(_, keys)| keys.first());
        heads
            .filter(|key| !is_held_back(key.number))
            .map(|key| key.priority.0)
            .max()
    }

    /// The nodes that stand behind `first` in its lane.
    pub(super) fn behind(&self, first: usize) -> impl Iterator<Item = usize> {
        let lane = self.lane_of.get(&first).map(|&lane| &self.lanes[lane].1);
        lane.into_iter()
            .flatten()
            .map(|key| key.number)
            .skip_while(move |&number| number != first)
            .skip(1)
    }

    /// All of them.
    #[cfg(test)]
    pub(super) fn numbers(&self) -> BTreeSet<usize> {
        self.lane_of.keys().copied().collect()
    }
}
