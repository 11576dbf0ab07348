//! A request to an agent to choose which agent works on a node, and the evaluation of its answer.

use serde::{Deserialize, Serialize};

use super::{AgentChoice, ChoiceReason, PassedOverAgent};
use crate::outcome::Failure;

/// The maximum length of the recorded reason, in characters.
const MAX_REASON_CHARS: usize = 300;

/// The agents to choose from. The answer must be one of `offered`, even if others have become
/// available since.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct SelectionRequest {
    pub team: String,
    /// The agent that is asked.
    pub by: String,
    /// The model to request; `None` uses the agent's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The available members, in the team's order.
    pub offered: Vec<String>,
    /// The members that are not available, with reasons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passed_over: Vec<PassedOverAgent>,
}

/// Why an agent that was asked made no choice.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the names say it")]
pub enum SelectionError {
    #[error("{0}")]
    Failed(Failure),
    /// Its session did not finish.
    #[error("did not finish")]
    Unfinished,
    /// It gave no answer.
    #[error("gave no answer")]
    Silent,
    /// It named none of the offered agents.
    #[error("answered '{answer}', which is not one of {}", offered.join(", "))]
    Unrecognized {
        /// The beginning of its last message.
        answer: String,
        offered: Vec<String>,
    },
    /// It named an agent that was not offered.
    #[error("named '{agent}', which was not offered")]
    NotOffered { agent: String },
}

impl SelectionRequest {
    /// All agents whose sessions the attempt may use: the possible answers, and the agent that is
    /// asked.
    pub(crate) fn agents(self) -> Vec<String> {
        let by = Some(self.by).filter(|by| !self.offered.contains(by));
        self.offered.into_iter().chain(by).collect()
    }

    /// The choice that follows from an answer, or from the failure to get one.
    ///
    /// The last non-empty line of the answer names the agent and may give a reason: `codex: it
    /// knows the tests`. `None` only if no agent was offered.
    #[must_use]
    pub fn resolve(&self, answer: Result<&str, SelectionError>) -> Option<AgentChoice> {
        let (agent, reason) = match answer.and_then(|answer| self.parse_answer(answer)) {
            Ok((agent, words)) => (
                agent,
                ChoiceReason::Asked {
                    by: self.by.clone(),
                    words,
                },
            ),
            Err(why) => (
                self.offered.first()?.clone(),
                ChoiceReason::FellBack {
                    by: self.by.clone(),
                    why: why.to_string(),
                },
            ),
        };
        let (team, passed_over) = (Some(self.team.clone()), self.passed_over.clone());
        Some(AgentChoice {
            agent,
            reason,
            team,
            passed_over,
        })
    }

    fn parse_answer(&self, answer: &str) -> Result<(String, String), SelectionError> {
        let line = answer.lines().map(str::trim).rfind(|line| !line.is_empty());
        let Some(line) = line else {
            return Err(SelectionError::Silent);
        };
        let (name, words) = line.split_once(':').unwrap_or((line, ""));
        let plain = |text: &str| {
            text.trim()
                .trim_matches(|c: char| "*_`\"'.-–— ".contains(c))
                .to_lowercase()
        };
        let chosen = self
            .offered
            .iter()
            .find(|agent| plain(agent) == plain(name));
        let words = words.trim().trim_start_matches(['*', '`']).trim();
        match chosen {
            Some(agent) => Ok((agent.clone(), truncate(words))),
            None => Err(SelectionError::Unrecognized {
                answer: truncate(line),
                offered: self.offered.clone(),
            }),
        }
    }
}

fn truncate(text: &str) -> String {
    let mut short: String = text.chars().take(MAX_REASON_CHARS).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
