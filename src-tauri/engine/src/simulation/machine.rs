//! The machine on which all simulated executors live: its sessions, which survive them.

use std::collections::BTreeMap;

use baton_model::{NodeId, SessionId};

use super::chance::Chance;
use super::crew::Errand;
use super::keeper::{Keeper, Life};

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
    pub(super) fn keeper(&mut self, errand: Errand) -> &mut Keeper {
        let Errand {
            node,
            attempt,
            session,
        } = errand;
        let is_fork = self.forks.contains(&node);
        self.keepers
            .entry(session)
            .or_insert_with(|| Keeper::new(node, attempt, is_fork))
    }

    pub(super) fn known(&self, session: SessionId) -> Option<&Keeper> {
        self.keepers.get(&session)
    }

    /// Whether nothing of a session lives. One that is about to begin is kept from it.
    pub(super) fn is_over(&mut self, session: SessionId) -> bool {
        let Some(keeper) = self.keepers.get_mut(&session) else {
            return true;
        };
        if keeper.life == Life::NotBegun {
            keeper.life = Life::Forestalled;
        }
        !keeper.is_alive()
    }

    pub(super) fn moves(&self) -> bool {
        self.keepers.values().any(Keeper::moves)
    }

    /// Lets one session that goes on by itself go on.
    pub(super) fn step(&mut self, chance: &mut Chance) {
        let moving: Vec<SessionId> = self
            .keepers
            .iter()
            .filter(|(_, keeper)| keeper.moves())
            .map(|(&session, _)| session)
            .collect();
        if let Some(keeper) = chance
            .of(&moving)
            .and_then(|session| self.keepers.get_mut(session))
        {
            keeper.step(chance);
        }
    }

    /// Kills one keeper that lives.
    pub(super) fn kill_one(&mut self, chance: &mut Chance) {
        let alive: Vec<SessionId> = self
            .keepers
            .iter()
            .filter(|(_, keeper)| keeper.is_alive())
            .map(|(&session, _)| session)
            .collect();
        if let Some(keeper) = chance
            .of(&alive)
            .and_then(|session| self.keepers.get_mut(session))
        {
            keeper.kill();
        }
    }
}
