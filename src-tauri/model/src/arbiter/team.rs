//! Named teams of agents, as the settings define them.

use serde::{Deserialize, Serialize};

use crate::Slug;
use crate::spelling_suggestion::closest_match;

/// Marks a team wherever an agent's name is expected: `agent: team:reviewers`. Agent names contain
/// no colon.
pub const TEAM_PREFIX: &str = "team:";

const MEMBER_LIMIT: usize = 20;

/// The team that `agent` refers to, or `None` if it is an agent's name.
#[must_use]
pub fn team_name(agent: &str) -> Option<&str> {
    agent.strip_prefix(TEAM_PREFIX).map(str::trim)
}

/// Agents of which any may work on a node, and the rule that picks one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Team {
    /// The part after `team:` in plan files.
    pub name: String,
    /// The agents, in order of preference.
    pub members: Vec<String>,
    /// How a member is picked.
    pub rule: TeamRule,
    /// The agent that is asked if the rule is [`TeamRule::Ask`]; `None` is the default agent.
    pub asks: Option<String>,
    /// The model to request; `None` uses the agent's default.
    pub model: Option<String>,
}

/// The entry of `known` that `name` probably meant, if any is similar.
#[must_use]
pub fn closest_agent_name<'k>(
    name: &str,
    known: impl IntoIterator<Item = &'k str>,
) -> Option<&'k str> {
    closest_match(name, known)
}

/// How a team picks the agent for a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TeamRule {
    /// The first available member in order.
    #[default]
    First,
    /// In turn, within a run.
    Rotate,
    /// The member with the fewest live sessions.
    LeastBusy,
    /// An agent decides. It sees the plan and the errors so far.
    Ask,
}

/// Why a team is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the names say it")]
pub enum TeamError {
    /// The name can't be used in plan files.
    #[error(
        "a team name may contain letters, digits, '-' and '_' and must begin with a letter or digit: '{0}'"
    )]
    Name(String),
    /// It has no members.
    #[error("the team '{0}' has no members")]
    Empty(String),
    /// It has too many members.
    #[error("the team '{0}' has more than {MEMBER_LIMIT} members")]
    TooMany(String),
    /// A member is listed twice.
    #[error("'{member}' is listed twice in the team '{team}'")]
    Twice { team: String, member: String },
    /// A team contains a team, or asks one.
    #[error("the team '{team}' names '{agent}', which is a team; use agents only")]
    NotAnAgent {
        team: String,
        /// The entry that is not an agent.
        agent: String,
    },
}

impl Team {
    /// Checks the team on its own. Whether its members exist depends on the machine.
    pub fn check(&self) -> Result<(), TeamError> {
        let team = || self.name.clone();
        if Slug::new(&self.name).is_err() {
            return Err(TeamError::Name(team()));
        }
        if self.members.is_empty() {
            return Err(TeamError::Empty(team()));
        }
        if self.members.len() > MEMBER_LIMIT {
            return Err(TeamError::TooMany(team()));
        }
        let mut named = self.members.iter().chain(&self.asks);
        if let Some(agent) =
            named.find(|agent| agent.trim().is_empty() || team_name(agent).is_some())
        {
            return Err(TeamError::NotAnAgent {
                team: team(),
                agent: agent.clone(),
            });
        }
        let twice = self
            .members
            .iter()
            .enumerate()
            .find(|(at, member)| self.members[..*at].contains(member));
        twice.map_or(Ok(()), |(_, member)| {
            Err(TeamError::Twice {
                team: team(),
                member: member.clone(),
            })
        })
    }
}
