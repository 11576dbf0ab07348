//! Questions: to a person, to an agent, and to what is known already.

use serde::{Deserialize, Serialize};

use crate::NodeId;

/// A question to a person.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct Question {
    /// What is asked. May hold `{{nodes.<slug>.outputs.<key>}}`.
    pub question: String,
    /// What kind of answer.
    pub input_type: InputType,
    /// The answers to choose from.
    pub options: Vec<String>,
    /// The node fails when nobody has answered after so many milliseconds; `None` waits for ever.
    #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
    pub timeout: Option<u64>,
}

/// What kind of answer a question wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum InputType {
    /// Any words.
    #[default]
    Text,
    /// One of the options.
    Choice,
    /// `yes` or `no`.
    Confirm,
}

/// A choice that an agent makes from what the parents handed on.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct DecisionTask {
    /// Which agent; `None` takes the default one.
    pub agent: Option<String>,
    /// The model to ask for; `None` leaves it to the agent.
    pub model: Option<String>,
    /// What is to be decided. May hold `{{nodes.<slug>.outputs.<key>}}`.
    pub prompt: String,
    /// The answers that count; none: any answer does.
    pub choices: Vec<String>,
}

/// A fork. The output `taken` is `true` or `false`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct ConditionTask {
    /// `true`, `false`, `result:<slug>`, or an expression over `nodes.<slug>.outputs.<key>`.
    pub condition: String,
    /// The head of the branch that is taken when it holds. It depends on this node by being named here.
    pub true_step: Option<NodeId>,
    /// The head of the branch that is taken when it does not.
    pub false_step: Option<NodeId>,
}

/// A run of another plan.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct SubPlanTask {
    /// The plan's id, or its title when only one plan has it.
    pub sub_plan_id: String,
    /// What the first nodes of the plan are told, with the handoffs that the node received. May hold templates.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<String>"))]
    pub prompt: String,
}
