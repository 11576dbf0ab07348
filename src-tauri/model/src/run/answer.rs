//! Questions of a session to a person, and their answers.

use serde::{Deserialize, Serialize};

use crate::command_prefix::{CommandPrefix, PrefixError};
use crate::grant::is_covered;
use crate::{Attempt, Grant};

/// A person's answer about a tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case", from = "StoredAnswer")]
pub enum Answer {
    /// Allows this call only.
    AllowOnce,
    /// Allows this call and similar ones in all attempts of this node in this run.
    AllowNode {
        /// For a call that runs a command: the prefixes of commands that count as similar, such as
        /// `git push`. Empty allows exactly this command.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<String>>"))]
        begins: Vec<String>,
    },
    /// Allows this call and similar ones in every node, in this run and later runs of the plan.
    AllowPlan {
        /// The same as for [`Answer::AllowNode`].
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<String>>"))]
        begins: Vec<String>,
    },
    /// Denies this call only. The next similar call is asked about again.
    Deny {
        /// The reason sent to the agent. If empty, the agent learns only that a person denied the
        /// call.
        reason: String,
    },
}

/// An answer as stored in histories: before format 5 it was yes or no.
#[derive(Deserialize)]
#[cfg_attr(feature = "bindings", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum StoredAnswer {
    Flag(bool),
    Tagged(TaggedAnswer),
}

#[derive(Deserialize)]
#[cfg_attr(feature = "bindings", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
enum TaggedAnswer {
    AllowOnce,
    AllowNode {
        #[serde(default)]
        begins: Vec<String>,
    },
    AllowPlan {
        #[serde(default)]
        begins: Vec<String>,
    },
    Deny {
        #[serde(default)]
        reason: String,
    },
}

impl From<StoredAnswer> for Answer {
    fn from(stored: StoredAnswer) -> Self {
        match stored {
            StoredAnswer::Flag(true) | StoredAnswer::Tagged(TaggedAnswer::AllowOnce) => {
                Self::AllowOnce
            }
            StoredAnswer::Tagged(TaggedAnswer::AllowNode { begins }) => Self::AllowNode { begins },
            StoredAnswer::Tagged(TaggedAnswer::AllowPlan { begins }) => Self::AllowPlan { begins },
            StoredAnswer::Flag(false) => Self::deny(),
            StoredAnswer::Tagged(TaggedAnswer::Deny { reason }) => Self::Deny { reason },
        }
    }
}

impl Answer {
    /// Allows exactly this call in this node.
    #[must_use]
    pub fn allow_node() -> Self {
        Self::AllowNode { begins: Vec::new() }
    }

    /// Allows exactly this call in every node.
    #[must_use]
    pub fn allow_plan() -> Self {
        Self::AllowPlan { begins: Vec::new() }
    }

    /// The command prefixes that are allowed from now on.
    #[must_use]
    pub fn command_prefixes(&self) -> &[String] {
        match self {
            Self::AllowNode { begins } | Self::AllowPlan { begins } => begins,
            Self::AllowOnce | Self::Deny { .. } => &[],
        }
    }

    /// Denies the call without a reason.
    #[must_use]
    pub fn deny() -> Self {
        Self::Deny {
            reason: String::new(),
        }
    }

    /// Whether the call may run.
    #[must_use]
    pub fn allows(&self) -> bool {
        !matches!(self, Self::Deny { .. })
    }
}

/// Whether a person answered a question directly or through an earlier grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AnsweredBy {
    /// A person, for this question.
    #[default]
    Person,
    /// A grant that a person gave before.
    Grant,
}

impl AnsweredBy {
    pub(super) fn is_person(&self) -> bool {
        *self == Self::Person
    }
}

/// The call that a question is about, with the details that a grant depends on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RequestedToolCall {
    /// The tool's name, as the agent uses it.
    pub tool: String,
    /// The whole command line, if the tool runs one.
    #[serde(default)]
    pub command: Option<String>,
}

impl RequestedToolCall {
    /// The grants that an answer gives for more than this call: the call itself, or commands with
    /// the prefixes `begins`.
    pub fn grants(&self, begins: &[String]) -> Result<Vec<Grant>, PrefixError> {
        if begins.is_empty() {
            return Ok(vec![Grant::exact(&self.tool, self.command.as_deref())]);
        }
        begins
            .iter()
            .map(|words| self.prefix_grant(words))
            .collect()
    }

    fn prefix_grant(&self, words: &str) -> Result<Grant, PrefixError> {
        let prefix = CommandPrefix::parse(words)?;
        let occurs = self
            .command
            .as_deref()
            .is_some_and(|line| prefix.matches_any_in(line));
        if occurs {
            Ok(Grant::with_prefix(&self.tool, words))
        } else {
            Err(PrefixError::OtherCommand(words.to_owned()))
        }
    }

    /// Whether `grants` together allow the call.
    pub fn is_covered_by<'g>(&self, grants: impl Iterator<Item = &'g Grant> + Clone) -> bool {
        is_covered(grants, &self.tool, self.command.as_deref())
    }
}

/// A question of a live session that has no answer yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PermissionRequest {
    pub(super) request: String,
    pub(super) question: String,
    pub(super) call: Option<RequestedToolCall>,
}

/// A call of a tool that is not in the node's list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct UnlistedToolCall {
    pub attempt: Attempt,
    /// The agent's ID of the call.
    pub call: String,
    /// The tool and what it was to do, on one line.
    pub what: String,
    /// The message to the agent, or the one that would have been sent.
    pub note: String,
    /// Whether it was blocked.
    pub refused: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_older_histories_are_read() {
        for (stored, answer) in [
            ("true", Answer::AllowOnce),
            ("false", Answer::deny()),
            (r#"{"kind":"allow_node"}"#, Answer::allow_node()),
            (
                r#"{"kind":"allow_plan","begins":["git push"]}"#,
                Answer::AllowPlan {
                    begins: vec!["git push".to_owned()],
                },
            ),
            (r#"{"kind":"deny"}"#, Answer::deny()),
            (
                r#"{"kind":"deny","reason":"No."}"#,
                Answer::Deny {
                    reason: "No.".to_owned(),
                },
            ),
        ] {
            assert_eq!(
                serde_json::from_str::<Answer>(stored).ok(),
                Some(answer),
                "{stored}"
            );
        }
        assert!(serde_json::from_str::<Answer>(r#""yes""#).is_err());
    }

    #[test]
    fn answers_round_trip_through_json() {
        let plain = serde_json::to_string(&Answer::allow_node()).expect("JSON");
        assert_eq!(plain, r#"{"kind":"allow_node"}"#, "as it always was");
        let beginning = Answer::AllowNode {
            begins: vec!["git push".into()],
        };
        let answers = [
            Answer::AllowOnce,
            Answer::allow_node(),
            Answer::allow_plan(),
            beginning,
            Answer::Deny {
                reason: "No.".into(),
            },
        ];
        for answer in answers {
            let text = serde_json::to_string(&answer).expect("JSON");
            assert_eq!(
                serde_json::from_str::<Answer>(&text).ok(),
                Some(answer),
                "{text}"
            );
        }
    }
}
