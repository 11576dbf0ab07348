//! What is known of agents at the moment of a choice.

use super::Team;
use crate::Timestamp;

/// Where an agent stands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Standing {
    /// No agent of that name is known.
    pub unknown: bool,
    /// Its program is not on this machine.
    pub missing: bool,
    /// When its usage limit is lifted, as far as other runs found out. The run's own knowledge is added by the run.
    pub limited_until: Option<Timestamp>,
    /// How many of its sessions live in other runs.
    pub busy_elsewhere: u32,
}

/// Who knows of agents and teams. Asked while a decision is made, so that it must answer at once.
pub trait Roster {
    /// The team of this name.
    fn team(&self, name: &str) -> Option<Team>;
    /// Where an agent stands.
    fn standing(&self, agent: &str) -> Standing;
    /// The agent of nodes for which nobody is named.
    fn default_agent(&self) -> Option<String>;
}

/// A world without teams in which every agent can work.
#[derive(Debug, Clone, Copy, Default)]
pub struct Alone;

impl Roster for Alone {
    fn team(&self, _: &str) -> Option<Team> {
        None
    }

    fn standing(&self, _: &str) -> Standing {
        Standing::default()
    }

    fn default_agent(&self) -> Option<String> {
        None
    }
}
