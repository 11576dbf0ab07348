//! `{{loop.index}}` and `{{loop.previous.outputs.<key>}}`: what the body of a loop may name of the loop.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// How far a loop is when an iteration begins.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LoopRound {
    /// The number of the iteration, from 1.
    pub index: u32,
    /// The named outputs of the iteration before; none in the first one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub previous: Option<BTreeMap<String, String>>,
}

/// What a template names of a loop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum LoopValue {
    /// The number of the iteration, from 1.
    Index,
    /// An output of the iteration before.
    Previous(String),
}

/// Why a template that names something of a loop has no value: a fragment for people.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LoopValueError {
    /// It is none of those that there are.
    #[error("a loop has loop.index and loop.previous.outputs.<key>")]
    Unknown,
    /// The iteration before did not write it.
    #[error("iteration {iteration} {}", wrote(.known, .key))]
    NoOutput {
        /// The iteration before.
        iteration: u32,
        /// The output.
        key: String,
        /// What it wrote.
        known: Vec<String>,
    },
}

fn wrote(known: &[String], key: &str) -> String {
    if known.is_empty() {
        "wrote no outputs".to_owned()
    } else {
        format!("wrote {} but not '{key}'", known.join(", "))
    }
}

impl LoopValue {
    /// The prefix of every expression that names something of a loop.
    pub const PREFIX: &str = "loop.";

    /// What `expression` names, without its braces.
    pub fn parse(expression: &str) -> Result<Self, LoopValueError> {
        let plain = |key: &&str| {
            !key.is_empty()
                && key
                    .chars()
                    .all(|c| c.is_alphanumeric() || "_-.".contains(c))
        };
        match expression.trim() {
            "loop.index" => Ok(Self::Index),
            other => other
                .strip_prefix("loop.previous.outputs.")
                .filter(plain)
                .map(|key| Self::Previous(key.to_owned()))
                .ok_or(LoopValueError::Unknown),
        }
    }
}

impl LoopRound {
    /// The value of `what` in this iteration. In the first one, outputs of the one before are empty.
    pub fn value(&self, what: &LoopValue) -> Result<String, LoopValueError> {
        match (what, &self.previous) {
            (LoopValue::Index, _) => Ok(self.index.to_string()),
            (LoopValue::Previous(_), None) => Ok(String::new()),
            (LoopValue::Previous(key), Some(outputs)) => {
                outputs
                    .get(key)
                    .cloned()
                    .ok_or_else(|| LoopValueError::NoOutput {
                        iteration: self.index.saturating_sub(1),
                        key: key.clone(),
                        known: outputs.keys().cloned().collect(),
                    })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_knows_its_number_and_what_the_iteration_before_wrote() {
        let first = LoopRound {
            index: 1,
            previous: None,
        };
        let previous = [("n".to_owned(), "7".to_owned())].into();
        let second = LoopRound {
            index: 2,
            previous: Some(previous),
        };
        let value = |round: &LoopRound, text: &str| {
            LoopValue::parse(text).and_then(|what| round.value(&what))
        };
        assert_eq!(value(&first, " loop.index ").as_deref(), Ok("1"));
        assert_eq!(
            value(&first, "loop.previous.outputs.n").as_deref(),
            Ok(""),
            "nothing was before"
        );
        assert_eq!(
            value(&second, "loop.previous.outputs.n").as_deref(),
            Ok("7")
        );
        let missing = value(&second, "loop.previous.outputs.m").expect_err("it was not written");
        assert_eq!(missing.to_string(), "iteration 1 wrote n but not 'm'");
        assert_eq!(value(&second, "loop.count"), Err(LoopValueError::Unknown));
    }
}
