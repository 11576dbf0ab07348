//! An agent that is asked who does a node's work, and what its answer is worth.

use serde::{Deserialize, Serialize};

use super::{Choice, PassedOver, Reason};
use crate::outcome::Failure;

/// The most of the words of an answer that is kept, in characters.
const WORDS: usize = 300;

/// Whom an agent is to be asked about. The answer counts only if it is one of these, whoever else could work by then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Asking {
    /// The team.
    pub team: String,
    /// Who is asked.
    pub by: String,
    /// The model to ask for; `None` leaves it to the agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The members that can work, in the team's order.
    pub offered: Vec<String>,
    /// Those that cannot.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passed_over: Vec<PassedOver>,
}

/// Why an agent that was asked has chosen nobody.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    /// Its session failed.
    #[error("{0}")]
    Failed(Failure),
    /// Its session did not come to its end.
    #[error("did not come to an end")]
    Unfinished,
    /// It has said nothing.
    #[error("said nothing")]
    Silent,
    /// It has named nobody of those offered.
    #[error("answered '{answer}', which is none of {}", offered.join(", "))]
    Nobody {
        /// The beginning of what it said last.
        answer: String,
        /// Who was offered.
        offered: Vec<String>,
    },
    /// It was understood as naming somebody who was not offered.
    #[error("named '{agent}', who was not offered")]
    NotOffered {
        /// Whom it named.
        agent: String,
    },
}

impl Asking {
    /// All whose sessions the attempt may have: those who may be the answer, and who is asked.
    pub(crate) fn agents(self) -> Vec<String> {
        let by = Some(self.by).filter(|by| !self.offered.contains(by));
        self.offered.into_iter().chain(by).collect()
    }

    /// The choice that follows from an answer, or from the failure to get one.
    ///
    /// The answer's last line that is not empty names the agent, and may go on with why: `codex: it knows the tests`.
    /// `None` only when nobody was offered.
    #[must_use]
    pub fn settle(&self, answer: Result<&str, NoAnswer>) -> Option<Choice> {
        let (agent, reason) = match answer.and_then(|answer| self.read(answer)) {
            Ok((agent, words)) => (
                agent,
                Reason::Asked {
                    by: self.by.clone(),
                    words,
                },
            ),
            Err(why) => (
                self.offered.first()?.clone(),
                Reason::FellBack {
                    by: self.by.clone(),
                    why: why.to_string(),
                },
            ),
        };
        let (team, passed_over) = (Some(self.team.clone()), self.passed_over.clone());
        Some(Choice {
            agent,
            reason,
            team,
            passed_over,
        })
    }

    fn read(&self, answer: &str) -> Result<(String, String), NoAnswer> {
        let line = answer.lines().map(str::trim).rfind(|line| !line.is_empty());
        let Some(line) = line else {
            return Err(NoAnswer::Silent);
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
            Some(agent) => Ok((agent.clone(), shortened(words))),
            None => Err(NoAnswer::Nobody {
                answer: shortened(line),
                offered: self.offered.clone(),
            }),
        }
    }
}

fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(WORDS).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
