//! The arbiter decides which agent works on a node, and records why.
//!
//! A node can name an agent, a team, or neither; a planner may have suggested an agent.
//! [`choose_agent`] derives an [`AgentChoice`] from that, from the plan's default, and from what is
//! currently known about each agent. It uses no clock and no randomness, starts nothing and
//! contacts no agent. If a team's rule is to ask an agent, the result is a [`SelectionRequest`],
//! and [`SelectionRequest::resolve`] evaluates the answer.
//!
//! The choice and its reason are part of the event that reserves a slot, so replaying a run never
//! asks again.

mod choice;
mod roster;
mod selection;
mod selection_prompt;
mod selection_request;
mod team;
#[cfg(test)]
mod tests;

pub use choice::{AgentChoice, ChoiceReason, ExclusionReason, PassedOverAgent};
pub use roster::{AgentStatus, EmptyRoster, Roster};
pub use selection::{Selection, SelectionInput, choose_agent};
pub use selection_prompt::{
    OfferedAgent, PlanProgress, build_selection_prompt, closing_instruction,
};
pub use selection_request::{SelectionError, SelectionRequest};
pub use team::{TEAM_PREFIX, Team, TeamError, TeamRule, closest_agent_name, team_name};
