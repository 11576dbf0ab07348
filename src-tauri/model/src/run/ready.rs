//! The wanted nodes that may start, in the order in which they get slots.
//!
//! They are grouped in lanes by what else they need. A closed lane, for example because its agent
//! is busy or the run is ending, costs nothing, because its nodes are not visited.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::visit_counter;

/// Orders the nodes of a lane: by priority, then by the length of the chain below, then by the
/// plan's order.
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

/// What a ready node needs besides its turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lane {
    /// Its rule asks for failures, so it also starts after a failure has ended the run.
    pub(super) cleans_up: bool,
    /// The locks that it needs, sorted.
    pub(super) locks: Vec<String>,
    pub(super) kind: LaneKind,
}

/// How a node starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LaneKind {
    /// With a question to a person. Needs no slot.
    Question,
    /// With a slot, without an agent.
    Slot,
    /// With a slot and a session of this agent.
    Agent(String),
    /// With a slot and an agent chosen by the arbiter. The text groups nodes that are treated
    /// alike.
    Arbiter(String),
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

    /// The nodes that start with a question, from all lanes accepted by `is_open`.
    pub(super) fn questions(&self, is_open: impl Fn(&Lane) -> bool) -> impl Iterator<Item = usize> {
        let asks = move |lane: &Lane| lane.kind == LaneKind::Question && is_open(lane);
        self.lanes
            .iter()
            .filter(move |(lane, _)| asks(lane))
            .flat_map(|(_, keys)| keys)
            .map(|key| key.number)
    }

    /// Up to `most` next nodes that get a slot, from all lanes accepted by `is_open`. `room`
    /// returns how many more sessions of an agent may be live, and `has_turn` whether the arbiter
    /// finds an agent for a node now. `is_held_back` is called for a node that would be next; if
    /// true, its lane is closed.
    ///
    /// The result depends on what started before, so a node that needs the arbiter is always
    /// returned alone.
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
                .map(|&lane| &self.lanes[lane].0.kind);
            matches!(lane, Some(LaneKind::Arbiter(_)))
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
            match &lane.kind {
                LaneKind::Question => {}
                LaneKind::Arbiter(_) if is_stuck(keys) => {}
                LaneKind::Slot | LaneKind::Arbiter(_) => heads.push((None, keys.iter().peekable())),
                LaneKind::Agent(agent) => {
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
            let first = first.inspect(|_| visit_counter::count_visit());
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

    /// The highest priority among the nodes that need a slot, from all lanes accepted by `is_open`,
    /// whether or not their agent is free. Ignores lanes whose first node `is_held_back`.
    pub(super) fn best_priority(
        &self,
        is_open: impl Fn(&Lane) -> bool,
        is_held_back: impl Fn(usize) -> bool,
    ) -> Option<u8> {
        let needs_place = |lane: &Lane| lane.kind != LaneKind::Question && is_open(lane);
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

    /// The nodes after `first` in its lane.
    pub(super) fn followers(&self, first: usize) -> impl Iterator<Item = usize> {
        let lane = self.lane_of.get(&first).map(|&lane| &self.lanes[lane].1);
        lane.into_iter()
            .flatten()
            .map(|key| key.number)
            .skip_while(move |&number| number != first)
            .skip(1)
    }

    /// The numbers of all ready nodes, for comparison with the reference.
    #[cfg(test)]
    pub(super) fn numbers(&self) -> BTreeSet<usize> {
        self.lane_of.keys().copied().collect()
    }
}
