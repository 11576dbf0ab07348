//! The choice of an agent, and the words for it.

use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

use crate::Timestamp;

/// Who does an attempt's work, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Choice {
    /// The agent.
    pub agent: String,
    /// Why it is this one.
    pub reason: Reason,
    /// The team of which it was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    /// Who would have come before, or might have, and why not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passed_over: Vec<PassedOver>,
}

/// Why an agent was chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Reason {
    /// The node names it.
    Named,
    /// A planner had it in mind.
    Suggested,
    /// The plan names it for nodes that name nobody.
    PlanDefault,
    /// The settings name it for nodes that name nobody.
    Default,
    /// The attempt goes on with a session of its own.
    Resumed,
    /// In the team's order it is the first that can work.
    First,
    /// It was its turn.
    Rotated,
    /// No other member had fewer living sessions.
    LeastBusy {
        /// How many it had.
        sessions: u32,
    },
    /// No other member can work, so that nobody had to be asked.
    OnlyOne,
    /// An agent was asked.
    Asked {
        /// Who.
        by: String,
        /// Why, in its words.
        words: String,
    },
    /// An agent was asked, and its answer could not be used; the first member that can work took its place.
    FellBack {
        /// Who was asked.
        by: String,
        /// What was wrong, a fragment for people.
        why: String,
    },
    /// Nobody of the team can work; the first one is tried, so that its own error says what is to be done.
    NobodyCan,
}

/// An agent that was not chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PassedOver {
    /// The agent.
    pub agent: String,
    /// Why not.
    pub why: WhyNot,
}

/// Why an agent was not chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum WhyNot {
    /// No agent of that name is known.
    Unknown,
    /// Its program is not on this machine.
    Missing,
    /// Its usage limit is reached.
    AtLimit {
        /// Until when, as far as is known.
        until: Timestamp,
    },
    /// The plan, or the settings for all runs, allow it no more sessions at the moment.
    Full,
    /// It failed an earlier attempt of the node.
    Failed,
}

impl Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.reason, &self.team) {
            (Reason::First, Some(team)) => write!(f, "first of the team {team} that can work")?,
            (Reason::Rotated, Some(team)) => write!(f, "next in rotation of the team {team}")?,
            (Reason::LeastBusy { .. }, Some(team)) => write!(f, "least busy of the team {team}")?,
            (Reason::OnlyOne, Some(team)) => {
                write!(f, "the only one of the team {team} that can work")?
            }
            (Reason::NobodyCan, Some(team)) => {
                write!(f, "first of the team {team}, of which nobody can work")?
            }
            (reason, _) => write!(f, "{reason}")?,
        }
        for (number, PassedOver { agent, why }) in self.passed_over.iter().enumerate() {
            write!(
                f,
                "{} {agent} {why}",
                if number == 0 { "; passed over:" } else { "," }
            )?;
        }
        Ok(())
    }
}

impl Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named => f.write_str("named by the node"),
            Self::Suggested => f.write_str("suggested for the node"),
            Self::PlanDefault => f.write_str("default of the plan"),
            Self::Default => f.write_str("default agent"),
            Self::Resumed => f.write_str("goes on with its session"),
            Self::First => f.write_str("first that can work"),
            Self::Rotated => f.write_str("next in rotation"),
            Self::LeastBusy { .. } => f.write_str("least busy"),
            Self::OnlyOne => f.write_str("the only one that can work"),
            Self::Asked { by, words } if words.is_empty() => write!(f, "chosen by {by}"),
            Self::Asked { by, words } => write!(f, "chosen by {by}: {words}"),
            Self::FellBack { by, why } => {
                write!(f, "first that can work, as {by} was asked and {why}")
            }
            Self::NobodyCan => f.write_str("nobody can work"),
        }
    }
}

impl Display for WhyNot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unknown => "is not known here",
            Self::Missing => "is not installed",
            Self::AtLimit { .. } => "is at its usage limit",
            Self::Full => "has as many sessions as its limit allows",
            Self::Failed => "failed an earlier attempt",
        })
    }
}
