//! The machine on which all simulated executors run: its sessions, which outlive them.

use std::collections::BTreeMap;

use baton_model::{NodeId, SessionId};

use super::keeper::{Keeper, Life};
use super::rng::SeededRng;
use super::worker_pool::SimulatedJob;

/// The sessions of the machine.
#[derive(Default)]
pub(super) struct Machine {
    pub(super) keepers: BTreeMap<SessionId, Keeper>,
    forks: Vec<NodeId>,
}

impl Machine {
    /// A machine without sessions; those of `forks` will be conditions.
    pub(super) fn new(forks: Vec<NodeId>) -> Self {
        Self {
            keepers: BTreeMap::new(),
            forks,
        }
    }

    /// The folder of a session.
    pub(super) fn keeper(&mut self, job: SimulatedJob) -> &mut Keeper {
        let SimulatedJob {
            node,
            attempt,
            session,
        } = job;
        let is_fork = self.forks.contains(&node);
        self.keepers
            .entry(session)
            .or_insert_with(|| Keeper::new(node, attempt, is_fork))
    }

    pub(super) fn known(&self, session: SessionId) -> Option<&Keeper> {
        self.keepers.get(&session)
    }

    /// Returns whether nothing of a session is running. If it is about to start, this prevents it.
    pub(super) fn is_over(&mut self, session: SessionId) -> bool {
        let Some(keeper) = self.keepers.get_mut(&session) else {
            return true;
        };
        if keeper.life == Life::NotBegun {
            keeper.life = Life::Prevented;
        }
        !keeper.is_alive()
    }

    pub(super) fn can_progress(&self) -> bool {
        self.keepers.values().any(Keeper::can_progress)
    }

    /// Advances one randomly chosen session.
    pub(super) fn step(&mut self, rng: &mut SeededRng) {
        let moving: Vec<SessionId> = self
            .keepers
            .iter()
            .filter(|(_, keeper)| keeper.can_progress())
            .map(|(&session, _)| session)
            .collect();
        if let Some(keeper) = rng
            .pick(&moving)
            .and_then(|session| self.keepers.get_mut(session))
        {
            keeper.step(rng);
        }
    }

    /// Kills one running keeper.
    pub(super) fn kill_one(&mut self, rng: &mut SeededRng) {
        let alive: Vec<SessionId> = self
            .keepers
            .iter()
            .filter(|(_, keeper)| keeper.is_alive())
            .map(|(&session, _)| session)
            .collect();
        if let Some(keeper) = rng
            .pick(&alive)
            .and_then(|session| self.keepers.get_mut(session))
        {
            keeper.kill();
        }
    }
}
