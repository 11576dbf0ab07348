//! The chosen agent, and how the choice is explained to people.

use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

use crate::Timestamp;

/// Which agent makes an attempt, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct AgentChoice {
    pub agent: String,
    pub reason: ChoiceReason,
    /// The team it was chosen from, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    /// The agents that would have been preferred, or were equally eligible, with the reason against
    /// each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passed_over: Vec<PassedOverAgent>,
}

/// Why an agent was chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum ChoiceReason {
    /// The node names it.
    Named,
    /// A planner suggested it.
    Suggested,
    /// It is the plan's default for nodes without an agent.
    PlanDefault,
    /// It is the default in the settings for nodes without an agent.
    Default,
    /// The attempt continues one of the agent's own sessions.
    Resumed,
    /// It is the first available member in the team's order.
    First,
    /// It was next in rotation.
    Rotated,
    /// No other member had fewer live sessions.
    LeastBusy {
        /// Its number of live sessions at that time.
        sessions: u32,
    },
    /// No other member is available, so no agent was asked.
    OnlyOne,
    /// Another agent made the choice.
    Asked {
        /// The agent that was asked.
        by: String,
        /// The reason it gave. May be empty.
        words: String,
    },
    /// An agent was asked, but its answer was not usable. The first available member was chosen
    /// instead.
    FellBack {
        /// The agent that was asked.
        by: String,
        /// What was wrong with the answer, as a fragment for people.
        why: String,
    },
    /// No member is available. The first one is tried so that its own error reports what to do.
    NobodyCan,
}

/// An agent that was not chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct PassedOverAgent {
    pub agent: String,
    pub why: ExclusionReason,
}

/// Why an agent was not chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ExclusionReason {
    /// No agent with this name is defined.
    Unknown,
    /// Its program is not installed on this machine.
    Missing,
    /// It has reached its usage limit.
    AtLimit {
        /// When the limit resets, as far as is known.
        until: Timestamp,
    },
    /// It already has as many sessions as the plan or the global settings allow.
    Full,
    /// It failed an earlier attempt at the node.
    Failed,
}

impl Display for AgentChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.reason, &self.team) {
            (ChoiceReason::First, Some(team)) => write!(f, "first available agent of team {team}")?,
            (ChoiceReason::Rotated, Some(team)) => write!(f, "next in rotation in team {team}")?,
            (ChoiceReason::LeastBusy { .. }, Some(team)) => {
                write!(f, "least busy agent of team {team}")?
            }
            (ChoiceReason::OnlyOne, Some(team)) => {
                write!(f, "only available agent of team {team}")?
            }
            (ChoiceReason::NobodyCan, Some(team)) => write!(
                f,
                "first agent of team {team}, which has no available agents"
            )?,
            (reason, _) => write!(f, "{reason}")?,
        }
        for (number, PassedOverAgent { agent, why }) in self.passed_over.iter().enumerate() {
            write!(
                f,
                "{} {agent} {why}",
                if number == 0 { "; passed over:" } else { "," }
            )?;
        }
        Ok(())
    }
}

impl Display for ChoiceReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named => f.write_str("named by the node"),
            Self::Suggested => f.write_str("suggested for the node"),
            Self::PlanDefault => f.write_str("the plan's default"),
            Self::Default => f.write_str("default agent"),
            Self::Resumed => f.write_str("continues its session"),
            Self::First => f.write_str("first available agent"),
            Self::Rotated => f.write_str("next in rotation"),
            Self::LeastBusy { .. } => f.write_str("least busy"),
            Self::OnlyOne => f.write_str("only available agent"),
            Self::Asked { by, words } if words.is_empty() => write!(f, "chosen by {by}"),
            Self::Asked { by, words } => write!(f, "chosen by {by}: {words}"),
            Self::FellBack { by, why } => {
                write!(f, "first available agent, because {by} {why}")
            }
            Self::NobodyCan => f.write_str("no agent is available"),
        }
    }
}

impl Display for ExclusionReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unknown => "is not defined",
            Self::Missing => "is not installed",
            Self::AtLimit { .. } => "is at its usage limit",
            Self::Full => "has reached its session limit",
            Self::Failed => "failed an earlier attempt",
        })
    }
}
