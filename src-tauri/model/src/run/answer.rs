//! What a session asks a person, and what they say.

use serde::{Deserialize, Serialize};

use crate::command_prefix::{CommandPrefix, PrefixFault};
use crate::grant::is_covered;
use crate::{Attempt, Grant};

/// What a person says to a tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case", from = "Stored")]
pub enum Answer {
    /// This call may run.
    AllowOnce,
    /// This call may run, and its like in all attempts of this node in this run.
    AllowNode {
        /// For a call that runs a command: the first words of commands that are its like, such as `git push`; empty: this command to
        /// the letter.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<String>>"))]
        begins: Vec<String>,
    },
    /// This call may run, and its like in every node, in this run and in later runs of the plan.
    AllowPlan {
        /// As for the node.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<String>>"))]
        begins: Vec<String>,
    },
    /// This call may not run.
    Deny {
        /// What the agent is told; empty: that a person said no.
        reason: String,
    },
}

/// An answer as histories hold it: before format 5 it was yes or no.
#[derive(Deserialize)]
#[serde(untagged)]
enum Stored {
    Flag(bool),
    Word(Word),
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Word {
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

impl From<Stored> for Answer {
    fn from(stored: Stored) -> Self {
        match stored {
            Stored::Flag(true) | Stored::Word(Word::AllowOnce) => Self::AllowOnce,
            Stored::Word(Word::AllowNode { begins }) => Self::AllowNode { begins },
            Stored::Word(Word::AllowPlan { begins }) => Self::AllowPlan { begins },
            Stored::Flag(false) => Self::deny(),
            Stored::Word(Word::Deny { reason }) => Self::Deny { reason },
        }
    }
}

impl Answer {
    /// Yes to the like of this call in this node, where commands count to the letter.
    #[must_use]
    pub fn allow_node() -> Self {
        Self::AllowNode { begins: Vec::new() }
    }

    /// Yes to the like of this call in every node, where commands count to the letter.
    #[must_use]
    pub fn allow_plan() -> Self {
        Self::AllowPlan { begins: Vec::new() }
    }

    /// The first words that commands may begin with from now on.
    #[must_use]
    pub fn begins(&self) -> &[String] {
        match self {
            Self::AllowNode { begins } | Self::AllowPlan { begins } => begins,
            Self::AllowOnce | Self::Deny { .. } => &[],
        }
    }

    /// No, without a reason.
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

/// Who answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum AnsweredBy {
    /// A person, to this very question.
    #[default]
    Person,
    /// The leave that a person gave before.
    Grant,
}

impl AnsweredBy {
    pub(super) fn is_person(&self) -> bool {
        *self == Self::Person
    }
}

/// The call that a question is about, as far as leave for more than this one call depends on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AskedCall {
    /// The tool, as the agent calls it.
    pub tool: String,
    /// The whole command line, where the tool runs one.
    #[serde(default)]
    pub command: Option<String>,
}

impl AskedCall {
    /// What an answer for more than this call gives leave for: the call itself, or commands that begin with some of its words.
    pub fn grants(&self, begins: &[String]) -> Result<Vec<Grant>, PrefixFault> {
        if begins.is_empty() {
            return Ok(vec![Grant::exact(&self.tool, self.command.as_deref())]);
        }
        begins
            .iter()
            .map(|words| self.grant_beginning(words))
            .collect()
    }

    fn grant_beginning(&self, words: &str) -> Result<Grant, PrefixFault> {
        let prefix = CommandPrefix::parse(words)?;
        let occurs = self
            .command
            .as_deref()
            .is_some_and(|line| prefix.occurs_in(line));
        if occurs {
            Ok(Grant::beginning(&self.tool, words))
        } else {
            Err(PrefixFault::OtherCommand(words.to_owned()))
        }
    }

    /// Whether `grants` cover it together.
    pub fn is_covered_by<'g>(&self, grants: impl Iterator<Item = &'g Grant> + Clone) -> bool {
        is_covered(grants, &self.tool, self.command.as_deref())
    }
}

/// A question that is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) request: String,
    pub(super) question: String,
    pub(super) call: Option<AskedCall>,
}

/// A call of a tool that the node's list does not name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OutsideCall {
    /// The attempt that made it.
    pub attempt: Attempt,
    /// How the agent names the call.
    pub call: String,
    /// The tool and what it was to do, on one line.
    pub what: String,
    /// What was said, or would have been.
    pub note: String,
    /// It did not run.
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
    fn what_is_written_is_read() {
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
