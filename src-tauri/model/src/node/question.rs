//! Questions to a person or an agent, conditions, and sub-plans.

use serde::{Deserialize, Serialize};

use crate::NodeId;

/// A question to a person.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Question {
    /// May contain `{{nodes.<slug>.outputs.<key>}}`.
    pub question: String,
    pub input_type: InputType,
    /// The answers to choose from.
    pub options: Vec<String>,
    /// The node fails if there is no answer after this many milliseconds; `None` waits forever.
    #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
    pub timeout: Option<u64>,
}

/// The kind of answer a question expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum InputType {
    /// Any text that is not empty.
    #[default]
    Text,
    /// One of the options.
    Choice,
    /// `yes` or `no`.
    Confirm,
}

/// A choice that an agent makes based on its parents' handoffs.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct DecisionTask {
    /// `None` uses the default agent.
    pub agent: Option<String>,
    /// The model to request; `None` uses the agent's default.
    pub model: Option<String>,
    /// The decision to make. May contain `{{nodes.<slug>.outputs.<key>}}`.
    pub prompt: String,
    /// The valid answers; empty accepts any answer.
    pub choices: Vec<String>,
}

/// A fork. The output `taken` is `true` or `false`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ConditionTask {
    /// `true`, `false`, `result:<slug>`, or an expression over `nodes.<slug>.outputs.<key>`.
    pub condition: String,
    /// The head of the branch that is taken if the condition is true. Naming it here makes it
    /// depend on this node.
    pub true_step: Option<NodeId>,
    /// The head of the branch that is taken if the condition is false.
    pub false_step: Option<NodeId>,
}

/// A run of another plan.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct SubPlanTask {
    /// The plan's ID, or its title if that is unique.
    pub sub_plan_id: String,
    /// Passed to the first nodes of the plan, with the handoffs that this node received. May
    /// contain templates.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<String>"))]
    pub prompt: String,
}
