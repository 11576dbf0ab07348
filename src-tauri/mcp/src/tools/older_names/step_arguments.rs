//! The arguments of `add_plan_step`.

use baton_model::PlanId;
use baton_model::plan_step::node_keys;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StepArguments {
    #[schemars(with = "String")]
    #[serde(alias = "plan")]
    pub(super) plan_id: PlanId,
    /// Steps with the same number run in parallel, after those with the next lower one.
    pub(super) order: u64,
    /// agent, command, tool_call, llm_decision, user_input, condition, parallel, loop, sub_plan
    #[serde(rename = "type")]
    kind: String,
    pub(super) name: String,
    description: Option<String>,
    tool_name: Option<String>,
    tool_args: Option<Map<String, Value>>,
    prompt: Option<String>,
    choices: Option<Vec<String>>,
    question: Option<String>,
    command: Option<String>,
    /// Other keys of the node.
    config: Option<Map<String, Value>>,
    /// IDs of steps.
    dependencies: Option<Vec<String>>,
}

impl StepArguments {
    /// The node's keys.
    pub(super) fn keys(&self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(arguments)) => node_keys(arguments),
            // An object of JSON values is one.
            _ => Map::new(),
        }
    }
}
