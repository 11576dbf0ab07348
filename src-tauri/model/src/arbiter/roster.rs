//! What is known about agents when one is chosen.

use super::Team;
use crate::Timestamp;

/// The availability of an agent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AgentStatus {
    /// No agent with this name is defined.
    pub unknown: bool,
    /// Its program is not installed on this machine.
    pub missing: bool,
    /// When its usage limit resets, as reported by other runs. The run adds its own observations.
    pub limited_until: Option<Timestamp>,
    /// How many of its sessions are live in other runs.
    pub busy_elsewhere: u32,
}

/// Provides agents and teams. Called while a decision is made, so it must answer immediately.
pub trait Roster {
    /// The team with this name, if the settings define it.
    fn team(&self, name: &str) -> Option<Team>;
    /// The current availability of an agent.
    fn agent_status(&self, agent: &str) -> AgentStatus;
    /// The agent for nodes without one, from the settings.
    fn default_agent(&self) -> Option<String>;
}

/// A roster without teams in which every agent is available.
#[derive(Debug, Clone, Copy, Default)]
pub struct EmptyRoster;

impl Roster for EmptyRoster {
    fn team(&self, _: &str) -> Option<Team> {
        None
    }

    fn agent_status(&self, _: &str) -> AgentStatus {
        AgentStatus::default()
    }

    fn default_agent(&self) -> Option<String> {
        None
    }
}
