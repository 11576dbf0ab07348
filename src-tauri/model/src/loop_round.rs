//! Loop values in templates: `{{loop.index}}` and `{{loop.previous.outputs.<key>}}`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The progress of a loop when an iteration begins.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LoopRound {
    /// The number of the iteration, from 1.
    pub index: u32,
    /// The named outputs of the previous iteration; `None` in the first one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub previous: Option<BTreeMap<String, String>>,
}

/// A loop value that a template refers to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum LoopValue {
    /// The number of the iteration, from 1.
    Index,
    /// An output of the previous iteration.
    Previous(String),
}

/// Why a loop value can't be resolved, as a fragment for people.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the names say it")]
pub enum LoopValueError {
    /// It does not exist.
    #[error("a loop has loop.index and loop.previous.outputs.<key>")]
    Unknown,
    /// The previous iteration did not write it.
    #[error("iteration {iteration} {}", wrote(.known, .key))]
    NoOutput {
        /// The number of the previous iteration.
        iteration: u32,
        key: String,
        /// The outputs that it did write.
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
    /// The prefix of every expression that refers to a loop value.
    pub const PREFIX: &str = "loop.";

    /// Parses `expression`, given without its braces.
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
    /// The value of `what` in this iteration. In the first one, outputs of the previous iteration
    /// are empty.
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
    fn loop_values_are_index_and_previous_outputs() {
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
