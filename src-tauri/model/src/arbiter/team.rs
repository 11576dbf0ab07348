//! Named teams of agents, as a person's settings define them.

use serde::{Deserialize, Serialize};

use crate::Slug;
use crate::likeness::nearest;

/// What stands before a team's name where an agent's may stand: `agent: team:reviewers`. No agent's name holds a colon.
pub const TEAM: &str = "team:";

/// The most members of a team.
const MEMBER_LIMIT: usize = 20;

/// The team that `agent` means, if it means one.
#[must_use]
pub fn team_name(agent: &str) -> Option<&str> {
    agent.strip_prefix(TEAM).map(str::trim)
}

/// Agents of which any may do a node's work, and how one of them is found.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct Team {
    /// What plan files call it after `team:`.
    pub name: String,
    /// The agents, the one that is preferred first.
    pub members: Vec<String>,
    /// How one of them is found.
    pub rule: Rule,
    /// Who is asked, when the rule is to ask; `None`: the default agent.
    pub asks: Option<String>,
    /// The model to ask for; `None` leaves it to the agent.
    pub model: Option<String>,
}

/// The one of `known` that was probably meant by `name`, if any is like it.
#[must_use]
pub fn meant<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    nearest(name, known)
}

/// How a team finds the agent for a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// The first one, in order, that can work.
    #[default]
    First,
    /// In turn, within a run.
    Rotate,
    /// Whoever has the fewest living sessions.
    LeastBusy,
    /// An agent is asked, who sees the plan and what went wrong before.
    Ask,
}

/// Why a team is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TeamFault {
    /// Its name is not one that plan files can hold.
    #[error(
        "a team's name has letters, digits, '-' and '_', beginning with a letter or digit; '{0}' does not"
    )]
    Name(String),
    /// Nobody is in it.
    #[error("the team '{0}' has no members")]
    Empty(String),
    /// Very many are in it.
    #[error("the team '{0}' has more than {MEMBER_LIMIT} members")]
    TooMany(String),
    /// Somebody is in it twice.
    #[error("'{member}' is twice in the team '{team}'")]
    Twice {
        /// The team.
        team: String,
        /// The member.
        member: String,
    },
    /// A team is in a team, or asks one.
    #[error("the team '{team}' names '{agent}': only agents may be members, or be asked")]
    NotAnAgent {
        /// The team.
        team: String,
        /// What it names.
        agent: String,
    },
}

impl Team {
    /// What is wrong with the team by itself. Whether its members exist depends on the machine.
    pub fn check(&self) -> Result<(), TeamFault> {
        let team = || self.name.clone();
        if Slug::new(&self.name).is_err() {
            return Err(TeamFault::Name(team()));
        }
        if self.members.is_empty() {
            return Err(TeamFault::Empty(team()));
        }
        if self.members.len() > MEMBER_LIMIT {
            return Err(TeamFault::TooMany(team()));
        }
        let mut named = self.members.iter().chain(&self.asks);
        if let Some(agent) =
            named.find(|agent| agent.trim().is_empty() || team_name(agent).is_some())
        {
            return Err(TeamFault::NotAnAgent {
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
            Err(TeamFault::Twice {
                team: team(),
                member: member.clone(),
            })
        })
    }
}
